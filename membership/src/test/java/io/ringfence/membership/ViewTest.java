package io.ringfence.membership;

import static io.ringfence.membership.MemberState.ACTIVE;
import static io.ringfence.membership.MemberState.AWAY;
import static io.ringfence.membership.MemberState.DRAINING;
import static io.ringfence.membership.MemberState.JOINING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ViewTest {
  private static final Lineage LINEAGE = new Lineage(1, 0xabcL);

  private static Member member(String name, MemberState state, boolean inBase) {
    int port = 7000 + name.charAt(1);
    return new Member(
        new MemberId(name, 1),
        new Address("127.0.0.1", port),
        new Address("127.0.0.1", port + 1000),
        1,
        state,
        inBase);
  }

  private static View view(boolean settled, Member... members) {
    return new View(LINEAGE, new ViewName(3, 0), List.of(members), settled);
  }

  @Test
  void ringsAndVotersFollowFromTheStates() {
    Member away = member("n1", AWAY, false);
    Member draining = member("n2", DRAINING, true);
    Member active = member("n3", ACTIVE, true);
    Member joining = member("n4", JOINING, false);
    View view = view(false, away, draining, active, joining);

    assertEquals(List.of(draining, active), view.voters());
    assertEquals(draining, view.senior());
    assertEquals(List.of(draining, active), view.base());
    assertEquals(List.of(active, joining), view.target());
  }

  @Test
  void anotherIncarnationIsAnotherMemberOfTheSameName() {
    View view = view(true, member("n1", ACTIVE, true));
    MemberId reborn = new MemberId("n1", 2);

    assertFalse(view.contains(reborn));
    assertNull(view.member(reborn));
    assertTrue(view.named("n1") != null);
    assertTrue(view.contains(new MemberId("n1", 1)));
  }

  @Test
  void aViewThatNobodyCouldActByIsRefused() {
    refuses("1..1024 members, not 0", () -> view(true));
    refuses("named n1", () -> view(true, member("n1", ACTIVE, true), member("n1", ACTIVE, true)));
    refuses("at least one ACTIVE", () -> view(false, member("n1", JOINING, false)));
    refuses("at least one ACTIVE", () -> view(false, member("n1", ACTIVE, false)));
    refuses("settled", () -> view(true, member("n1", ACTIVE, true), member("n2", JOINING, false)));
    refuses("cannot be in the base", () -> member("n1", AWAY, true));
    List<Member> tooMany = new ArrayList<>();
    for (int i = 0; i <= View.MAX_MEMBERS; i++) {
      tooMany.add(member("n" + i, ACTIVE, true));
    }
    refuses("not 1025", () -> new View(LINEAGE, new ViewName(1, 0), tooMany, true));
  }

  @Test
  void anOperatorCanReadIt() {
    View view = view(true, member("n1", ACTIVE, true));
    assertEquals(
        "view 3.0-00000000 (settled, 1 of lineage 0000000000000abc/1): "
            + "n1@0000000000000001 ACTIVE 127.0.0.1:7049",
        view.toString());
  }

  private static void refuses(String expected, Runnable attempt) {
    String message =
        String.valueOf(assertThrows(IllegalArgumentException.class, attempt::run).getMessage());
    assertTrue(message.contains(expected), message);
  }
}
