package io.ringfence.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What one keeper does about introductions, proofs, losses, views and words. */
class ViewKeeperTest extends OneKeeper {
  @Test
  void aNodeOnItsOwnStartsAtTheFirstTickAndHoldsALease() {
    ViewKeeper keeper = keeper(A);
    tick(keeper, 1);
    expect();
    assertFalse(keeper.lease().isHeldAt(MILLI));
    new FixedIntroductions(List.of(new Candidate(A.id(), A.peer()))).start(keeper::candidates);
    tick(keeper, 2);
    expect("install 1 a");
    assertTrue(held(keeper).settled());
    assertEquals(new Lineage(1, 500), held(keeper).lineage());
    assertEquals(502 * MILLI, keeper.lease().heldUntilNanos());
    run(keeper, 10, 5_000);
    assertTrue(keeper.lease().isHeldAt(5_000 * MILLI));
    assertEquals(0, keeper.lease().lapses());
  }

  @Test
  void whoIsPromotedLeavesItsViewForALineageOfItsOwn() {
    ViewKeeper c = keeper(C);
    assertEquals("it is in no view; it starts a lineage or joins one by itself", c.promote());

    ViewKeeper cutOff = holding(C, A, B, C);
    run(cutOff, 10, 1_000);
    done.clear();
    assertNull(cutOff.promote());
    expect("install 1 c");
    run(cutOff, 1_010, 1_020);
    assertTrue(cutOff.lease().isHeldAt(1_020 * MILLI));
    assertEquals("it holds a lease: its side of the cluster goes on already", cutOff.promote());
    cutOff.leave();
    assertEquals("it is leaving its cluster", cutOff.promote());
  }

  @Test
  void theFirstIntroducedStartsAndTheOthersWait() {
    ViewKeeper second = keeper(B);
    introduce(second, A, B);
    second.authenticated(A, null);
    run(second, 10, 20_000);
    expect();

    ViewKeeper first = keeper(A);
    introduce(first, A, B);
    first.authenticated(B, null);
    run(first, 10, 70);
    expect("install 1 a", "install 2 a,b-JOINING", "publish 2 to b");
  }

  @Test
  void whoJoinsBecomesActiveOnceAllHaveSaidThatTheyAreDone() {
    ViewKeeper first = keeper(A);
    introduce(first, A, B);
    first.authenticated(B, null);
    run(first, 10, 70);
    View joining = held(first);
    done.clear();
    report(first);
    first.heard(B.id(), ping(joining, true));
    run(first, 80, 300);
    expect();
    first.heard(B.id(), doneWith(joining, true, 1));
    run(first, 310, 360);
    expect("propose to b", "accepted to b", "install 3 a,b", "publish 3 to b");
    assertTrue(held(first).settled());
  }

  @Test
  void whoJoinsDoesNotCallItselfDoneBeforeItHoldsALease() {
    ViewKeeper joining = keeper(B);
    introduce(joining, A, B);
    joining.authenticated(A, null);
    List<Member> members =
        List.of(A.as(MemberState.ACTIVE, true), B.as(MemberState.JOINING, false));
    View view = new View(LINEAGE, ViewName.proposed(2, 0, A.id()), members, false);
    joining.received(A.id(), view);
    report(joining);
    run(joining, 10, 700);
    assertEquals(new BitSet(), lastPing().done());
    joining.heard(A.id(), new ViewWord.Pong(view.stamp(), true, 700 * MILLI));
    run(joining, 710, 820);
    assertEquals(doneWith(view, true, 1).done(), lastPing().done());
  }

  @Test
  void anyLineageFoundIsJoinedAndNoneStarted() {
    ViewKeeper keeper = keeper(A);
    introduce(keeper, A, B);
    keeper.authenticated(B, view(LINEAGE, 9, B));
    run(keeper, 10, 20_000);
    expect();
    keeper.received(B.id(), view(LINEAGE, 10, B, A));
    expect("install 10 b,a");
  }

  @Test
  void whoGaveUpAViewWaitsBeforeItStartsALineageOfItsOwn() {
    ViewKeeper keeper = holding(A, A, B);
    keeper.received(B.id(), view(LINEAGE, 6, B));
    expect("drop 5");
    keeper.heard(B.id(), ping(null, false));
    run(keeper, 1_000, 3_990);
    expect();
    tick(keeper, 4_000);
    expect("install 1 a");
  }

