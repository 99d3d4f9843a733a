package io.ringfence.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** View names, lineages and state codes: the orders and numbers that nodes must agree on. */
class NamesTest {
  private static final MemberId A = new MemberId("a", 0xffff_ffff_0000_0001L);
  private static final MemberId B = new MemberId("b", 2);

  @Test
  void epochOutweighsBallot() {
    assertTrue(new ViewName(2, 0).isAfter(new ViewName(1, Long.MAX_VALUE)));
    assertTrue(new ViewName(2, 1).isAfter(new ViewName(2, 0)));
    assertFalse(new ViewName(2, 1).isAfter(new ViewName(2, 1)));
  }

  @Property
  void aStandInIsAboveTheSeniorAndNobodySharesItsBallot(
      @ForAll @LongRange(min = 1) long epoch,
      @ForAll @IntRange(min = 0, max = Integer.MAX_VALUE - 1) int round) {
    ViewName senior = ViewName.proposed(epoch, round, A);
    assertTrue(ViewName.proposed(epoch, round + 1, B).isAfter(senior));
    assertTrue(senior.compareTo(ViewName.proposed(epoch, round, B)) != 0);
  }

  @Test
  void viewNamesAreReadable() {
    assertEquals("7.2-00000001", ViewName.proposed(7, 2, A).toString());
  }

  @Test
  void rangesAreNamed() {
    assertEquals(
        "an epoch is at least 1, not 0",
        assertThrows(IllegalArgumentException.class, () -> new ViewName(0, 0)).getMessage());
    assertEquals(
        "a ballot is at least 0, not -1",
        assertThrows(IllegalArgumentException.class, () -> new ViewName(1, -1)).getMessage());
    assertEquals(
        "a lineage is born with 0..1024 members, not -1",
        assertThrows(IllegalArgumentException.class, () -> new Lineage(-1, 0)).getMessage());
  }

  @Test
  void theLargerAtBirthWinsThenTheLowerId() {
    Lineage small = new Lineage(1, -5);
    Lineage large = new Lineage(3, 9);
    assertTrue(large.winsOver(small));
    assertFalse(small.winsOver(large));
    assertTrue(new Lineage(3, 8).winsOver(large));
    assertFalse(large.winsOver(large));
  }

  @ParameterizedTest
  @EnumSource(MemberState.class)
  void stateCodesReadBack(MemberState state) {
    assertEquals(state, MemberState.fromCode(state.code()));
  }

  @Test
  void stateCodesNeverChange() {
    assertEquals(1, MemberState.JOINING.code());
    assertEquals(2, MemberState.ACTIVE.code());
    assertEquals(3, MemberState.DRAINING.code());
    assertEquals(4, MemberState.AWAY.code());
    assertThrows(IllegalArgumentException.class, () -> MemberState.fromCode(5));
  }
}
