package io.ringfence.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the ring promises in plain cases; RingPropertiesTest says the same of any ring. */
class RingTest {
  private static final int KEYS = 10_000;
  private static final Placement PLACEMENT = new Placement(Rings.DEFAULTS);

  private static List<String> ownersOfKeys(Ring ring) {
    List<String> owners = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      owners.add(ring.ownerOf(PLACEMENT.slotOf("client", "cust_" + i)));
    }
    return owners;
  }

  private static List<List<RingNode>> allOrdersOfThree() {
    return List.of(
        Rings.nodes("n1", "n2", "n3"),
        Rings.nodes("n1", "n3", "n2"),
        Rings.nodes("n2", "n1", "n3"),
        Rings.nodes("n2", "n3", "n1"),
        Rings.nodes("n3", "n1", "n2"),
        Rings.nodes("n3", "n2", "n1"));
  }

  @Test
  void C18_theOrderOfTheMembersDoesNotMatter() {
    List<String> expected = ownersOfKeys(Rings.ring(Rings.nodes("n1", "n2", "n3")));
    for (List<RingNode> order : allOrdersOfThree()) {
      assertEquals(expected, ownersOfKeys(Rings.ring(order)), () -> "order " + order);
    }
  }

  @Test
  void C18_removingANodeMovesExactlyItsKeysAndAddingItBackRestoresTheMap() {
    List<RingNode> three = Rings.nodes("n1", "n2", "n3");
    List<String> before = ownersOfKeys(Rings.ring(three));
    List<RingNode> two = Rings.without(three, "n3");
    List<String> after = ownersOfKeys(Rings.ring(two));
    for (int i = 0; i < KEYS; i++) {
      if (before.get(i).equals("n3")) {
        assertNotEquals("n3", after.get(i), "key " + i);
      } else {
        assertEquals(before.get(i), after.get(i), "key " + i);
      }
    }
    assertEquals(before, ownersOfKeys(Rings.ring(Rings.with(two, new RingNode("n3", 1)))));
  }

  @Test
  void C18_noShareIsAbove45Percent() {
    List<String> owners = ownersOfKeys(Rings.ring(Rings.nodes("n1", "n2", "n3")));
    for (String name : List.of("n1", "n2", "n3")) {
      long keys = owners.stream().filter(name::equals).count();
      assertTrue(keys <= KEYS * 0.45, () -> name + " has " + keys + " of " + KEYS + " keys");
    }
  }

  @Test
  void C18_collidingPointsDoNotBringTheOrderBack() {
    for (int positions : new int[] {1, 2, 7, 100, 5_000}) {
      Ring.PointHash hash = Rings.colliding(positions);
      List<String> expected =
          Rings.table(Ring.of(Rings.DEFAULTS, Rings.nodes("n1", "n2", "n3"), hash));
      for (List<RingNode> order : allOrdersOfThree()) {
        assertEquals(
            expected,
            Rings.table(Ring.of(Rings.DEFAULTS, order, hash)),
            () -> positions + " positions, order " + order);
      }
    }
  }

  @Test
  void onOnePositionTheLowerNameComesFirst() {
    Ring ring = Ring.of(Rings.DEFAULTS, Rings.nodes("c", "a", "b"), (data, off, len) -> 42);
    assertEquals("a", ring.ownerOf(0));
    assertEquals("b", ring.backupOf(0));
    assertEquals(ring.slots(), ring.slotsOf("a"));
    assertEquals(0, ring.slotsOf("c"));
  }

  @Test
  void anEmptyRingHasSlotsButNoOwners() {
    Ring ring = Rings.ring(List.of());
    assertTrue(ring.isEmpty());
    assertEquals(16_384, ring.slots());
    assertEquals(List.of(), ring.nodes());
    assertNull(ring.backupOf(0));
    assertThrows(IllegalStateException.class, () -> ring.ownerOf(0));
  }

  @Test
  void aSingleNodeOwnsEverythingAndHasNoBackup() {
    Ring ring = Rings.ring(Rings.nodes("only"));
    assertFalse(ring.isEmpty());
    assertEquals(ring.slots(), ring.slotsOf("only"));
    for (int slot = 0; slot < ring.slots(); slot++) {
      assertEquals("only", ring.ownerOf(slot));
      assertNull(ring.backupOf(slot));
    }
  }

  @Test
  void nodesAreListedByNameAndTheirSlotsAddUp() {
    Ring ring = Rings.ring(Rings.nodes("n10", "n2", "n1"));
    assertEquals(List.of("n1", "n10", "n2"), ring.nodes());
    assertEquals(ring.slots(), ring.nodes().stream().mapToInt(ring::slotsOf).sum());
    assertEquals(0, ring.slotsOf("n3"));
  }

  @Test
  void movesNameTheSlotAndBothOwners() {
    RingSettings one = new RingSettings(1, 1, Rings.K0, Rings.K1);
    Ring none = Ring.of(one, List.of());
    Ring a = Ring.of(one, Rings.nodes("a"));
    Ring b = Ring.of(one, Rings.nodes("b"));
    assertEquals(List.of(new Move(0, null, "a")), none.movesTo(a));
    assertEquals(List.of(new Move(0, "a", "b")), a.movesTo(b));
    assertEquals(List.of(new Move(0, "b", null)), b.movesTo(none));
    assertEquals(List.of(), a.movesTo(Ring.of(one, Rings.nodes("a"))));
  }

  @Test
  void anotherSeedIsAnotherRing() {
    List<RingNode> nodes = Rings.nodes("n1", "n2", "n3");
    List<String> table = Rings.table(Rings.ring(nodes));
    assertNotEquals(
        table, Rings.table(Ring.of(RingSettings.seeded(Rings.K0 + 1, Rings.K1), nodes)));
    assertNotEquals(
        table, Rings.table(Ring.of(RingSettings.seeded(Rings.K0, Rings.K1 + 1), nodes)));
  }
}
