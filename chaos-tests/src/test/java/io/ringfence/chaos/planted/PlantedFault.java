package io.ringfence.chaos.planted;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A fault that is put into the engine on purpose, as an edit of one of its source files. Nothing in
 * the product knows of it.
 *
 * @param name what is wrong then
 * @param file the class, without its package and ending
 * @param find the text that is replaced; it must be there exactly once
 * @param replacement what stands there instead
 * @param mostSeeds how many seeds it may take to find it
 * @param firstSeed where to begin: 1, but for what needs an order of events that comes once in a
 *     thousand schedules, which is looked for near one that has it
 */
public record PlantedFault(
    String name, String file, String find, String replacement, int mostSeeds, long firstSeed) {
  private static final Path ENGINE = Path.of("../node/src/main/java/io/ringfence/engine");

  /** A fault that any seeds find. */
  public PlantedFault(String name, String file, String find, String replacement, int mostSeeds) {
    this(name, file, find, replacement, mostSeeds, 1);
  }

  /** The same, looked for from that seed on. */
  public PlantedFault from(long seed) {
    return new PlantedFault(name, file, find, replacement, mostSeeds, seed);
  }

  String className() {
    return "io.ringfence.engine." + file;
  }

  /** The edited source. Fails if the engine has changed so that the edit does not fit any more. */
  public String source() throws IOException {
    Path path = ENGINE.resolve(file + ".java");
    String text = Files.readString(path);
    int at = text.indexOf(find);
    if (at < 0 || text.indexOf(find, at + 1) >= 0) {
      throw new IllegalStateException(
          "\"%s\": the text to be replaced must be exactly once in %s: %s"
              .formatted(name, path, requireNonNull(find)));
    }
    return text.replace(find, replacement);
  }

  @Override
  public String toString() {
    return name;
  }
}