  @Test
  void whoHasSeenAViewStartsNoLineageWhileACandidateIsSilent() {
    ViewKeeper keeper = holding(A, A, B);
    keeper.received(B.id(), view(LINEAGE, 6, B));
    keeper.unreachable(B.id());
    run(keeper, 10, 60_000);
    expect("drop 5");
    keeper.died(B.id());
    tick(keeper, 60_010);
    expect("install 1 a");
  }

  @Test
  void aRefusedStrangerDelaysNothingAndAMuteOneOnlyForItsPatience() {
    ViewKeeper refusing = keeper(B);
    introduce(refusing, A, B);
    tick(refusing, 1);
    refusing.refused(A.id());
    tick(refusing, 2);
    expect("install 1 b");

    ViewKeeper waiting = keeper(B);
    introduce(waiting, A, B);
    run(waiting, 0, 2_990);
    expect();
    tick(waiting, 3_000);
    expect("install 1 b");
  }

  @Test
  void strangersThatKeepTurningUpDelayTheStartByTwicePatienceAtMost() {
    ViewKeeper keeper = keeper(B);
    for (int i = 0; i < 12; i++) {
      introduce(keeper, node("x", i), B);
      run(keeper, i * 500L, i * 500L + 490);
    }
    expect();
    introduce(keeper, node("x", 12), B);
    tick(keeper, 6_000);
    expect("install 1 b");
  }

  @Test
  void changesThatComeTogetherMakeOneView() {
    ViewKeeper keeper = holding(A, A, B);
    run(keeper, 10, 600);
    Introduction d = node("d", 4);
    introduce(keeper, A, B, C, d);
    keeper.authenticated(C, null);
    tick(keeper, 610);
    keeper.authenticated(d, null);
    keeper.left(B.id());
    run(keeper, 620, 650);
    expect();
    tick(keeper, 660);
    expect(
        "propose to b",
        "accepted to b",
        "install 6 a,b-DRAINING,c-JOINING,d-JOINING",
        "publish 6 to b,c,d");
  }

  @Test
  void B05_nobodyIsAddedWhileALeaseFromBeforeMayRun() {
    ViewKeeper keeper = holding(A, A, B);
    introduce(keeper, A, B, C);
    keeper.authenticated(C, null);
    run(keeper, 10, 540);
    expect();
    run(keeper, 550, 610);
    assertTrue(held(keeper).contains(C.id()));
  }

  @Test
  void discoveryRemovesNobody() {
    ViewKeeper keeper = holding(A, A, B);
    introduce(keeper, A);
    for (long at = 0; at < 20_000; at += 100) {
      keeper.heard(B.id(), ping(held(keeper), true));
      run(keeper, at, at + 90);
    }
    expect();
  }

  @Test
  void silenceSetsAwayWhereAQuorumDoesNotHearAndLossOfAConnectionProvesNothing() {
    ViewKeeper keeper = holding(A, A, B);
    keeper.unreachable(B.id());
    run(keeper, 10, 1_040);
    expect();
    run(keeper, 1_050, 1_060);
    expect("propose to b", "accepted to b", "install 6 a,b-AWAY", "publish 6 to b");
  }

  @Test
  void aVoterThatOthersHearIsNotSetAway() {
    ViewKeeper keeper = holding(A, A, B, C);
    for (long at = 0; at < 5_000; at += 100) {
      keeper.heard(C.id(), ping(held(keeper), true));
      run(keeper, at, at + 90);
    }
    expect();
    keeper.heard(C.id(), ping(held(keeper), true, 1));
    run(keeper, 5_000, 5_050);
    expect("propose to b,c", "accepted to b,c");
  }

  @Test
  void theNextVoterActsOnProofAndStandsAboveWhomItStandsInFor() {
    ViewKeeper keeper = holding(B, A, B);
    lease(keeper, A, 0);
    keeper.died(A.id());
    run(keeper, 10, 60);
    expect("a died in 5", "propose to a", "accepted to a", "install 6 b", "publish 6 to a");
    assertTrue(held(keeper).name().isAfter(ViewName.proposed(6, 0, A.id())));
    tick(keeper, 70);
    assertTrue(keeper.lease().isHeldAt(70 * MILLI));
  }

