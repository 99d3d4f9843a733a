package io.ringfence.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a view is settled, and who may still decide after a loss. */
class SettlingTest extends OneKeeper {
  /** Epoch 6 of a and b, after c was lost, at `self`. */
  private ViewKeeper afterALoss(Introduction self) {
    ViewKeeper keeper = holding(self, A, B, C);
    keeper.died(C.id());
    keeper.received(A.id(), moving(6, A, B));
    done.clear();
    said.clear();
    return keeper;
  }

  private static View moving(long epoch, Introduction... nodes) {
    View settled = view(LINEAGE, epoch, nodes);
    return new View(LINEAGE, settled.name(), settled.members(), false);
  }

  @Test
  void aViewAfterALossIsFollowedByOneThatIsSettledOnceAllHaveSaidThatTheyAreDone() {
    ViewKeeper keeper = afterALoss(A);
    View moving = held(keeper);
    run(keeper, 10, 600);
    keeper.heard(B.id(), doneWith(moving, true, 1));
    run(keeper, 610, 900);
    expect();
    report(keeper);
    report(keeper);
    run(keeper, 910, 960);
    expect("propose to b", "accepted to b", "install 7 a,b", "publish 7 to b");
    assertTrue(held(keeper).settled());
    assertEquals(moving.members(), held(keeper).members());
  }

  @Test
  void aReportOfAnotherViewIsIgnored() {
    ViewKeeper keeper = afterALoss(A);
    keeper.slotsAreDone(view(LINEAGE, 5, A, B, C).stamp());
    keeper.slotsAreDone(view(LINEAGE, 7, A, B).stamp());
    keeper.heard(B.id(), doneWith(held(keeper), true, 1));
    run(keeper, 10, 500);
    expect();
    assertEquals(doneWith(held(keeper), true, 1).done(), lastPing().done());

    report(keeper);
    keeper.heard(B.id(), doneWith(view(LINEAGE, 5, A, B, C), true, 1));
    run(keeper, 510, 1_000);
    expect();
  }

  @Test
  void aReportIsForgottenWithTheNextView() {
    ViewKeeper keeper = afterALoss(B);
    report(keeper);
    run(keeper, 10, 200);
    assertEquals(doneWith(held(keeper), true, 1).done(), lastPing().done());
    keeper.received(A.id(), moving(7, A, B));
    run(keeper, 210, 400);
    assertEquals(new BitSet(), lastPing().done());
  }

  @Test
  void whatIsHeardOfOthersIsPassedOnInTheSameViewOnly() {
    ViewKeeper keeper = holding(B, A, B, C);
    View held = held(keeper);
    keeper.heard(C.id(), doneWith(held, true, 0));
    run(keeper, 10, 200);
    assertEquals(doneWith(held, true, 0).done(), lastPing().done());
    keeper.received(A.id(), moving(6, A, B, C));
    run(keeper, 210, 400);
    assertEquals(new BitSet(), lastPing().done());
  }

  @Test
  void whoIsProvenDeadAfterItWasSetAwayLeavesASettledViewSettled() {
    ViewKeeper keeper = holding(A, A, B);
    List<Member> members = List.of(A.as(MemberState.ACTIVE, true), B.as(MemberState.AWAY, false));
    keeper.received(B.id(), new View(LINEAGE, ViewName.proposed(6, 0, A.id()), members, true));
    done.clear();
    keeper.died(B.id());
    run(keeper, 10, 70);
    expect("install 7 a", "publish 7 to b");
    assertTrue(held(keeper).settled());
  }

  @Test
  void whoFellSilentMayDecideForALeaseAndATenthUnlessItsDeathIsProven() {
    ViewKeeper keeper = holding(A, A, B, C);
    run(keeper, 10, 600);
    assertFalse(keeper.departedMayDecide());
    List<Member> members =
        List.of(
            A.as(MemberState.ACTIVE, true),
            B.as(MemberState.ACTIVE, true),
            C.as(MemberState.AWAY, false));
    keeper.heard(B.id(), ping(held(keeper), true));
    keeper.received(B.id(), new View(LINEAGE, ViewName.proposed(6, 0, A.id()), members, false));
    run(keeper, 610, 1_140);
    assertTrue(keeper.departedMayDecide());
    keeper.received(B.id(), moving(7, A, B));
    run(keeper, 1_141, 1_149);
    assertTrue(keeper.departedMayDecide(), "it is left out, and not known to be dead here");
    tick(keeper, 1_150);
    assertFalse(keeper.departedMayDecide());

    ViewKeeper other = holding(A, A, B, C);
    run(other, 10, 600);
    other.received(B.id(), new View(LINEAGE, ViewName.proposed(6, 0, A.id()), members, false));
    assertTrue(other.departedMayDecide());
    other.died(C.id());
    assertFalse(other.departedMayDecide());
  }

  @Test
  void whoIsLeftOutMayDecideNothingWhereEveryViewWasFollowed() {
    ViewKeeper keeper = holding(A, A, B, C);
    assertTrue(keeper.departedMayDecide(), "it cannot know whom epoch 5 set away");
    run(keeper, 10, 550);
    assertFalse(keeper.departedMayDecide());
    keeper.received(B.id(), moving(6, A, B));
    assertFalse(keeper.departedMayDecide());
    assertTrue(keeper.departedMayHoldLease(), "it is not known here that c is dead");
    keeper.received(B.id(), moving(8, A, B));
    assertTrue(keeper.departedMayDecide(), "it cannot know whom epoch 7 set away");
  }

  @Test
  void ofTwoBallotsTheHigherMaySetAwayWhomTheLowerLeftOut() {
    ViewKeeper keeper = holding(B, A, B, C);
    run(keeper, 10, 600);
    keeper.received(A.id(), moving(6, A, B));
    assertFalse(keeper.departedMayDecide());
    List<Member> members =
        List.of(
            A.as(MemberState.ACTIVE, true),
            B.as(MemberState.ACTIVE, true),
            C.as(MemberState.AWAY, false));
    keeper.received(A.id(), new View(LINEAGE, ViewName.proposed(6, 1, A.id()), members, false));
    assertTrue(keeper.departedMayDecide());
  }

  @Test
  void whoFoundsALineageKnowsThatNobodyElseDecides() {
    ViewKeeper keeper = keeper(A);
    introduce(keeper, A);
    tick(keeper, 1);
    assertFalse(keeper.departedMayDecide());
  }
}
