package io.ringfence.chaos.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The words of a command line that come before the arguments of a node.
 *
 * @param command at least the program
 */
public record Launcher(List<String> command) {
  /** The system property that names another jar than the one that the build packages. */
  public static final String JAR_PROPERTY = "ringfence.jar";

  private static final List<Path> PACKAGED =
      List.of(Path.of("../node/target/ringfence.jar"), Path.of("node/target/ringfence.jar"));

  /**
   * Nodes of tests are young, and all run on one machine: a second compiler would take the time
   * that they are measured by. A gateway that has run for an hour has nothing left to compile.
   */
  private static final List<String> JVM =
      List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:MetaspaceSize=96m", "-XX:TieredStopAtLevel=1");

  /** The command is copied. */
  public Launcher {
    command = List.copyOf(command);
  }

  /** The jar of the build, seen from this module or from the root, on the JVM that runs this. */
  public static Launcher packaged() {
    String named = System.getProperty(JAR_PROPERTY);
    if (named != null) {
      return ofJar(Path.of(named));
    }
    return PACKAGED.stream()
        .filter(Files::isRegularFile)
        .findFirst()
        .map(Launcher::ofJar)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "no node/target/ringfence.jar; run `mvn -q package -pl node -am` first, or name"
                        + " one by -D"
                        + JAR_PROPERTY));
  }

  /**
   * That jar on the JVM that runs this.
   *
   * @throws IllegalStateException where there is no such file
   */
  public static Launcher ofJar(Path jar) {
    if (!Files.isRegularFile(jar)) {
      throw new IllegalStateException("no such jar: " + jar.toAbsolutePath());
    }
    List<String> command = new ArrayList<>(List.of(java()));
    command.addAll(JVM);
    command.addAll(List.of("-jar", jar.toAbsolutePath().normalize().toString()));
    return new Launcher(command);
  }

  /** The same jar with another bound of its heap. */
  public Launcher withHeapMiB(int heap) {
    List<String> longer = new ArrayList<>(command);
    longer.add(longer.indexOf("-jar"), "-Xmx" + heap + "m"); // the last one counts
    return new Launcher(longer);
  }

  /** The same after other words, such as those that enter a namespace. */
  Launcher after(List<String> words) {
    List<String> longer = new ArrayList<>(words);
    longer.addAll(command);
    return new Launcher(longer);
  }

  /** A main class on a class path, on the JVM that runs this. */
  static Launcher ofMain(String classPath, String mainClass) {
    return new Launcher(List.of(java(), "-cp", classPath, mainClass));
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }
}
