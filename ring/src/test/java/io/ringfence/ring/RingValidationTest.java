package io.ringfence.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Misuse is refused, and the message names what was given and what is allowed. */
class RingValidationTest {
  private static void refused(String message, Executable misuse) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, misuse).getMessage());
  }

  @Test
  void settingsHaveRanges() {
    refused("slots must be 1 to 65536, not 0", () -> new RingSettings(0, 1, 0, 0));
    refused("slots must be 1 to 65536, not 65537", () -> new RingSettings(65_537, 1, 0, 0));
    refused("pointsPerWeight must be 1 to 4096, not 0", () -> new RingSettings(1, 0, 0, 0));
    refused("pointsPerWeight must be 1 to 4096, not 4097", () -> new RingSettings(1, 4_097, 0, 0));
    assertEquals(65_536, new RingSettings(65_536, 4_096, 0, 0).slots());
  }

  @Test
  void nodesHaveRanges() {
    refused("name must have 1 to 64 characters, not 0", () -> new RingNode("", 1));
    refused("name must have 1 to 64 characters, not 65", () -> new RingNode("x".repeat(65), 1));
    refused("weight of n1 must be 1 to 100, not 0", () -> new RingNode("n1", 0));
    refused("weight of n1 must be 1 to 100, not 101", () -> new RingNode("n1", 101));
    assertEquals(100, new RingNode("x".repeat(64), 100).weight());
  }

  @Test
  void aRingHasNoMoreThanItsBoundOfNodesAndEachNameOnce() {
    RingSettings small = new RingSettings(16, 1, 0, 0);
    List<RingNode> most =
        IntStream.range(0, Ring.MAX_NODES).mapToObj(i -> new RingNode("n" + i, 1)).toList();
    assertEquals(Ring.MAX_NODES, Ring.of(small, most).nodes().size());
    refused(
        "a ring has 0 to 1024 nodes, not 1025",
        () -> Ring.of(small, Rings.with(most, new RingNode("more", 1))));
    refused(
        "two nodes are named n2",
        () -> Ring.of(small, List.of(new RingNode("n2", 1), new RingNode("n2", 2))));
  }

  @Test
  void slotsOutsideTheRingAreRefused() {
    Ring ring = Ring.of(new RingSettings(16, 1, 0, 0), Rings.nodes("n1", "n2"));
    assertThrows(IndexOutOfBoundsException.class, () -> ring.ownerOf(16));
    assertThrows(IndexOutOfBoundsException.class, () -> ring.ownerOf(-1));
    assertThrows(IndexOutOfBoundsException.class, () -> ring.backupOf(16));
  }

  @Test
  void ringsOfDifferentSlotsAreNotCompared() {
    Ring sixteen = Ring.of(new RingSettings(16, 1, 0, 0), Rings.nodes("n1"));
    Ring eight = Ring.of(new RingSettings(8, 1, 0, 0), Rings.nodes("n1"));
    refused("both rings must have 16 slots, the other has 8", () -> sixteen.movesTo(eight));
  }

  @Test
  void theSeedIsNotPrinted() {
    String text = RingSettings.seeded(1234567, 7654321).toString();
    assertFalse(text.contains("1234567") || text.contains("7654321"), text);
  }
}
