package io.ringfence.benchmarks;

import io.ringfence.config.ConfigException;
import io.ringfence.config.NodeConfig;
import io.ringfence.config.NodeFile;
import io.ringfence.config.NodeFlag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rules and nodes that are measured. */
final class Demo {
  /** Wide enough that every check passes, so that an admission is what is measured. */
  static final String RULES =
      """
      rules:
        - {name: wide, by: client, algorithm: token-bucket, limit: 1000000000, window: 1s}
      """;

  private Demo() {}

  /**
   * A node with ports of its own choosing, in a cluster if it is told which.
   *
   * @param dir where its files go; a rules.yaml that is there already is taken
   */
  static NodeConfig node(Path dir, String name, @Nullable String cluster, String join)
      throws IOException, ConfigException {
    Path rules = dir.resolve("rules.yaml");
    if (Files.notExists(rules)) {
      Files.writeString(rules, RULES);
    }
    StringBuilder file = new StringBuilder("forward: {deadline: 5s}\n");
    if (cluster != null) {
      file.append("cluster: {name: ").append(cluster);
      file.append(join.isEmpty() ? "" : ", join: [\"" + join + "\"]").append("}\n");
      file.append("listen: {peer: \"127.0.0.1:0\", cluster: \"127.0.0.1:0\"}\n");
    }
    Path nodeFile = Files.writeString(dir.resolve(name + ".yaml"), file);
    Map<NodeFlag, String> flags = new EnumMap<>(NodeFlag.class);
    flags.put(NodeFlag.NAME, name);
    flags.put(NodeFlag.HTTP, "127.0.0.1:0");
    flags.put(NodeFlag.RULES, rules.toString());
    return NodeFile.load(nodeFile, flags, null).config();
  }
}
