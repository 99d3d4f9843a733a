package io.ringfence.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One keeper, told step by step what happens. Times are milliseconds since its start. */
class ViewKeeperTest {
  private static final Introduction A = node("a", 1);
  private static final Introduction B = node("b", 2);
  private static final Introduction C = node("c", 3);
  private static final Lineage LINEAGE = new Lineage(1, 100);

  private final List<String> done = new ArrayList<>();

  private final ViewActions actions =
      new ViewActions() {
        @Override
        public void publish(View view, Collection<MemberId> to) {
          done.add("publish " + view.epoch() + " to " + names(to));
        }

        @Override
        public void fetch(MemberId from) {
          done.add("fetch from " + from.name());
        }

        @Override
        public void announceLeave(Collection<MemberId> to) {
          done.add("leave to " + names(to));
        }

        @Override
        public void installed(View view) {
          done.add(
              "install "
                  + view.epoch()
                  + " "
                  + names(view.members().stream().map(Member::id).toList()));
        }

        @Override
        public void dropped(View last, String reason) {
          done.add("drop " + last.epoch());
        }
      };

  private static Introduction node(String name, long incarnation) {
    int port = 7_000 + name.charAt(0);
    return new Introduction(
        new MemberId(name, incarnation),
        new Address("127.0.0.1", port),
        new Address("127.0.0.1", port + 1_000),
        1);
  }

  private static String names(Collection<MemberId> ids) {
    return String.join(",", ids.stream().map(MemberId::name).toList());
  }

  private ViewKeeper keeper(Introduction self) {
    return new ViewKeeper(self, ViewKeeperSettings.defaults(), actions, () -> 500, 0);
  }

  private static void introduce(ViewKeeper keeper, Introduction... nodes) {
    keeper.candidates(Stream.of(nodes).map(n -> new Candidate(n.id(), n.peer())).toList());
  }

  private static void tick(ViewKeeper keeper, long millis) {
    keeper.tick(millis * 1_000_000L);
  }

  private static View view(Lineage lineage, long epoch, Introduction... nodes) {
    List<Member> members = Stream.of(nodes).map(n -> n.as(MemberState.ACTIVE, true)).toList();
    return new View(lineage, ViewName.proposed(epoch, 0, nodes[0].id()), members, true);
  }

  /** A keeper of `self` that holds epoch 5 of all these, who have all proved themselves. */
  private ViewKeeper holding(Introduction self, Introduction... nodes) {
    ViewKeeper keeper = keeper(self);
    introduce(keeper, nodes);
    for (Introduction node : nodes) {
      keeper.authenticated(node, null);
    }
    keeper.received(view(LINEAGE, 5, nodes));
    if (nodes.length > 1) {
      assertEquals(5, held(keeper).epoch());
    }
    done.clear();
    return keeper;
  }

  private static View held(ViewKeeper keeper) {
    View view = keeper.current();
    assertNotNull(view);
    return view;
  }

  private void expect(String... expected) {
    assertEquals(List.of(expected), done);
    done.clear();
  }

  @Test
  void aNodeOnItsOwnStartsAtTheFirstTick() {
    ViewKeeper keeper = keeper(A);
    tick(keeper, 1);
    expect();
    new FixedIntroductions(List.of(new Candidate(A.id(), A.peer()))).start(keeper::candidates);
    tick(keeper, 2);
    expect("install 1 a");
    assertTrue(held(keeper).settled());
    assertEquals(new Lineage(1, 500), held(keeper).lineage());
  }

  @Test
  void theFirstIntroducedStartsAndTheOthersWait() {
    ViewKeeper second = keeper(B);
    introduce(second, A, B);
    second.authenticated(A, null);
    tick(second, 60_000);
    expect();

    ViewKeeper first = keeper(A);
    introduce(first, A, B);
    first.authenticated(B, null);
    tick(first, 10);
    tick(first, 20);
    tick(first, 70);
    expect("install 1 a", "install 2 a,b", "publish 2 to b");
  }

