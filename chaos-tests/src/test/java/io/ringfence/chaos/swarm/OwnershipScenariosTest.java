package io.ringfence.chaos.swarm;

import static io.ringfence.engine.Certainty.ASSUMED;
import static io.ringfence.engine.Certainty.EXACT;
import static io.ringfence.engine.Certainty.RECOVERED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.membership.Member;
import io.ringfence.membership.MemberState;
import io.ringfence.membership.View;
import io.ringfence.rules.Durability;
import io.ringfence.rules.FailurePolicy;
import io.ringfence.rules.OnPartition;
import io.ringfence.rules.OnStateLost;
import io.ringfence.rules.OnUnavailable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What becomes of counters when nodes come, go, stop and die: the rows of the guarantee table one
 * by one, and the schedules that break a careless version of the protocol, by their ids.
 */
class OwnershipScenariosTest {
  private static final int USED = 4;
  private static final int LEFT = Script.LIMIT - USED;

  private static void exactlyTheRest(Script script) {
    for (int key = 0; key < Script.KEYS; key++) {
      assertEquals(LEFT, script.left(key, EXACT), "k" + key + "\n" + script.story());
    }
  }

  @Test
  void aJoinInTheMiddleOfAWindowLosesNothing() {
    Script script = Script.of(2, 1);
    script.useOfEveryKey(USED);
    script.swarm.start(2);
    script.settles();
    exactlyTheRest(script);
    script.endsExactly();
  }

  @Test
  void aJoinUnderLoadIsExactToTheLast() {
    Script script = Script.of(2, 2);
    script.swarm.ledger.expectOwners(true);
    script.load(30);
    script.swarm.start(2);
    script.load(200);
    script.settles();
    script.endsExactly();
  }

  @Test
  void aDrainLosesNothing() {
    Script script = Script.of(3, 3);
    script.useOfEveryKey(USED);
    script.drain(script.node(1));
    script.settles();
    exactlyTheRest(script);
    script.endsExactly();
  }

  @Test
  void aDrainUnderLoadIsExactToTheLastAlsoAtTheNodeThatLeaves() {
    Script script = Script.of(3, 4);
    script.swarm.ledger.expectOwners(true);
    Node leaver = script.node(0);
    script.load(30);
    script.swarm.leave(leaver);
    script.load(200);
    script.await("it is out", () -> leaver.glue.isOut());
    script.load(30);
    script.pass(50);
    script.swarm.end(leaver);
    script.settles();
    script.endsExactly();
  }

  @Test
  void anotherWeightMovesSlotsAndLosesNothing() {
    Script script = Script.of(3, 51);
    script.useOfEveryKey(USED);
    Node heavier = script.node(1);
    int before = script.keysOf(heavier).size();
    script.swarm.weigh(heavier, 4);
    script.await("it is agreed", () -> script.weightOf(heavier) == 4);
    script.settles();
    assertTrue(script.keysOf(heavier).size() > before, "no key moves; take another seed");
    exactlyTheRest(script);
    script.endsExactly();
  }

  @Test
  void weightsThatChangeUnderLoadAreExactToTheLast() {
    Script script = Script.of(3, 52);
    script.swarm.ledger.expectOwners(true);
    script.load(30);
    script.swarm.weigh(script.node(0), 3);
    script.load(60);
    script.swarm.weigh(script.node(0), 1);
    script.swarm.weigh(script.node(2), 5);
    script.load(200);
    script.settles();
    assertEquals(1, script.weightOf(script.node(0)));
    assertEquals(5, script.weightOf(script.node(2)));
    script.endsExactly();
  }

  @Test
  void whoHasAnotherWeightLeavesAndItsSuccessorBeginsWithItsOwn() {
    Script script = Script.of(3, 53);
    script.useOfEveryKey(USED);
    script.swarm.weigh(script.node(2), 6);
    script.pass(10);
    script.drain(script.node(2));
    script.settles();
    script.swarm.start(2);
    script.settles();
    assertEquals(1, script.weightOf(script.node(2)));
    exactlyTheRest(script);
    script.endsExactly();
  }