  @Test
  void whoIsDeadDiedInTheViewHeldOnceAQuorumHasSaidAfterwardsThatItHoldsNoLaterOne() {
    ViewKeeper keeper = holding(B, A, B, C);
    run(keeper, 0, 100);
    keeper.heard(A.id(), pong(keeper, true, 100));
    lease(keeper, C, 100);
    keeper.died(A.id());
    keeper.heard(C.id(), pong(keeper, true, 700));
    tick(keeper, 701);
    expect();
    assertEquals(701 * MILLI, lastPing().token());
    keeper.heard(C.id(), pong(keeper, false, 701));
    tick(keeper, 702);
    expect();
    keeper.heard(C.id(), pong(keeper, true, 701));
    expect("a died in 5");
    tick(keeper, 703);
    expect();
  }

  private static ViewWord.Pong pong(ViewKeeper keeper, boolean granted, long pingedAtMillis) {
    return new ViewWord.Pong(held(keeper).stamp(), granted, pingedAtMillis * MILLI);
  }

  @Test
  void A06_aNodeThatWakesUpAloneMakesNoViews() {
    ViewKeeper senior = holding(A, A, B, C);
    introduce(senior, A);
    run(senior, 10, 20_000);
    assertEquals(5, held(senior).epoch());
    assertFalse(senior.lease().isHeldAt(20_000 * MILLI));
  }

  @Test
  void B15_aLapsedSurvivorStartsANewLineageAfterFiveSeconds() {
    ViewKeeper keeper = holding(B, A, B);
    run(keeper, 10, 1_000);
    keeper.died(A.id());
    run(keeper, 1_010, 6_000);
    assertEquals(5, held(keeper).epoch(), "asked in vain: " + done);
    done.clear();
    tick(keeper, 6_010);
    done.removeIf(deed -> deed.startsWith("prepare"));
    expect("install 1 b");
    assertEquals(new Lineage(1, 500), held(keeper).lineage());
  }

  @Test
  void B15_whereAVoterMayLiveElsewhereNobodyStartsALineage() {
    ViewKeeper keeper = holding(B, A, B, C);
    keeper.died(A.id());
    run(keeper, 10, 60_000);
    assertEquals(5, held(keeper).epoch());
  }

  @Test
  void A10_aNewIncarnationAtTheSameAddressReplacesTheOld() {
    ViewKeeper keeper = holding(A, A, B);
    run(keeper, 10, 600);
    Introduction reborn = node("b", 22);
    introduce(keeper, A, B, reborn);
    keeper.authenticated(reborn, null);
    run(keeper, 610, 740);
    assertEquals("a", brief(held(keeper)));
    report(keeper);
    run(keeper, 750, 880);
    assertTrue(held(keeper).contains(reborn.id()));
    assertFalse(held(keeper).contains(B.id()));
    assertEquals("a,b-JOINING", brief(held(keeper)));
  }

  @Test
  void A10_aSecondLiveProcessOfOneNameIsRefusedUntilTheFirstIsAwayOrDead() {
    ViewKeeper keeper = holding(A, A, B);
    Introduction twin =
        new Introduction(new MemberId("b", 22), new Address("10.0.0.9", 7_101), B.http(), 1);
    introduce(keeper, A, B, twin);
    keeper.authenticated(twin, null);
    for (long at = 0; at < 5_000; at += 100) {
      keeper.heard(B.id(), ping(held(keeper), true));
      run(keeper, at, at + 90);
    }
    expect();
    run(keeper, 5_000, 6_500);
    report(keeper);
    keeper.heard(twin.id(), ping(null, false));
    run(keeper, 6_510, 6_800);
    assertTrue(held(keeper).contains(twin.id()), () -> done + " " + held(keeper));
    assertFalse(held(keeper).contains(B.id()));
  }

  @Test
  void aStrangerIsNeverAdmitted() {
    ViewKeeper keeper = keeper(A);
    introduce(keeper, A, C);
    keeper.refused(C.id());
    tick(keeper, 10);
    expect("install 1 a");
    keeper.heard(C.id(), ping(view(LINEAGE, 99, C, A), false));
    keeper.received(C.id(), view(LINEAGE, 99, C, A));
    run(keeper, 20, 20_000);
    expect();
  }

