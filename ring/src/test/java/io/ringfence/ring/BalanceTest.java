package io.ringfence.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How evenly the slots fall and how many of them move, over sets of names of the kinds that people
 * give to nodes. All of it is a function of fixed seeds, so docs/ring.md holds the very figures,
 * and this prints each row and looks for it there.
 */
class BalanceTest {
  private static final int SETS = 100;
  private static final int MOVEMENT_SETS = 25;
  private static final Path DOCUMENT = Path.of("..", "docs", "ring.md");

  /** Nodes of one set: numbered, named by address, by rack, or at random as containers are. */
  private static List<RingNode> nodesOf(int set, int size) {
    SplittableRandom random = new SplittableRandom(set);
    return IntStream.range(0, size)
        .mapToObj(
            i ->
                switch (set % 4) {
                  case 0 -> "n" + (1_000 * set + i + 1);
                  case 1 -> "ip-10-0-" + set + "-" + i;
                  case 2 -> "rack" + set + ".gateway-" + i + ".example.org";
                  default -> "gw-" + Long.toHexString(random.nextLong());
                })
        .map(name -> new RingNode(name, 1))
        .toList();
  }

  /**
   * The first hundred runs are the hundred sets under one seed, the next hundred are the same sets
   * under another.
   */
  private static RingSettings settingsOf(int run, int slots, int points) {
    return new RingSettings(
        slots, points, 0x6a09e667f3bcc908L * (run / SETS + 1), 0xbb67ae8584caa73bL);
  }

  private static RingSettings defaultsOf(int run) {
    return settingsOf(run, RingSettings.DEFAULT_SLOTS, RingSettings.DEFAULT_POINTS_PER_WEIGHT);
  }

  private record Spread(double mean, double worst) {
    static Spread of(int runs, IntToDoubleFunction figureOfRun) {
      double[] figures = IntStream.range(0, runs).mapToDouble(figureOfRun).toArray();
      return new Spread(
          Arrays.stream(figures).average().orElseThrow(),
          Arrays.stream(figures).max().orElseThrow());
    }
  }

  private static void assertDocumented(String format, Object... figures) throws IOException {
    String row = String.format(Locale.ROOT, format, figures);
    System.out.println(row);
    assertTrue(Files.readString(DOCUMENT).contains(row), () -> DOCUMENT + " lacks " + row);
  }

  /** The slots of the fullest node, in times of the mean. */
  @ParameterizedTest
  @CsvSource({
    // slots, points, nodes, rings, at most
    "16384, 2048,   3, 300, 1.10",
    "16384, 2048,   5, 100, 1.15",
    "16384, 2048,  20, 100, 1.15",
    "16384, 2048, 200, 100, 1.50",
    "16384, 1024,   3, 300, 1.10",
    "16384, 1024,  20, 100, 1.15",
    "65536, 2048, 200,  10, 1.25",
  })
  void theFullestNodeIsNearTheMean(int slots, int points, int nodes, int rings, double atMost)
      throws IOException {
    Spread spread =
        Spread.of(
            rings,
            run -> {
              Ring ring = Ring.of(settingsOf(run, slots, points), nodesOf(run % SETS, nodes));
              int fullest = ring.nodes().stream().mapToInt(ring::slotsOf).max().orElseThrow();
              return (double) fullest * nodes / slots;
            });
    assertTrue(spread.worst <= atMost, () -> nodes + " nodes: " + spread.worst);
    assertDocumented(
        "| %,d | %,d | %d | %d | %.3f | %.3f |",
        slots, points, nodes, rings, spread.mean, spread.worst);
  }

  /**
   * What a newcomer takes, in times of its share; and of what a leaver had, the most that one node
   * inherits.
   */
  @ParameterizedTest
  @CsvSource({"3", "5", "20"})
  void aNewcomerTakesItsShareAndALeaversSlotsSpreadOverTheRest(int nodes) throws IOException {
    Spread taken =
        Spread.of(
            MOVEMENT_SETS,
            run -> {
              List<RingNode> more = nodesOf(run, nodes + 1);
              Ring before = Ring.of(defaultsOf(run), more.subList(0, nodes));
              int moves = before.movesTo(Ring.of(defaultsOf(run), more)).size();
              return (double) moves * (nodes + 1) / before.slots();
            });
    Spread inherited =
        Spread.of(MOVEMENT_SETS, run -> mostInherited(defaultsOf(run), nodesOf(run, nodes)));
    assertEquals(1.0, taken.mean, 0.03, "mean of what a newcomer takes");
    assertTrue(taken.worst <= 1.15, () -> "most that a newcomer takes: " + taken.worst);
    assertTrue(inherited.worst <= 2.0, () -> "most that one inherits: " + inherited.worst);
    assertDocumented(
        "| %d | %.3f | %.3f | %.3f | %.3f |",
        nodes, taken.mean, taken.worst, inherited.mean, inherited.worst);
  }

  private static double mostInherited(RingSettings settings, List<RingNode> nodes) {
    Ring before = Ring.of(settings, nodes);
    Ring after = Ring.of(settings, nodes.subList(1, nodes.size()));
    int most =
        after.nodes().stream()
            .mapToInt(name -> after.slotsOf(name) - before.slotsOf(name))
            .max()
            .orElseThrow();
    return (double) most * (nodes.size() - 1) / before.slotsOf(nodes.get(0).name());
  }

  @Test
  void aNodeOwnsSlotsByItsWeight() {
    for (int set = 0; set < SETS; set++) {
      List<RingNode> names = nodesOf(set, 4);
      List<RingNode> weighted =
          List.of(
              new RingNode(names.get(0).name(), 2),
              names.get(1),
              names.get(2),
              new RingNode(names.get(3).name(), 4));
      Ring ring = Ring.of(defaultsOf(set), weighted);
      for (RingNode node : weighted) {
        double expected = node.weight() * ring.slots() / 8.0;
        assertEquals(expected, ring.slotsOf(node.name()), 0.15 * expected, node + " of set " + set);
      }
    }
  }
}