  @Test
  void anOwnerKilledWhileSlotsMoveToAnotherWeightIsRecovered() {
    for (int millis : new int[] {60, 70, 80, 100}) {
      Script script = Script.of(3, 54);
      script.useOfEveryKey(USED);
      script.pass(200);
      script.swarm.weigh(script.node(1), 4);
      script.pass(millis);
      script.swarm.crash(script.node(0));
      script.settles();
      assertEquals(4, script.weightOf(script.node(1)));
      for (int key = 0; key < Script.KEYS; key++) {
        assertEquals(LEFT, script.left(key, EXACT, RECOVERED), "k" + key + "\n" + script.story());
      }
      script.ends();
    }
  }

  @Test
  void aRollingRestartOfThreeLosesNothing() {
    Script script = Script.of(3, 5);
    script.useOfEveryKey(USED);
    for (int host = 0; host < 3; host++) {
      script.drain(script.node(host));
      script.pass(100);
      script.swarm.start(host);
      script.settles();
    }
    exactlyTheRest(script);
    script.endsExactly();
  }

  @Test
  void aKilledOwnersCountersAreRecoveredFromItsBackup() {
    Script script = Script.of(3, 6);
    script.useOfEveryKey(USED);
    script.pass(200);
    Node owner = script.ownerOf(0);
    Set<Integer> itsKeys = new HashSet<>(script.keysOf(owner));
    script.swarm.crash(owner);
    script.settles();
    for (int key = 0; key < Script.KEYS; key++) {
      int left =
          itsKeys.contains(key) ? script.left(key, RECOVERED) : script.left(key, EXACT, RECOVERED);
      assertEquals(LEFT, left, "k" + key + "\n" + script.story());
    }
    script.ends();
  }

  @Test
  void E3_theBackupDecidesForAKilledOwnersKeysBeforeTheNextView() {
    Script script = Script.of(3, 61);
    script.useOfEveryKey(USED);
    script.pass(200);
    Node owner = script.ownerOf(0);
    Set<Integer> itsKeys = new HashSet<>(script.keysOf(owner));
    View before = owner.view();
    script.swarm.crash(owner);
    List<Asked> asked = new ArrayList<>();
    for (Node node : script.swarm.living()) {
      itsKeys.forEach(key -> asked.add(script.swarm.ask(node, key, 1)));
    }
    script.await("all are answered", () -> asked.stream().allMatch(Asked::isAnswered));
    for (Node node : script.swarm.living()) {
      assertEquals(before, node.view(), script.story());
    }
    for (Asked one : asked) {
      assertTrue(one.isAllowed() && one.isByOwner(), () -> one + "\n" + script.story());
      assertEquals(RECOVERED, Script.certainty(one), script.story());
    }
    script.settles();
    for (int key : itsKeys) {
      assertEquals(LEFT - 2, script.left(key, RECOVERED), "k" + key + "\n" + script.story());
    }
    script.endsExactly();
  }

  @Test
  void E3_aChargeThatWaitsForTheCopyOfADeadMemberWaitsNoLonger() {
    FailurePolicy sync = policy(Durability.SYNC);
    Script script = Script.of(3, 62, sync);
    Node owner = script.ownerOf(0);
    Node backup = script.backupOf(0);
    View before = owner.view();
    script.swarm.crash(backup);
    script.pass(50);
    Asked asked = script.ask(owner, 0);
    assertTrue(asked.isAllowed() && asked.isByOwner(), () -> asked + "\n" + script.story());
    assertEquals(before, owner.view(), script.story());
    script.endsExactly();
  }

  @Test
  void anOwnerThenItsBackupKilledAfterItSettledLoseNothing() {
    Script script = Script.of(4, 7);
    script.useOfEveryKey(USED);
    script.pass(200);
    script.swarm.crash(script.ownerOf(0));
    script.settles();
    script.swarm.crash(script.ownerOf(0)); // the former backup
    script.settles();
    assertEquals(LEFT, script.left(0, RECOVERED), script.story());
    script.ends();
  }

