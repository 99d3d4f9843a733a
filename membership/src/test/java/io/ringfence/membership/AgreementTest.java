package io.ringfence.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.membership.SimulatedCluster.Stranger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Scripts of what happens to clusters, each from many seeds: in the end all hold one view. */
class AgreementTest {
  private static final int TRIES = 30;
  private static final int QUIET_MILLIS = 20_000;

  private static List<MemberId> startAll(SimulatedCluster cluster, int nodes) {
    List<MemberId> ids = new ArrayList<>();
    for (int i = 1; i <= nodes; i++) {
      ids.add(cluster.start("n" + i));
    }
    return ids;
  }

  private static List<MemberId> settled(SimulatedCluster cluster, int nodes) {
    List<MemberId> ids = startAll(cluster, nodes);
    cluster.awaitOneView(QUIET_MILLIS);
    return ids;
  }

  @Property(tries = TRIES)
  void nodesThatStartOneByOneStandInTheirOrder(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int nodes) {
    SimulatedCluster cluster = new SimulatedCluster(seed);
    List<MemberId> ids = new ArrayList<>();
    for (int i = 1; i <= nodes; i++) {
      ids.add(cluster.start("n" + i));
      View view = cluster.awaitOneView(QUIET_MILLIS);
      assertEquals(ids, view.members().stream().map(Member::id).toList());
    }
  }