  @Test
  void anyLineageFoundIsJoinedAndNoneStarted() {
    ViewKeeper keeper = keeper(A);
    introduce(keeper, A, B);
    keeper.authenticated(B, view(LINEAGE, 9, B));
    tick(keeper, 60_000);
    expect();
    keeper.received(view(LINEAGE, 10, B, A));
    expect("install 10 b,a");
  }

  @Test
  void aLineageCountsAlsoWhereItsHolderIsNotIntroducedYet() {
    ViewKeeper keeper = keeper(A);
    introduce(keeper, A);
    keeper.authenticated(B, view(LINEAGE, 9, B));
    tick(keeper, 60_000);
    expect();
  }

  @Test
  void whoGaveUpAViewWaitsBeforeItStartsALineageOfItsOwn() {
    ViewKeeper keeper = holding(A, A, B);
    keeper.received(view(LINEAGE, 6, B));
    expect("drop 5");
    keeper.reported(B.id(), null);
    tick(keeper, 1_000);
    tick(keeper, 3_999);
    expect();
    tick(keeper, 4_000);
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
    tick(waiting, 2_999);
    expect();
    tick(waiting, 3_000);
    expect("install 1 b");
  }

  @Test
  void strangersThatKeepTurningUpDelayTheStartByTwicePatienceAtMost() {
    ViewKeeper keeper = keeper(B);
    for (int i = 0; i < 12; i++) {
      introduce(keeper, node("x", i), B);
      tick(keeper, i * 500L);
    }
    expect();
    introduce(keeper, node("x", 12), B);
    tick(keeper, 6_000);
    expect("install 1 b");
  }

  @Test
  void changesThatComeTogetherMakeOneView() {
    ViewKeeper keeper = holding(A, A, B);
    Introduction d = node("d", 4);
    introduce(keeper, A, B, C, d);
    keeper.authenticated(C, null);
    tick(keeper, 100);
    keeper.authenticated(d, null);
    keeper.left(B.id());
    tick(keeper, 149);
    expect();
    tick(keeper, 150);
    expect("install 6 a,c,d", "publish 6 to b,c,d");
  }

  @Test
  void aGapInDiscoveryRemovesNobody() {
    ViewKeeper keeper = holding(A, A, B, C);
    tick(keeper, 1_000);
    introduce(keeper, A, C);
    tick(keeper, 1_299);
    introduce(keeper, A, B, C);
    tick(keeper, 1_400);
    introduce(keeper, A, C);
    tick(keeper, 1_699);
    expect();
    tick(keeper, 1_700);
    tick(keeper, 1_750);
    expect("install 6 a,c", "publish 6 to b,c");
  }

  @Test
  void aMemberWhoseIntroductionIsOnlyLateIsNotGone() {
    ViewKeeper keeper = keeper(B);
    introduce(keeper, B, A);
    keeper.authenticated(A, view(LINEAGE, 5, A, B, C));
    expect("install 5 a,b,c");
    tick(keeper, 5_000);
    tick(keeper, 6_000);
    expect();
  }

  @Test
  void silenceRemovesNobody() {
    ViewKeeper keeper = holding(A, A, B);
    keeper.unreachable(B.id());
    tick(keeper, 1_000);
    tick(keeper, 60_000);
    expect();
  }

  @Test
  void theNextVoterActsWhenTheSeniorIsProvenDeadAndStandsAboveIt() {
    ViewKeeper keeper = holding(B, A, B);
    keeper.died(A.id());
    tick(keeper, 100);
    tick(keeper, 150);
    expect("install 6 b", "publish 6 to a");
    assertTrue(held(keeper).name().isAfter(ViewName.proposed(6, 0, A.id())));
  }

  @Test
  void A06_aNodeThatWakesUpAloneMakesNoViews() {
    ViewKeeper senior = holding(A, A, B, C);
    tick(senior, 1_000);
    introduce(senior, A);
    tick(senior, 2_000);
    tick(senior, 3_000);
    expect();
    senior.died(B.id());
    senior.died(C.id());
    tick(senior, 4_000);
    expect("install 6 a", "publish 6 to b,c");
  }