  @Test
  void ownerAndBackupKilledAtOnceAreAssumedAndNeverSaidToBeExact() {
    Script script = Script.of(4, 8);
    script.useOfEveryKey(USED);
    script.pass(200);
    Node owner = script.ownerOf(0);
    Node backup = script.backupOf(0);
    script.swarm.crash(owner);
    script.swarm.crash(backup);
    script.settles();
    int left = script.left(0, ASSUMED);
    assertTrue(left <= Script.LIMIT, script.story());
    script.ends();
  }

  @Test
  void anOwnerThatIsFrozenForThreeSecondsIsReplacedAndJoinsAgain() {
    Script script = Script.of(3, 9);
    script.useOfEveryKey(USED);
    script.pass(200);
    Node owner = script.ownerOf(0);
    script.swarm.freeze(owner);
    script.load(1_000);
    script.await("another owns the key", () -> ownerChanged(script, owner));
    script.pass(1_500);
    script.swarm.thaw(owner);
    script.load(100);
    script.settles();
    assertEquals(3, script.swarm.living().size());
    script.ends();
  }

  private static boolean ownerChanged(Script script, Node before) {
    return script.swarm.living().stream()
        .filter(node -> node != before)
        .allMatch(
            node -> {
              String owner = node.engine.place(Setup.request(0)).owner();
              return owner != null && !before.id.name().equals(owner) && node.mayDecide();
            });
  }

  @Test
  void twoOfThreeGoOnWithoutTheThirdThatIsCutOffAndComesBack() {
    Script script = Script.of(3, 10);
    script.useOfEveryKey(USED);
    script.pass(200);
    for (int host = 0; host < 2; host++) {
      script.swarm.cut(host, 2);
      script.swarm.cut(2, host);
    }
    script.load(2_500);
    assertTrue(script.node(0).mayDecide() && script.node(1).mayDecide(), script.story());
    assertTrue(!script.node(2).mayDecide(), script.story());
    for (int host = 0; host < 2; host++) {
      script.swarm.heal(host, 2);
      script.swarm.heal(2, host);
    }
    script.settles();
    script.ends();
  }

  @Test
  void allRestartedAtOnceWithoutADataDirectoryBeginAnew() {
    Script script = Script.of(3, 11);
    script.useOfEveryKey(USED);
    for (int host = 0; host < 3; host++) {
      script.swarm.crash(script.node(host));
    }
    script.pass(500);
    for (int host = 0; host < 3; host++) {
      script.swarm.start(host);
      script.pass(20);
    }
    script.settles();
    for (int key = 0; key < Script.KEYS; key++) {
      assertTrue(script.left(key, EXACT) <= Script.LIMIT, script.story());
    }
    script.ends();
  }

  @Test
  void A3_slotsThatMoveTwiceKeepWhatIsUsed() {
    Script script = Script.of(1, 12);
    script.useOfEveryKey(USED);
    Map<Integer, Set<Node>> owners = new HashMap<>();
    for (int host = 1; host < 5; host++) {
      script.swarm.start(host);
      script.settles();
      for (int key = 0; key < Script.KEYS; key++) {
        owners.computeIfAbsent(key, unused -> new HashSet<>()).add(script.ownerOf(key));
      }
    }
    assertTrue(owners.values().stream().anyMatch(all -> all.size() >= 3), "take another seed");
    exactlyTheRest(script);
    script.endsExactly();
  }

  @Test
  void A5_aJoinerThatDiesHalfWayTakesNothingWithIt() {
    for (long seed = 20; seed < 30; seed++) {
      Script script = Script.of(2, seed);
      script.useOfEveryKey(USED);
      script.pass(200);
      Node joiner = script.swarm.start(2);
      int held = (int) (seed - 20);
      script.await(
          "it holds some slots, or is in",
          () -> Long.bitCount(joiner.slotsHeld) > held || isActive(joiner));
      script.swarm.crash(joiner);
      script.settles();
      for (int key = 0; key < Script.KEYS; key++) {
        assertEquals(LEFT, script.left(key, EXACT, RECOVERED), script.story());
      }
      script.ends();
    }
  }

