package io.ringfence.config;

/** The flags that stand for a field of the node file, and win over it. */
public enum NodeFlag {
  /** node.name. */
  NAME("--name", "node", "name", "NAME", "this node's name"),
  /** listen.http. */
  HTTP("--http", "listen", "http", Words.ADDRESS, "the HTTP API; port 0: any"),
  /** listen.admin. */
  ADMIN("--admin", "listen", "admin", Words.ADDRESS, "the admin calls"),
  /** listen.grpc. */
  GRPC("--grpc", "listen", "grpc", Words.ADDRESS, "Envoy's rate limit service"),
  /** listen.peer. */
  PEER("--peer", "listen", "peer", Words.ADDRESS, "the protocol between nodes"),
  /** listen.cluster. */
  CLUSTER("--cluster", "listen", "cluster", Words.ADDRESS, "this node's Hazelcast"),
  /** cluster.join, separated by commas. */
  JOIN(
      "--join",
      "cluster",
      "join",
      "HOST:PORT,...",
      "Hazelcast addresses of nodes that may be there already"),
  /** rules; relative to the working directory. */
  RULES("--rules", "", "rules", Words.FILE, "the rules file"),
  /** node.data; relative to the working directory. */
  DATA("--data", "node", "data", "DIR", "the data directory"),
  /** cluster.secret_file; relative to the working directory. */
  SECRET_FILE("--secret-file", "cluster", "secret_file", Words.FILE, "the cluster's secret"),
  /** auth.admin_token_file; relative to the working directory. */
  ADMIN_TOKEN_FILE(
      "--admin-token-file",
      "auth",
      "admin_token_file",
      Words.FILE,
      "what admin calls must present");

  private final String flag;
  private final String section;
  private final String key;
  private final String value;
  private final String description;

  NodeFlag(String flag, String section, String key, String value, String description) {
    this.flag = flag;
    this.section = section;
    this.key = key;
    this.value = value;
    this.description = description;
  }

  /** As it is written on the command line. */
  public String flag() {
    return flag;
  }

  /** What stands for its value in a help text. */
  public String value() {
    return value;
  }

  /** What it sets, in a few words. */
  public String description() {
    return description;
  }

  /** The section of the node file, empty for its top level. */
  String section() {
    return section;
  }

  String key() {
    return key;
  }

  /** What an enum's own constants cannot be before it is there. */
  private static final class Words {
    private static final String ADDRESS = "HOST:PORT";
    private static final String FILE = "FILE";
  }
}
