package io.ringfence.config;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.ringfence.Fuzz;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Hand-written nasty files are refused with a reason that names the file, and what grows out of
 * them and out of good files by mutation is read or refused. Nothing is fetched, built or kept
 * meanwhile.
 */
class ConfigCorpusTest {
  private static final List<byte[]> PIECES =
      Stream.of(
              "{",
              "}",
              "[",
              "]",
              ": ",
              ", ",
              "- ",
              "\n",
              "\n  ",
              "&a ",
              "*a",
              "!!x ",
              "<<: ",
              "---\n",
              "name: ",
              "rate: ",
              "limit: ",
              "10/second",
              "1e9",
              "-1",
              "0",
              ".nan",
              "null",
              "\"",
              "'")
          .map(text -> text.getBytes(StandardCharsets.UTF_8))
          .toList();

  @TempDir Path dir;

  static List<String> rules() {
    return List.copyOf(Fuzz.corpus("rules").keySet());
  }

  static List<String> nodes() {
    return List.copyOf(Fuzz.corpus("node").keySet());
  }

  @ParameterizedTest
  @MethodSource("rules")
  void aNastyRulesFileIsRefused(String file) {
    byte[] bytes = Fuzz.corpus("rules").getOrDefault(file, new byte[0]);
    try {
      fail("read: " + RulesFile.parse(file, bytes).rules().rules());
    } catch (ConfigException refused) {
      names(file, refused);
    }
  }

  @ParameterizedTest
  @MethodSource("nodes")
  void aNastyNodeFileIsRefused(String file) throws Exception {
    Path path = dir.resolve(file);
    Files.write(path, Fuzz.corpus("node").getOrDefault(file, new byte[0]));
    try {
      fail("read: " + NodeFile.load(path, Map.of(), null).config());
    } catch (ConfigException refused) {
      names(file, refused);
    }
  }

  private static void names(String file, ConfigException refused) {
    assertFalse(refused.problems().isEmpty());
    for (Object problem : refused.problems()) {
      String line = problem.toString();
      assertTrue(line.contains(file), line);
      assertTrue(line.length() < 2_000, () -> "a problem of " + line.length() + " characters");
      assertTrue(line.chars().noneMatch(c -> c < ' ' || c == 0x7f), "control characters: " + line);
    }
  }

  @Test
  void whatGrowsOutOfThemIsReadOrRefusedAndNothingIsKept() throws Exception {
    Fuzz fuzz = Fuzz.of("mutated files");
    List<byte[]> seeds =
        Stream.concat(
                Stream.of(RulesFileTest.WHOLE.getBytes(StandardCharsets.UTF_8)),
                Fuzz.corpus("rules").values().stream().filter(file -> file.length < 4_096))
            .toList();
    grow(fuzz, seeds, Fuzz.times(500));
    long before = usedBytes();
    grow(fuzz, seeds, Fuzz.times(1_500));
    long grown = usedBytes() - before;
    assertTrue(grown < 8L << 20, () -> "the heap grew by " + grown);
  }

  private static void grow(Fuzz fuzz, List<byte[]> seeds, int rounds) {
    Random random = fuzz.random();
    for (int round = 0; round < rounds; round++) {
      byte[] seed = random.nextBoolean() ? seeds.get(0) : fuzz.oneOf(seeds);
      byte[] file = fuzz.mutated(seed, PIECES);
      try {
        assertFalse(RulesFile.parse("rules.yaml", file).rules().rules().isEmpty());
      } catch (ConfigException refused) {
        assertFalse(refused.problems().isEmpty());
      } catch (RuntimeException | StackOverflowError defect) {
        fail(fuzz.replay() + ": " + new String(file, StandardCharsets.UTF_8), defect);
      }
    }
  }

  private static long usedBytes() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }
}