  @Test
  void A5_anOwnerThatDiesWhileAnotherJoinsIsRecovered() {
    for (long seed = 30; seed < 40; seed++) {
      Script script = Script.of(2, seed);
      script.useOfEveryKey(USED);
      script.pass(200);
      Node joiner = script.swarm.start(2);
      int held = (int) (seed - 30);
      script.await(
          "the joiner holds some slots, or is in",
          () -> Long.bitCount(joiner.slotsHeld) > held || isActive(joiner));
      script.swarm.crash(script.node(0));
      script.settles();
      for (int key = 0; key < Script.KEYS; key++) {
        assertEquals(LEFT, script.left(key, EXACT, RECOVERED), script.story());
      }
      script.ends();
    }
  }

  @Test
  void whatIsChargedWhileSlotsArePassedIsNotLostWithTheirNextOwner() {
    for (long seed = 60; seed < 75; seed++) {
      Script script = Script.of(2, seed, policy(Durability.SYNC));
      Node joiner = script.swarm.start(2);
      script.await("the joiner holds a lease", joiner::mayDecide);
      int held = (int) (seed - 60);
      for (int i = 0; i < 1_000 && Long.bitCount(joiner.slotsHeld) <= held; i++) {
        script.swarm.ask(script.node(i % 2), i % Script.KEYS, 1);
        script.swarm.pass(Script.MILLI / 10);
      }
      script.swarm.crash(joiner);
      script.settles();
      script.ends();
    }
  }

  private static boolean isActive(Node node) {
    View view = node.view();
    Member listed = view == null ? null : view.member(node.id);
    return listed != null && listed.state() == MemberState.ACTIVE;
  }

  @Test
  void A10_aNodeThatIsBackUnderItsNameBeforeItsRemovalDecidesNothingFromZero() {
    Script script = Script.of(3, 13);
    script.useOfEveryKey(USED);
    script.pass(200);
    Node before = script.ownerOf(0);
    script.swarm.crash(before);
    Node after = script.swarm.start(before.host);
    assertNotSame(before, after);
    script.settles();
    for (int key = 0; key < Script.KEYS; key++) {
      assertEquals(LEFT, script.left(key, EXACT, RECOVERED), script.story());
    }
    script.ends();
  }

  @Test
  void B15_aDrainThatIsCutShortIsAsAKill() {
    for (long seed = 40; seed < 50; seed++) {
      Script script = Script.of(3, seed);
      script.useOfEveryKey(USED);
      script.pass(200);
      Node leaver = script.node(1);
      int before = Long.bitCount(leaver.slotsHeld);
      int fewer = (int) (seed - 40);
      script.swarm.leave(leaver);
      script.await(
          "it holds fewer slots, or is out",
          () -> Long.bitCount(leaver.slotsHeld) < before - fewer || leaver.glue.isOut());
      script.swarm.crash(leaver);
      script.settles();
      for (int key = 0; key < Script.KEYS; key++) {
        assertEquals(LEFT, script.left(key, EXACT, RECOVERED), script.story());
      }
      script.ends();
    }
  }

  @Test
  void B15_theOnlyMemberThatDrainsDecidesToItsEnd() {
    Script script = Script.of(1, 14);
    script.useOfEveryKey(USED);
    script.swarm.leave(script.node(0));
    script.pass(3_000);
    exactlyTheRest(script);
  }

  @Test
  void B15_whereAllWhoAreLeftDrainANewcomerStillGetsIn() {
    Script script = Script.of(3, 16);
    script.useOfEveryKey(USED);
    script.pass(200);
    Node one = script.node(0);
    Node other = script.node(1);
    script.swarm.leave(one);
    script.swarm.leave(other);
    script.await("both drain", () -> isDraining(one) && isDraining(other));
    script.swarm.crash(script.node(2));
    script.swarm.start(3);
    script.await("both are out", () -> one.glue.isOut() && other.glue.isOut());
    script.swarm.end(one);
    script.swarm.end(other);
    script.settles();
    script.ends();
  }

