package io.ringfence.config;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a node is started with: flags over the node file over defaults, and the secret from a
 * flag, the file or the environment, in this order. Everything is taken or nothing: the exception
 * names every mistake found, with its place and field.
 */
public final class NodeFile {
  /** The environment variable that may hold the secret. */
  public static final String SECRET_VARIABLE = "RINGFENCE_SECRET";

  private NodeFile() {}

  /**
   * Reads the node file, if there is one, and the secret's file. Blocks on the disk. The rules file
   * is not read; see {@link RulesFile}.
   *
   * @param file the node file, or null for none; paths in it are relative to its directory
   * @param flags those that were given; paths in them are relative to the working directory
   * @param environmentSecret the value of {@value #SECRET_VARIABLE}, or null where it is not set
   * @throws ConfigException where a file cannot be read or anything in it or in a flag is wrong
   */
  public static LoadedNode load(
      @Nullable Path file, Map<NodeFlag, String> flags, @Nullable String environmentSecret)
      throws ConfigException {
    Tree.Mapping written = Overlay.of(file == null ? nothing() : read(file), flags);
    return new NodeReader(written, new Paths(file), environmentSecret).read();
  }

  private static Tree.Mapping read(Path file) throws ConfigException {
    return YamlText.read(file.toString(), YamlText.bytes(file));
  }

  private static Tree.Mapping nothing() {
    return Tree.Mapping.empty(Origin.of("defaults"));
  }

  /** Resolves paths against the place that they were written in. */
  record Paths(@Nullable Path nodeFile) {

    /** The path in a field, or null where it is left out or wrong. */
    @Nullable Path read(Fields fields, String key) {
      Tree tree = fields.tree(key);
      return tree == null
          ? null
          : fields.read(key, text -> resolve(tree.origin(), Scalars.text().read(text)));
    }

    private Path resolve(Origin origin, String text) {
      return nodeFile != null && origin.source().equals(nodeFile.toString())
          ? nodeFile.resolveSibling(text)
          : Path.of(text);
    }
  }
}
