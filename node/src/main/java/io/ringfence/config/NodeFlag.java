package io.ringfence.config;

/** The flags that stand for a field of the node file, and win over it. */
public enum NodeFlag {
  /** node.name. */
  NAME("--name", "node", "name"),
  /** listen.http. */
  HTTP("--http", "listen", "http"),
  /** listen.admin. */
  ADMIN("--admin", "listen", "admin"),
  /** listen.grpc. */
  GRPC("--grpc", "listen", "grpc"),
  /** listen.peer. */
  PEER("--peer", "listen", "peer"),
  /** listen.cluster. */
  CLUSTER("--cluster", "listen", "cluster"),
  /** cluster.join, separated by commas. */
  JOIN("--join", "cluster", "join"),
  /** rules; relative to the working directory. */
  RULES("--rules", "", "rules"),
  /** node.data; relative to the working directory. */
  DATA("--data", "node", "data"),
  /** cluster.secret_file; relative to the working directory. */
  SECRET_FILE("--secret-file", "cluster", "secret_file");

  private final String flag;
  private final String section;
  private final String key;

  NodeFlag(String flag, String section, String key) {
    this.flag = flag;
    this.section = section;
    this.key = key;
  }

  /** As it is written on the command line. */
  public String flag() {
    return flag;
  }

  /** The section of the node file, empty for its top level. */
  String section() {
    return section;
  }

  String key() {
    return key;
  }
}