  @Test
  void anImpostorOfAProvenNodeChangesNothing() {
    ViewKeeper keeper = keeper(A);
    introduce(keeper, A);
    run(keeper, 10, 600);
    done.clear();
    keeper.candidates(
        List.of(
            new Candidate(A.id(), A.peer()),
            new Candidate(C.id(), new Address("10.6.6.6", 1)),
            new Candidate(C.id(), C.peer())));
    keeper.refused(C.id());
    run(keeper, 610, 700);
    expect();
    keeper.authenticated(C, null);
    keeper.refused(C.id());
    run(keeper, 710, 770);
    assertEquals("a,c-JOINING", brief(held(keeper)));
    assertEquals(C.peer(), held(keeper).members().get(1).peer());
  }

  @Test
  void aNewWeightComesWithTheNextView() {
    ViewKeeper keeper = holding(A, A, B);
    run(keeper, 10, 600);
    keeper.heard(B.id(), weighing(held(keeper), 7));
    run(keeper, 610, 670);
    Member weighed = held(keeper).members().get(1);
    assertEquals(List.of(7, 1), List.of(weighed.weight(), weighed.baseWeight()));
    assertFalse(held(keeper).settled());
  }

  private static ViewWord.Ping weighing(View view, int weight) {
    return new ViewWord.Ping(
        view.stamp(), true, 500 * MILLI, 1, new BitSet(), new BitSet(), weight);
  }

  @Test
  void onlyALaterViewIsTaken() {
    ViewKeeper keeper = holding(B, A, B, C);
    keeper.received(A.id(), view(LINEAGE, 4, A, B));
    keeper.received(A.id(), view(LINEAGE, 5, A, B, C));
    expect();
    keeper.received(A.id(), view(LINEAGE, 7, A, B));
    expect("install 7 a,b");
    assertEquals(0, keeper.conflictingViews());
    keeper.received(A.id(), view(LINEAGE, 7, A, B, C));
    expect();
    assertEquals(1, keeper.conflictingViews());
  }

  @Test
  void whoIsAbsentFromALaterViewDropsItsOwnAndIsNotTalkedBackIntoIt() {
    ViewKeeper keeper = holding(B, A, B, C);
    keeper.received(A.id(), view(LINEAGE, 6, A, C));
    expect("drop 5");
    assertNull(keeper.current());
    keeper.received(A.id(), view(LINEAGE, 5, A, B, C));
    expect();
    keeper.received(A.id(), view(LINEAGE, 7, A, C, B));
    expect("install 7 a,c,b");
  }

  @Test
  void whoIsSetAwayHoldsTheViewWithoutALease() {
    ViewKeeper keeper = holding(B, A, B);
    lease(keeper, A, 0);
    List<Member> members = List.of(A.as(MemberState.ACTIVE, true), B.as(MemberState.AWAY, false));
    View away = new View(LINEAGE, ViewName.proposed(6, 0, A.id()), members, true);
    keeper.received(A.id(), away);
    expect("install 6 a,b-AWAY");
    assertFalse(keeper.lease().isHeldAt(600 * MILLI));
    keeper.heard(A.id(), new ViewWord.Pong(away.stamp(), true, 600 * MILLI));
    run(keeper, 600, 620);
    assertFalse(keeper.lease().isHeldAt(620 * MILLI), "who is away has no lease");
  }

  @Test
  void aLineageThatGoesOnIsTakenByOneThatDoesNot() {
    ViewKeeper keeper = holding(B, A, B);
    View other = view(new Lineage(1, 101), 2, C);
    keeper.authenticated(C, other);
    run(keeper, 10, 20);
    expect();
    keeper.heard(C.id(), ping(other, true));
    expect("fetch from c");
    keeper.received(C.id(), other);
    expect("drop 5");
  }