  @Test
  void ofTwoThatLoseEachOtherOnlyTheSeniorGoesOn() {
    ViewKeeper senior = holding(A, A, B);
    tick(senior, 0);
    introduce(senior, A);
    tick(senior, 1_000);
    tick(senior, 1_050);
    expect("install 6 a", "publish 6 to b");

    ViewKeeper junior = holding(B, A, B);
    tick(junior, 0);
    introduce(junior, B);
    tick(junior, 1_000);
    tick(junior, 60_000);
    expect();
  }

  @Test
  void A10_aNewIncarnationAtTheSameAddressReplacesTheOldInOneView() {
    ViewKeeper keeper = holding(A, A, B, C);
    Introduction reborn = node("b", 22);
    introduce(keeper, A, B, C, reborn);
    keeper.authenticated(reborn, null);
    tick(keeper, 100);
    tick(keeper, 150);
    expect("install 6 a,c,b", "publish 6 to b,c,b");
    assertTrue(held(keeper).contains(reborn.id()));
  }

  @Test
  void A10_aSecondLiveProcessOfOneNameIsRefusedUntilTheFirstIsGone() {
    ViewKeeper keeper = holding(A, A, B);
    Introduction twin =
        new Introduction(new MemberId("b", 22), new Address("10.0.0.9", 7_101), B.http(), 1);
    introduce(keeper, A, B, twin);
    keeper.authenticated(twin, null);
    tick(keeper, 100);
    tick(keeper, 60_000);
    expect();
    keeper.died(B.id());
    tick(keeper, 60_100);
    tick(keeper, 60_150);
    expect("install 6 a,b", "publish 6 to b,b");
  }

  @Test
  void aStrangerIsNeverAdmitted() {
    ViewKeeper keeper = holding(A, A, B);
    introduce(keeper, C, A, B);
    tick(keeper, 10_000);
    keeper.refused(C.id());
    tick(keeper, 20_000);
    keeper.reported(C.id(), new ViewName(99, 0));
    tick(keeper, 30_000);
    expect();
  }

  @Test
  void anImpostorOfAProvenNodeChangesNothing() {
    ViewKeeper keeper = holding(A, A, B);
    keeper.candidates(
        List.of(
            new Candidate(B.id(), new Address("10.6.6.6", 1)),
            new Candidate(A.id(), A.peer()),
            new Candidate(C.id(), new Address("10.6.6.6", 1)),
            new Candidate(B.id(), B.peer()),
            new Candidate(C.id(), C.peer())));
    keeper.refused(B.id());
    keeper.refused(C.id());
    tick(keeper, 1_000);
    expect();
    keeper.authenticated(C, null);
    keeper.refused(C.id());
    tick(keeper, 2_000);
    tick(keeper, 2_050);
    expect("install 6 a,b,c", "publish 6 to b,c");
    assertEquals(C.peer(), held(keeper).members().get(2).peer());
  }

  @Test
  void aNewWeightComesWithTheNextView() {
    ViewKeeper keeper = holding(A, A, B);
    keeper.authenticated(new Introduction(B.id(), B.peer(), B.http(), 7), null);
    tick(keeper, 100);
    tick(keeper, 150);
    expect("install 6 a,b", "publish 6 to b");
    assertEquals(7, held(keeper).members().get(1).weight());
  }

  @Test
  void onlyALaterViewIsTaken() {
    ViewKeeper keeper = holding(B, A, B, C);
    keeper.received(view(LINEAGE, 4, A, B));
    keeper.received(view(LINEAGE, 5, A, B, C));
    expect();
    keeper.received(view(LINEAGE, 7, A, B));
    expect("install 7 a,b");
    assertEquals(0, keeper.conflictingViews());
    keeper.received(view(LINEAGE, 7, A, B, C));
    expect();
    assertEquals(1, keeper.conflictingViews());
  }

  @Test
  void whoIsAbsentFromALaterViewDropsItsOwnAndIsNotTalkedBackIntoIt() {
    ViewKeeper keeper = holding(B, A, B, C);
    keeper.received(view(LINEAGE, 6, A, C));
    expect("drop 5");
    assertNull(keeper.current());
    keeper.received(view(LINEAGE, 5, A, B, C));
    expect();
    keeper.received(view(LINEAGE, 7, A, C, B));
    expect("install 7 a,c,b");
  }

