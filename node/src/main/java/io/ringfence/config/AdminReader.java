package io.ringfence.config;

import io.ringfence.membership.Address;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads where admin calls are served, and the file of their token. */
final class AdminReader {
  private static final String TOKEN_FILE = "admin_token_file";

  private static final Set<PosixFilePermission> OTHERS_READ =
      EnumSet.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);

  private final Sections sections;
  private final Problems problems;
  private final NodeFile.Paths paths;
  private final List<String> warnings;

  AdminReader(Sections sections, Problems problems, NodeFile.Paths paths, List<String> warnings) {
    this.sections = sections;
    this.problems = problems;
    this.paths = paths;
    this.warnings = warnings;
  }

  /**
   * The settings, or null where something is wrong, which has been reported.
   *
   * @param http where calls are served that are no admin calls
   */
  @Nullable AdminSettings read(Address http) {
    Fields listen = sections.open("listen");
    Tree written = listen.tree("admin");
    boolean off = listen.isOff("admin");
    Address address = off ? null : listen.read("admin", Address::parse);
    Fields auth = sections.open("auth");
    AdminToken token = token(auth);
    boolean tokenIsWrong = token == null && auth.has(TOKEN_FILE);
    boolean addressIsWrong = address == null && !off && written != null;
    if (tokenIsWrong || addressIsWrong) {
      return null;
    }
    if (token != null && address == null && !http.isLoopback()) {
      warnings.add(
          "auth.admin_token_file has no effect: listen.http is not a loopback address, so admin"
              + " calls are served nowhere; set listen.admin");
    }
    return problems.built(
        written == null ? sections.origin("listen") : written.origin(),
        () -> new AdminSettings(address, token));
  }

  private @Nullable AdminToken token(Fields auth) {
    Path file = paths.read(auth, TOKEN_FILE);
    if (file == null) {
      return null;
    }
    try {
      String text = new String(YamlText.bytes(file), StandardCharsets.UTF_8);
      AdminToken token = AdminToken.of(text);
      warnOfReaders(file);
      return token;
    } catch (ConfigException | IllegalArgumentException e) {
      auth.problem(TOKEN_FILE, String.valueOf(e.getMessage()));
      return null;
    }
  }

  /** Where the file system knows no such permissions, nothing can be said. */
  private void warnOfReaders(Path file) {
    try {
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
      if (permissions.stream().anyMatch(OTHERS_READ::contains)) {
        warnings.add(
            "auth.admin_token_file: others than its owner may read "
                + file
                + " ("
                + PosixFilePermissions.toString(permissions)
                + "); chmod 600 keeps the token a secret");
      }
    } catch (IOException | UnsupportedOperationException e) {
      warnings.add("auth.admin_token_file: nobody can tell who may read " + file);
    }
  }
}
