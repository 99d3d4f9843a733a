package io.ringfence.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** From which answers a lease is made, and until when it runs. Times are milliseconds. */
class LeaseTest {
  private static final long MILLI = 1_000_000L;
  private static final long LEASE = 500;

  private static MemberId id(int number) {
    return new MemberId("n" + number, number);
  }

  private static View view(long epoch, int... voters) {
    List<Member> members =
        IntStream.of(voters)
            .mapToObj(
                n -> {
                  Address address = new Address("127.0.0.1", 7_000 + n);
                  return new Member(id(n), address, address, 1, MemberState.ACTIVE, true);
                })
            .toList();
    return new View(new Lineage(1, 7), new ViewName(epoch, 0), members, true);
  }

  private static Lease of(int self, View view) {
    Lease lease = new Lease(id(self), LeaseSettings.DEFAULT, 0);
    lease.enter(view, false, 0);
    return lease;
  }

  private static void answer(Lease lease, int voter, long sentMillis) {
    lease.answered(id(voter), sentMillis * MILLI);
    lease.count(dead -> false, false);
  }

  private static long until(Lease lease) {
    return lease.heldUntilNanos() / MILLI;
  }

  @Test
  void aLeaseIsDatedFromTheOldestOfTheLatestAnswersOfAQuorum() {
    Lease lease = of(1, view(3, 1, 2, 3, 4, 5));
    answer(lease, 1, 130);
    answer(lease, 4, 120);
    assertEquals(0, until(lease), "two of five");
    answer(lease, 5, 100);
    assertEquals(100 + LEASE, until(lease));
    answer(lease, 2, 110);
    assertEquals(110 + LEASE, until(lease));
    answer(lease, 2, 50);
    assertEquals(110 + LEASE, until(lease), "a late answer to an older ping takes nothing away");
  }

  @Test
  void whoIsAloneHasItUntilAnotherViewAndOneLeaseMore() {
    Lease lease = of(1, view(3, 1));
    assertFalse(lease.isHeldAt(0), "not before it is a quorum");
    answer(lease, 1, 10);
    assertTrue(lease.isHeldAt(10_000_000 * MILLI));
    assertEquals(LEASE * MILLI, lease.remainingNanos(10_000_000 * MILLI));
    lease.enter(view(4, 1, 2, 3), false, 20_000 * MILLI);
    assertTrue(lease.isHeldAt((20_000 + LEASE - 1) * MILLI));
    assertFalse(lease.isHeldAt((20_000 + LEASE) * MILLI));
  }

  @Test
  void whoIsAloneAndLeavesTheViewHasNone() {
    Lease lease = of(1, view(3, 1));
    answer(lease, 1, 10);
    lease.leave(20 * MILLI);
    assertFalse(lease.isHeldAt(20 * MILLI));
  }

  @Test
  void halfIsEnoughOnlyWithTheSeniorAmongThem() {
    Lease without = of(3, view(3, 1, 2, 3, 4));
    answer(without, 3, 100);
    answer(without, 4, 100);
    assertFalse(without.isHeldAt(100 * MILLI));
    Lease with = of(3, view(3, 1, 2, 3, 4));
    answer(with, 3, 100);
    answer(with, 1, 100);
    assertTrue(with.isHeldAt(100 * MILLI));
  }

  @Test
  void theFirstInstantAfterALeaseIsOutsideIt() {
    Lease lease = of(1, view(3, 1, 2));
    answer(lease, 1, 100);
    assertTrue(lease.isHeldAt(600 * MILLI - 1));
    assertFalse(lease.isHeldAt(600 * MILLI));
  }

  @Test
  void aLeaseSurvivesAViewButItsAnswersDoNotCountInTheNext() {
    Lease lease = of(1, view(3, 1, 2, 3));
    answer(lease, 1, 100);
    answer(lease, 2, 100);
    lease.enter(view(4, 1, 2, 3), false, 200 * MILLI);
    assertEquals(600, until(lease));
    answer(lease, 1, 300);
    assertEquals(600, until(lease), "the answers of the last view are gone");
    answer(lease, 3, 300);
    assertEquals(800, until(lease));
  }

  @Test
  void whoEntersNeedsEveryLivingVoterOnceAndNoLeaseFromBefore() {
    Lease lease = of(9, view(4, 1, 2, 3));
    lease.enter(view(4, 1, 2, 3), true, 100 * MILLI);
    answer(lease, 1, 110);
    answer(lease, 2, 110);
    assertFalse(lease.isHeldAt(110 * MILLI), "the third has not answered");
    lease.answered(id(3), 120 * MILLI);
    lease.count(dead -> false, true);
    assertFalse(lease.isHeldAt(120 * MILLI), "a departed member may hold one");
    lease.count(dead -> false, false);
    assertEquals(610, until(lease));

    Lease other = of(9, view(4, 1, 2, 3));
    other.enter(view(4, 1, 2, 3), true, 100 * MILLI);
    other.answered(id(1), 110 * MILLI);
    other.answered(id(2), 110 * MILLI);
    other.count(dead -> dead.equals(id(3)), false);
    assertEquals(610, until(other), "the third is dead");
  }

  @Test
  void whoIsInNoViewHasNoLeaseAndALapseIsCountedOnce() {
    Lease lease = of(1, view(3, 1));
    answer(lease, 1, 100);
    assertEquals(Lease.Change.GAINED, lease.tick(200 * MILLI));
    assertEquals(0, lease.lapses());
    lease.leave(300 * MILLI);
    assertFalse(lease.isHeldAt(300 * MILLI));
    assertEquals(Lease.Change.LAPSED, lease.tick(310 * MILLI));
    assertEquals(Lease.Change.UNCHANGED, lease.tick(320 * MILLI));
    assertEquals(1, lease.lapses());
    lease.count(dead -> false, false);
    assertFalse(lease.isHeldAt(320 * MILLI));
  }

  @Test
  void clocksMayPassTheirLargestValue() {
    long nearEnd = Long.MAX_VALUE - 100 * MILLI;
    Lease lease = new Lease(id(1), LeaseSettings.DEFAULT, nearEnd);
    lease.enter(view(3, 1, 2), false, nearEnd);
    lease.answered(id(1), nearEnd);
    lease.answered(id(2), nearEnd + 50 * MILLI);
    lease.count(dead -> false, false);
    assertTrue(lease.isHeldAt(nearEnd + 499 * MILLI));
    assertFalse(lease.isHeldAt(nearEnd + 500 * MILLI));
  }
}