  @Property(tries = TRIES)
  void nodesThatStartAllAtOnceMakeOneLineage(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 8) int nodes) {
    SimulatedCluster cluster = new SimulatedCluster(seed);
    List<MemberId> ids = startAll(cluster, nodes);
    View view = cluster.awaitOneView(QUIET_MILLIS);
    assertEquals(ids.get(0), view.senior().id());
    assertTrue(view.settled());
    assertEquals(nodes, view.base().size());
  }

  @Property(tries = TRIES)
  void theNextInOrderTakesOverFromAKilledSenior(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 6) int nodes) {
    SimulatedCluster cluster = new SimulatedCluster(seed);
    List<MemberId> ids = settled(cluster, nodes);
    cluster.kill(ids.get(0));
    assertEquals(ids.get(1), cluster.awaitOneView(QUIET_MILLIS).senior().id());
  }

  @Property(tries = TRIES)
  void whoVanishesWithoutProofIsAwayWhileMostSurvive(@ForAll long seed) {
    SimulatedCluster cluster = new SimulatedCluster(seed);
    List<MemberId> ids = settled(cluster, 5);
    cluster.vanish(ids.get(0));
    cluster.vanish(ids.get(3));
    View view = cluster.awaitOneView(QUIET_MILLIS);
    assertEquals(3, view.voters().size());
    assertEquals(2, view.members().stream().filter(m -> m.state() == MemberState.AWAY).count());
  }

  @Property(tries = TRIES)
  void anyNumberMayDieWhereDeathIsProven(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 5) int killed) {
    SimulatedCluster cluster = new SimulatedCluster(seed);
    List<MemberId> ids = settled(cluster, 6);
    Random which = new Random(seed);
    for (int i = 0; i < killed; i++) {
      List<MemberId> alive = cluster.liveIds();
      cluster.kill(alive.get(which.nextInt(alive.size())));
      cluster.run(which.nextInt(60));
    }
    assertEquals(ids.size() - killed, cluster.awaitOneView(QUIET_MILLIS).members().size());
  }

  @Property(tries = TRIES)
  void aSeniorThatDiesWhilePublishingIsReplaced(@ForAll long seed) {
    SimulatedCluster cluster = new SimulatedCluster(seed).losing(30);
    List<MemberId> ids = settled(cluster, 4);
    cluster.start("n5");
    cluster.run(50 + (int) Math.floorMod(seed, 250L));
    cluster.kill(ids.get(0));
    assertEquals(4, cluster.awaitOneView(QUIET_MILLIS).members().size());
  }

  @Property(tries = TRIES)
  void aRestartUnderTheSameNameReplacesTheOldIncarnation(
      @ForAll long seed, @ForAll @IntRange(min = 0, max = 2) int which) {
    SimulatedCluster cluster = new SimulatedCluster(seed);
    List<MemberId> ids = settled(cluster, 3);
    MemberId old = ids.get(which);
    Address peer = cluster.peerOf(old);
    cluster.kill(old);
    cluster.run((int) Math.floorMod(seed, 700L));
    MemberId reborn = cluster.start(old.name(), 0, peer);

    View view = cluster.awaitOneView(QUIET_MILLIS);
    assertEquals(reborn, view.members().get(2).id(), "it starts at the end");
  }

  @Property(tries = TRIES)
  void aStrangerIsInNoViewEvenWhereItIsTheOldest(@ForAll long seed, @ForAll Stranger behaviour) {
    SimulatedCluster cluster = new SimulatedCluster(seed);
    cluster.startStranger("n0", behaviour);
    cluster.run(500);
    MemberId first = cluster.start("n1");
    cluster.start("n2");
    cluster.startStranger("n3", behaviour);
    cluster.start("n4");

    View view = cluster.awaitOneView(QUIET_MILLIS);
    assertEquals(first, view.senior().id());
    assertNull(view.named("n0"));
    assertNull(view.named("n3"));
  }

  @Property(tries = TRIES)
  void lineagesThatMeetBecomeTheWinner(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 3) int islands) {
    SimulatedCluster cluster = new SimulatedCluster(seed);
    for (int i = 0; i < 6; i++) {
      cluster.startOnIsland("n" + i, i % islands);
    }
    cluster.run(5_000);
    Lineage winner =
        cluster.liveIds().stream()
            .map(id -> lineageOf(cluster, id))
            .sorted()
            .findFirst()
            .orElseThrow();
    cluster.joinIslands();
    View view = cluster.awaitOneView(QUIET_MILLIS);
    cluster.check(view.lineage().equals(winner), "not the winner " + winner);
  }

  @Property(tries = TRIES)
  void aNodeThatLeavesIsOutBeforeItIsGone(
      @ForAll long seed, @ForAll @IntRange(min = 0, max = 2) int which) {
    SimulatedCluster cluster = new SimulatedCluster(seed).losing(0);
    List<MemberId> ids = settled(cluster, 3);
    cluster.stop(ids.get(which));
    cluster.run(3_000);
    View held = cluster.keeper(ids.get((which + 1) % 3)).current();
    cluster.check(held != null && !held.contains(ids.get(which)), "still listed: " + held);
    assertFalse(cluster.lives(ids.get(which)));
    assertEquals(2, cluster.awaitOneView(QUIET_MILLIS).members().size());
  }

  @Property(tries = TRIES)
  void aNodeThatDiscoveryLosesForAWhileComesBack(
      @ForAll long seed, @ForAll @IntRange(min = 0, max = 3) int which) {
    SimulatedCluster cluster = new SimulatedCluster(seed);
    List<MemberId> ids = settled(cluster, 4);
    cluster.forgetFor(ids.get(which), 100 + (int) Math.floorMod(seed, 3_000L));
    cluster.run(3_500);
    assertEquals(4, cluster.awaitOneView(QUIET_MILLIS).members().size());
  }

  @Property(tries = TRIES)
  void whateverComesAndGoesOneViewRemains(@ForAll long seed) {
    SimulatedCluster cluster = new SimulatedCluster(seed).losing(20);
    Random dice = new Random(seed);
    settled(cluster, 3);
    int named = 3;
    for (int step = 0; step < 15; step++) {
      List<MemberId> alive = cluster.liveIds();
      MemberId one = alive.get(dice.nextInt(alive.size()));
      int what = dice.nextInt(alive.size() > 2 ? 4 : 2);
      switch (what) {
        case 0 -> cluster.start("n" + ++named);
        case 1 -> {
          Address peer = cluster.peerOf(one);
          cluster.kill(one);
          cluster.start(one.name(), 0, peer);
        }
        case 2 -> cluster.kill(one);
        default -> cluster.stop(one);
      }
      cluster.run(dice.nextInt(600));
    }
    cluster.run(1_000);
    cluster.awaitOneView(QUIET_MILLIS);
  }

  private static Lineage lineageOf(SimulatedCluster cluster, MemberId id) {
    View view = cluster.keeper(id).current();
    if (view == null) {
      throw cluster.failure(id + " holds no view");
    }
    return view.lineage();
  }
}