  @Test
  void theWinningLineageIsTakenAndTheOtherIsToldOfOurs() {
    ViewKeeper keeper = holding(B, A, B);
    tick(keeper, 500);
    keeper.authenticated(C, view(new Lineage(1, 101), 50, C, B));
    expect("publish 5 to c");
    keeper.received(view(new Lineage(1, 99), 2, C));
    expect("drop 5");
    keeper.received(view(new Lineage(1, 99), 3, C, B));
    expect("install 3 c,b");
  }

  @Test
  void anEchoOfALineageThatNobodyLivesInIsIgnored() {
    ViewKeeper keeper = holding(B, A, B);
    keeper.received(view(new Lineage(9, 1), 2, C, B));
    expect();
  }

  @Test
  void aLaterNameIsNotBelievedButAsksForTheView() {
    ViewKeeper keeper = holding(B, A, B);
    tick(keeper, 1_000);
    keeper.reported(A.id(), new ViewName(6, 0));
    keeper.reported(A.id(), new ViewName(6, 0));
    expect("fetch from a");
    tick(keeper, 1_200);
    keeper.reported(A.id(), new ViewName(6, 0));
    expect("fetch from a");
    assertEquals(5, held(keeper).epoch());
  }

  @Test
  void theSeniorSendsItsViewAgainToWhoeverIsBehind() {
    ViewKeeper senior = holding(A, A, B);
    tick(senior, 1_000);
    senior.reported(B.id(), new ViewName(4, 0));
    senior.reported(B.id(), new ViewName(4, 0));
    expect("publish 5 to b");
    tick(senior, 1_200);
    senior.reported(B.id(), null);
    expect("publish 5 to b");
    tick(senior, 1_400);
    senior.reported(B.id(), held(senior).name());
    expect();

    ViewKeeper junior = holding(C, A, B, C);
    tick(junior, 1_000);
    junior.reported(B.id(), new ViewName(4, 0));
    expect();
  }

  @Test
  void aSuccessorThatMissedTheViewIsToldByAnyone() {
    ViewKeeper junior = holding(C, A, B, C);
    junior.died(A.id());
    tick(junior, 1_000);
    junior.reported(B.id(), null);
    expect("publish 5 to b");
  }

  @Test
  void leavingIsAnnouncedAgainAndAgainAndEndsTheView() {
    ViewKeeper keeper = holding(B, A, B, C);
    keeper.leave();
    keeper.leave();
    expect("leave to a,c");
    tick(keeper, 199);
    expect();
    tick(keeper, 200);
    expect("leave to a,c");
    keeper.received(view(LINEAGE, 6, A, C));
    expect("drop 5");
    keeper.received(view(LINEAGE, 7, A, C, B));
    expect();
    assertNull(keeper.current());
  }

  @Test
  void aNodeThatHasLeftTellsNewcomersSoAtOnce() {
    ViewKeeper keeper = holding(B, A, B);
    keeper.leave();
    expect("leave to a");
    keeper.received(view(LINEAGE, 6, A));
    expect("drop 5");
    tick(keeper, 100);
    keeper.authenticated(C, view(LINEAGE, 7, A, C));
    keeper.died(A.id());
    tick(keeper, 120);
    expect("leave to c");
  }

  @Test
  void theLastMemberLeavesAtOnce() {
    ViewKeeper keeper = keeper(A);
    introduce(keeper, A);
    tick(keeper, 1);
    expect("install 1 a");
    keeper.leave();
    expect("drop 1");
    tick(keeper, 10_000);
    expect();
  }

  @Test
  void aSeniorThatLeavesIsSucceededAtOnce() {
    ViewKeeper keeper = holding(B, A, B, C);
    keeper.left(A.id());
    tick(keeper, 100);
    tick(keeper, 150);
    expect("install 6 b,c", "publish 6 to a,c");
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