  @Test
  void ofTwoLineagesThatGoOnTheLowerIdStays() {
    ViewKeeper keeper = holding(A, A, B);
    lease(keeper, B, 0);
    View loser = view(new Lineage(1, 101), 50, C);
    keeper.authenticated(C, loser);
    keeper.heard(C.id(), ping(loser, true));
    keeper.received(C.id(), loser);
    expect();
    View winner = view(new Lineage(1, 99), 2, C);
    keeper.heard(C.id(), ping(winner, true));
    keeper.received(C.id(), winner);
    expect("fetch from c", "drop 5");
  }

  @Test
  void aLaterNameIsNotBelievedButAsksForTheView() {
    ViewKeeper keeper = holding(B, A, B);
    tick(keeper, 10);
    View later = view(LINEAGE, 6, A, B, C);
    keeper.heard(A.id(), ping(later, true));
    keeper.heard(A.id(), ping(later, true));
    expect("fetch from a");
    run(keeper, 20, 210);
    keeper.heard(A.id(), ping(later, true));
    expect("fetch from a");
    assertEquals(5, held(keeper).epoch());
  }

  @Test
  void B20_aHigherBallotOfOnesOwnEpochIsAskedForAndAdopted() {
    ViewKeeper keeper = holding(C, A, B, C);
    List<Member> members = List.of(B.as(MemberState.ACTIVE, true), C.as(MemberState.ACTIVE, true));
    View higher = new View(LINEAGE, ViewName.proposed(5, 1, B.id()), members, true);
    keeper.heard(B.id(), ping(higher, true));
    expect("fetch from b");
    keeper.received(B.id(), higher);
    expect("install 5 b,c");
    keeper.received(A.id(), view(LINEAGE, 5, A, B, C));
    expect();
  }

  @Test
  void aVoterThatHasAcceptedALaterViewAnswersNoPing() {
    ViewKeeper keeper = holding(B, A, B, C);
    View base = held(keeper);
    keeper.heard(C.id(), ping(base, true));
    assertTrue(lastPong().granted());
    keeper.heard(A.id(), new ViewWord.Propose(base.stamp(), view(LINEAGE, 6, A, B)));
    expect("accepted to a,c");
    keeper.heard(C.id(), ping(base, true));
    assertFalse(lastPong().granted());
    assertEquals(base.stamp(), lastPong().view());
  }

  @Test
  void aVoterAnswersOnlyWhoIsPresentInItsViewWithALeaseNotLongerThanItsOwn() {
    ViewKeeper keeper = holding(B, A, B, C);
    View base = held(keeper);
    keeper.heard(A.id(), ping(view(LINEAGE, 4, A, B, C), true));
    assertFalse(lastPong().granted(), "another view");
    keeper.heard(
        A.id(),
        new ViewWord.Ping(base.stamp(), true, 501 * MILLI, 1, new BitSet(), new BitSet(), 1));
    assertFalse(lastPong().granted(), "a longer lease");
    keeper.heard(A.id(), ping(base, true));
    assertTrue(lastPong().granted());
    keeper.died(A.id());
    int before = said.size();
    keeper.heard(A.id(), ping(base, true));
    assertEquals(before, said.size(), "the dead are not answered");
  }

  @Test
  void noStandInIsPromisedAnythingWhileTheSeniorIsHeard() {
    ViewKeeper keeper = holding(C, A, B, C);
    View base = held(keeper);
    ViewWord prepare = new ViewWord.Prepare(base.stamp(), 1L << 32);
    keeper.heard(B.id(), prepare);
    expect();
    keeper.died(A.id());
    keeper.heard(B.id(), prepare);
    expect("promise to b");
  }

  @Test
  void leavingIsAnnouncedAgainAndAgainAndEndsTheView() {
    ViewKeeper keeper = holding(B, A, B, C);
    keeper.leave();
    keeper.leave();
    expect("leave to a,c");
    tick(keeper, 190);
    expect();
    tick(keeper, 200);
    expect("leave to a,c");
    keeper.received(A.id(), view(LINEAGE, 6, A, C));
    expect("drop 5");
    keeper.received(A.id(), view(LINEAGE, 7, A, C, B));
    expect();
    assertNull(keeper.current());
  }