  private static boolean isDraining(Node node) {
    View view = node.view();
    Member listed = view == null ? null : view.member(node.id);
    return listed != null && listed.state() == MemberState.DRAINING;
  }

  @Test
  void countersThatAreNotCopiedAreHandedOverAllTheSame() {
    int bothAtOnce = 0;
    for (int delayMillis = 30; delayMillis < 130; delayMillis += 10) {
      Script script = Script.of(3, delayMillis, policy(Durability.NONE));
      script.useOfEveryKey(USED);
      Node leaver = script.node(1);
      Node joiner = script.swarm.start(3);
      script.pass(delayMillis);
      script.swarm.leave(leaver);
      script.await("it drains", () -> isDraining(leaver));
      View view = leaver.view();
      bothAtOnce += view != null && view.contains(joiner.id) ? 1 : 0;
      script.await("it is out", () -> leaver.glue.isOut());
      script.swarm.end(leaver);
      script.settles();
      exactlyTheRest(script);
      script.endsExactly();
    }
    assertTrue(bothAtOnce > 0, "one joins and one leaves in one view");
  }

  @Test
  void aSynchronousChargeRightAfterASlotWasPassedIsNotLostThoughTheLinkToItsBackupIsDown() {
    for (int links = 0; links < 6; links++) {
      int from = links % 3;
      int to = (from + 1 + links / 3) % 3;
      Script script = Script.of(3, 18, policy(Durability.SYNC));
      Node leaver = script.node(3 - from - to);
      script.swarm.cut(from, to);
      script.swarm.leave(leaver);
      script.await("slots move", () -> ClusterState.of(script.swarm) == ClusterState.HALF_WAY);
      script.pass(50);
      script.load(60);
      script.swarm.crash(script.node(from));
      script.swarm.heal(from, to);
      script.await("it is out", () -> leaver.glue.isOut());
      script.swarm.end(leaver);
      script.ends();
    }
  }

  /**
   * A joiner becomes a backup with the settled view. An owner that it cannot be reached from waits
   * for its copy all the same once that was full, and not for the backup before, which forgets.
   */
  @Test
  void E2_aSynchronousChargeIsNotLostWithTheBackupBeforeThatForgetsIt() {
    for (int trial = 0; trial < 12; trial++) {
      Script script = Script.of(3, 19 + trial / 3, policy(Durability.SYNC));
      script.useOfEveryKey(USED);
      Node owner = script.node(trial % 3);
      Node joiner = script.swarm.start(3);
      script.await("all are done", () -> allDoneIn(script, 4));
      script.pass(30);
      cutAllBut(script, owner.host, (owner.host + 1) % 3, true);
      for (int i = 0; i < 600 && !isSettledIn(joiner.view()); i++) {
        script.swarm.ask(owner, i % Script.KEYS, 1);
        script.swarm.pass(250_000L);
      }
      assertTrue(isSettledIn(joiner.view()), script.story());
      script.swarm.crash(owner);
      cutAllBut(script, owner.host, (owner.host + 1) % 3, false);
      script.ends();
    }
  }

  private static boolean isSettledIn(@Nullable View view) {
    return view != null && view.settled() && view.members().size() == 4;
  }

  private static void cutAllBut(Script script, int host, int other, boolean cut) {
    for (int each = 0; each < 4; each++) {
      if (each != host && each != other && cut) {
        script.swarm.cut(host, each);
        script.swarm.cut(each, host);
      } else if (each != host && each != other) {
        script.swarm.heal(host, each);
        script.swarm.heal(each, host);
      }
    }
  }

  private static boolean allDoneIn(Script script, int members) {
    return script.swarm.living().stream()
        .allMatch(
            node -> {
              View view = node.view();
              return view != null
                  && view.members().size() == members
                  && node.engine.isDone(view.stamp());
            });
  }

  private static FailurePolicy policy(Durability durability) {
    return new FailurePolicy(
        OnUnavailable.LOCAL, 200_000, null, OnPartition.SHARE, durability, OnStateLost.FRESH);
  }

