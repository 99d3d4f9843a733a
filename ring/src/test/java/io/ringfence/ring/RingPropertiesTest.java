package io.ringfence.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * What holds for every ring: few slots or many, one point a node or dozens, weights, and hashes
 * under which most points collide.
 */
class RingPropertiesTest {
  /** One ring's worth of choices. The nodes are in the order in which they were drawn. */
  record Case(RingSettings settings, List<RingNode> nodes, Ring.PointHash hash) {
    Ring ring() {
      return ring(nodes);
    }

    Ring ring(List<RingNode> others) {
      return Ring.of(settings, others, hash);
    }

    @Override
    public String toString() {
      return settings + " " + nodes;
    }
  }

  @Provide
  Arbitrary<Case> cases() {
    Arbitrary<RingSettings> settings =
        Combinators.combine(
                Arbitraries.integers().between(1, 200),
                Arbitraries.integers().between(1, 24),
                Arbitraries.longs(),
                Arbitraries.longs())
            .as(RingSettings::new);
    Arbitrary<List<RingNode>> nodes =
        Combinators.combine(
                Arbitraries.strings().withChars("abn12-é").ofMinLength(1).ofMaxLength(4),
                Arbitraries.integers().between(1, 4))
            .as(RingNode::new)
            .list()
            .uniqueElements(RingNode::name)
            .ofMinSize(1)
            .ofMaxSize(7);
    Arbitrary<Integer> positions = Arbitraries.of(0, 1, 3, 30);
    return Combinators.combine(settings, nodes, positions)
        .as(
            (chosen, drawn, known) ->
                new Case(
                    chosen,
                    drawn,
                    known == 0
                        ? new SipHash(chosen.k0(), chosen.k1())::hash
                        : Rings.colliding(known)));
  }

  @Property
  void ownersAndBackupsAreThoseOfTheDefinition(@ForAll("cases") Case c) {
    List<List<String>> expected = ReferenceRing.walk(c.settings(), c.nodes(), c.hash());
    Ring ring = c.ring();
    for (int slot = 0; slot < ring.slots(); slot++) {
      List<String> met = expected.get(slot);
      assertEquals(met.get(0), ring.ownerOf(slot), "owner of slot " + slot);
      assertEquals(
          met.size() > 1 ? met.get(1) : null, ring.backupOf(slot), "backup of slot " + slot);
    }
  }

  @Property
  void theOrderInWhichNodesAreGivenDoesNotMatter(@ForAll("cases") Case c, @ForAll Random random) {
    List<RingNode> shuffled = new ArrayList<>(c.nodes());
    Collections.shuffle(shuffled, random);
    assertEquals(Rings.table(c.ring()), Rings.table(c.ring(shuffled)));
  }

  @Property
  void aNodeThatLeavesMovesItsOwnSlotsToTheirBackupsAndNoOthers(@ForAll("cases") Case c) {
    Ring before = c.ring();
    for (RingNode leaver : c.nodes()) {
      Ring after = c.ring(Rings.without(c.nodes(), leaver.name()));
      List<Move> expected = new ArrayList<>();
      for (int slot = 0; slot < before.slots(); slot++) {
        if (before.ownerOf(slot).equals(leaver.name())) {
          expected.add(new Move(slot, leaver.name(), before.backupOf(slot)));
        }
      }
      assertEquals(expected, before.movesTo(after));
    }
  }

  @Property
  void aNodeThatLeavesReplacesOnlyTheBackupsThatItWasOrThatTookOver(@ForAll("cases") Case c) {
    Ring before = c.ring();
    String leaver = c.nodes().get(0).name();
    Ring after = c.ring(Rings.without(c.nodes(), leaver));
    for (int slot = 0; slot < before.slots(); slot++) {
      String backup = before.backupOf(slot);
      if (backup == null) {
        assertNull(after.backupOf(slot));
      } else if (!before.ownerOf(slot).equals(leaver) && !backup.equals(leaver)) {
        assertEquals(backup, after.backupOf(slot));
      }
    }
  }

  @Property
  void aNodeThatComesOnlyTakes(@ForAll("cases") Case c) {
    RingNode newcomer = new RingNode("newcomer", 1);
    Ring before = c.ring();
    Ring after = c.ring(Rings.with(c.nodes(), newcomer));
    List<Move> moves = before.movesTo(after);
    assertTrue(moves.stream().allMatch(move -> newcomer.name().equals(move.to())));
    assertEquals(after.slotsOf(newcomer.name()), moves.size());
  }

  @Property
  void aNodeThatBecomesHeavierOnlyTakes(@ForAll("cases") Case c) {
    RingNode node = c.nodes().get(0);
    RingNode heavier = new RingNode(node.name(), node.weight() + 1);
    Ring after = c.ring(Rings.with(Rings.without(c.nodes(), node.name()), heavier));
    assertTrue(c.ring().movesTo(after).stream().allMatch(m -> node.name().equals(m.to())));
  }

  @Property
  void movesAreTheSameThereAndBack(@ForAll("cases") Case c, @ForAll("cases") Case d) {
    Ring one = c.ring();
    Ring other = c.ring(d.nodes());
    List<Move> back =
        other.movesTo(one).stream().map(m -> new Move(m.slot(), m.to(), m.from())).toList();
    assertEquals(one.movesTo(other), back);
  }

  @Property
  void everySlotIsCountedOnce(@ForAll("cases") Case c) {
    Ring ring = c.ring();
    assertEquals(ring.slots(), ring.nodes().stream().mapToInt(ring::slotsOf).sum());
  }
}