  @Test
  void theLeaseEndsOnceTheNodeKnowsThatItIsOut() {
    ViewKeeper keeper = holding(B, A, B);
    lease(keeper, A, 10);
    List<Boolean> leased = new ArrayList<>();
    whenDropped = () -> leased.add(keeper.lease().isHeldAt(610 * MILLI));
    keeper.leave();
    keeper.received(A.id(), view(LINEAGE, 6, A));
    assertEquals(List.of(true), leased);
    assertFalse(keeper.lease().isHeldAt(610 * MILLI));
  }

  @Test
  void B15_theLastMemberPresentLeavesAtOnce() {
    ViewKeeper keeper = keeper(A);
    introduce(keeper, A);
    tick(keeper, 1);
    expect("install 1 a");
    keeper.leave();
    expect("drop 1");
    run(keeper, 10, 10_000);
    expect();
  }

  @Test
  void aDrainIsRefusedWhereNobodyWouldTakeTheSlots() {
    ViewKeeper alone = keeper(A);
    assertEquals("it is in no view", alone.drain());
    introduce(alone, A);
    tick(alone, 1);
    assertEquals("no other member is there to take its slots", alone.drain());
    run(alone, 10, 1_000);
    assertEquals(1, held(alone).epoch());
    assertTrue(alone.lease().isHeldAt(1_000 * MILLI));

    ViewKeeper one = holding(A, A, B);
    one.left(B.id());
    assertEquals("no other member is there to take its slots", one.drain());
    expect();
  }

  @Test
  void whoIsDrainedSaysThatItLeavesAndGoesByTheViewsOfTheOthers() {
    ViewKeeper keeper = holding(B, A, B, C);
    assertNull(keeper.drain());
    assertNull(keeper.drain());
    expect("leave to a,c");
    keeper.received(A.id(), view(LINEAGE, 6, A, C));
    expect("drop 5");
    keeper.received(A.id(), view(LINEAGE, 8, A, C));
    keeper.received(C.id(), view(LINEAGE, 7, A, C));
    expect("overhear 8");
    assertNull(keeper.current());
    assertNull(keeper.drain());

    View elsewhere = view(new Lineage(1, 7), 9, C);
    keeper.received(C.id(), elsewhere);
    expect();
    keeper.heard(C.id(), ping(elsewhere, true));
    keeper.received(C.id(), elsewhere);
    expect("fetch from c", "overhear 9");
  }

  @Test
  void aWeightIsSaidInPingsAndHeardInThem() {
    ViewKeeper keeper = holding(B, A, B, C);
    assertEquals(1, keeper.weightSaid(B.id()));
    assertEquals(0, keeper.weightSaid(A.id()));
    keeper.weigh(7);
    tick(keeper, 10);
    assertEquals(7, lastPing().weight());
    keeper.heard(A.id(), ping(held(keeper), true));
    assertEquals(1, keeper.weightSaid(A.id()));
    assertThrows(IllegalArgumentException.class, () -> keeper.weigh(0));
    assertThrows(IllegalArgumentException.class, () -> keeper.weigh(101));
    assertEquals(7, keeper.weightSaid(B.id()));
  }

  @Test
  void introductionsBeyondTheBoundAreIgnoredAndCounted() {
    ViewKeeper keeper = keeper(A);
    List<Candidate> crowd = new ArrayList<>();
    crowd.add(new Candidate(A.id(), A.peer()));
    for (int i = 0; i < Acquaintances.MAX_KNOWN + 7; i++) {
      crowd.add(new Candidate(new MemberId("x" + i, i), B.peer()));
    }
    keeper.candidates(crowd);
    assertEquals(7, keeper.ignoredIntroductions());

    introduce(keeper, A);
    tick(keeper, 3_001);
    introduce(keeper, A, B);
    keeper.authenticated(B, null);
    assertEquals(7, keeper.ignoredIntroductions(), "those that left made room");
  }

  @Test
  void C22_replacingANodeFiftyTimesLeavesNoTraceOfTheOld() {
    Acquaintances known = new Acquaintances(A.id());
    long second = 1_000_000_000L;
    for (int i = 0; i < 50; i++) {
      Introduction next = node("b", 100 + i);
      known.introduce(List.of(new Candidate(next.id(), next.peer())), i * second);
      known.prove(next, i * second);
      known.refresh(null, second / 2, (i + 1) * second);
    }
    assertEquals(1, known.size());
  }
}
