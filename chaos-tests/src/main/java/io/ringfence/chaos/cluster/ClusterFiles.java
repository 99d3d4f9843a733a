package io.ringfence.chaos.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;

/**
 * The files that all nodes of a cluster share.
 *
 * @param home a directory that is there
 * @param config the node file
 * @param rules the rules file
 * @param secret the file of the secret
 */
public record ClusterFiles(Path home, Path config, Path rules, Path secret) {
  private static final String SECRET = "an open secret of the chaos tests";

  /**
   * Writes them into a new directory.
   *
   * @param parent where that directory goes; made where it is missing
   * @param title what the directory's name begins with
   */
  public static ClusterFiles write(Path parent, String title, String config, String rules) {
    try {
      Files.createDirectories(parent);
      Path home = Files.createTempDirectory(parent, title + "-").toAbsolutePath();
      return new ClusterFiles(
          home,
          Files.writeString(home.resolve("node.yaml"), config),
          Files.writeString(home.resolve("rules.yaml"), rules),
          writeSecret(home, "secret", SECRET));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Puts other rules in the place of those there are, at one stroke.
   *
   * @return their version: the first 16 hex digits of SHA-256 of the file
   */
  String putRules(String text) {
    try {
      Path next = Files.writeString(home.resolve("rules.next"), text);
      Files.move(next, rules, StandardCopyOption.ATOMIC_MOVE);
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  /** A secret other than that of the cluster, in a file of its own. */
  public Path otherSecret() {
    try {
      return writeSecret(home, "other-secret", SECRET + ", but another");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path writeSecret(Path home, String name, String secret) throws IOException {
    Path file = home.resolve(name);
    Files.writeString(file, secret);
    Files.setPosixFilePermissions(file, Set.of(PosixFilePermission.OWNER_READ));
    return file;
  }
}