  @Test
  void B20_aViewThatOnlyAJoinerHeardOfGivesWayToTheSurvivors() {
    Script script = Script.of(2, 15);
    script.useOfEveryKey(USED);
    script.pass(200);
    Node senior = script.node(0);
    Node joiner = script.swarm.start(2);
    script.await("the joiner holds a lease", () -> joiner.view() != null && joiner.mayDecide());
    long epoch = joiner.engine.epoch();
    script.swarm.cut(0, 1);
    script.swarm.cut(1, 0);
    script.await(
        "the joiner holds the next view, or it is too late",
        () -> joiner.engine.epoch() > epoch || !script.node(1).mayDecide());
    script.swarm.crash(senior);
    script.swarm.heal(0, 1);
    script.swarm.heal(1, 0);
    script.settles();
    assertEquals(2, script.swarm.living().size());
    script.ends();
  }

  private static void cutLink(Script script, int one, int other) {
    script.swarm.cut(one, other);
    script.swarm.cut(other, one);
    script.await(
        "both know that their link is gone",
        () -> script.node(one).relay.detours() == 1 && script.node(other).relay.detours() == 1);
  }

  private static void healLink(Script script, int one, int other) {
    script.swarm.heal(one, other);
    script.swarm.heal(other, one);
    script.await(
        "they are linked again",
        () -> script.swarm.living().stream().allMatch(node -> node.relay.detours() == 0));
  }

  @Test
  void B10_acrossALinkThatIsDownChecksAreExactByAThird() {
    Script script = Script.of(3, 61);
    script.useOfEveryKey(USED);
    View before = script.node(0).view();
    cutLink(script, 0, 1);
    script.pass(3_000);
    assertEquals(before, script.node(0).view(), "nobody is away");
    exactlyTheRest(script);
    assertTrue(script.node(2).relay.handedOn() > 0, "nothing was handed on");
    healLink(script, 0, 1);
    script.endsExactly();
  }

  @Test
  void B10_slotsAndCopiesMoveAroundALinkThatIsDown() {
    Script script = Script.of(3, 62);
    script.useOfEveryKey(USED);
    cutLink(script, 0, 1);
    script.swarm.weigh(script.node(1), 3);
    script.await("the weight counts", () -> script.weightOf(script.node(1)) == 3);
    script.settles();
    script.swarm.weigh(script.node(1), 1);
    script.await("it counts again", () -> script.weightOf(script.node(1)) == 1);
    script.settles();
    exactlyTheRest(script);
    healLink(script, 0, 1);
    script.endsExactly();
  }

  @Test
  void B10_aDrainAndAJoinGoAroundALinkThatIsDown() {
    Script script = Script.of(4, 63);
    script.useOfEveryKey(USED);
    cutLink(script, 0, 1);
    script.drain(script.node(2));
    script.settles();
    script.swarm.start(4);
    script.settles();
    exactlyTheRest(script);
    healLink(script, 0, 1);
    script.endsExactly();
  }

  @Test
  void B10_theThirdDiesAndAnotherHandsOn() {
    Script script = Script.of(4, 64);
    script.useOfEveryKey(USED);
    cutLink(script, 0, 1);
    script.pass(500);
    Node third = script.node(2).relay.handedOn() > 0 ? script.node(2) : script.node(3);
    script.swarm.crash(third);
    script.settles();
    for (int key = 0; key < Script.KEYS; key++) {
      assertEquals(LEFT, script.left(key, EXACT, RECOVERED), "k" + key + "\n" + script.story());
    }
    healLink(script, 0, 1);
    script.ends();
  }

  @Test
  void B10_loadOverALinkThatComesAndGoesCountsNothingTwice() {
    for (long seed = 70; seed < 74; seed++) {
      Script script = Script.of(3, seed);
      for (int times = 0; times < 4; times++) {
        script.load(20);
        cutLink(script, 0, 1);
        script.load(20);
        healLink(script, 0, 1);
      }
      script.settles();
      script.ends();
    }
  }
}
