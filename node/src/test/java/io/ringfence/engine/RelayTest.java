package io.ringfence.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.engine.message.CancelMessage;
import io.ringfence.engine.message.PathMessage;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.engine.message.RelayMessage;
import io.ringfence.engine.message.RelayRefusal;
import io.ringfence.engine.message.RelayedMessage;
import io.ringfence.membership.Address;
import io.ringfence.membership.Lineage;
import io.ringfence.membership.Member;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.MemberState;
import io.ringfence.membership.View;
import io.ringfence.membership.ViewName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** One node's relay, over links that a test makes and breaks. */
class RelayTest {
  private static final MemberId A = new MemberId("a", 1);
  private static final MemberId B = new MemberId("b", 2);
  private static final MemberId C = new MemberId("c", 3);
  private static final MemberId D = new MemberId("d", 4);

  private record Sent(MemberId to, PeerMessage message) {}

  private final Set<MemberId> linked = new HashSet<>(Set.of(B, C, D));
  private final List<Sent> sent = new ArrayList<>();
  private final List<MemberId> closed = new ArrayList<>();
  private final List<Sent> heard = new ArrayList<>(); // from whom, and what
  private long nowNanos;
  private final Relay relay =
      new Relay(
          A,
          new Relay.Direct() {
            @Override
            public boolean send(MemberId to, PeerMessage message) {
              return linked.contains(to) && sent.add(new Sent(to, message));
            }

            @Override
            public boolean isConnected(MemberId member) {
              return linked.contains(member);
            }

            @Override
            public void disconnect(MemberId member) {
              closed.add(member);
            }
          },
          () -> nowNanos);

  private static View view(MemberId... members) {
    Address at = new Address("127.0.0.1", 1);
    List<Member> all = new ArrayList<>();
    for (MemberId id : members) {
      all.add(new Member(id, at, at, 1, MemberState.ACTIVE, true));
    }
    return new View(new Lineage(1, 1), new ViewName(1, 0), all, true);
  }

  private static PeerMessage message(long number) {
    return new CancelMessage(number);
  }

  private void loses(MemberId member) {
    linked.remove(member);
    relay.unlinked(member);
    nowNanos += Relay.PATIENCE_NANOS;
  }

  private void hears(MemberId from, PeerMessage message) {
    relay.received(from, message, (origin, what) -> heard.add(new Sent(origin, what)));
  }

  private void expectSent(Sent... expected) {
    assertEquals(List.of(expected), sent);
    sent.clear();
  }

  @Test
  void whereThereIsALinkNothingIsRelayed() {
    relay.installed(view(A, B, C, D));
    relay.unlinked(B); // an attempt failed while another connection stands
    assertTrue(relay.send(B, message(1)));
    expectSent(new Sent(B, message(1)));
    assertEquals(0, relay.detours());
  }

  @Test
  void B10_withoutALinkItGoesThroughTheNextMemberOfTheView() {
    relay.installed(view(A, B, C, D));
    loses(B);
    assertTrue(relay.send(B, message(1)));
    assertTrue(relay.send(B, message(2)));
    expectSent(
        new Sent(C, new RelayMessage(B, 1, message(1))),
        new Sent(C, new RelayMessage(B, 1, message(2))));
    loses(D);
    assertTrue(relay.send(D, message(3)));
    expectSent(new Sent(C, new RelayMessage(D, 2, message(3))));
  }

  @Test
  void rightAfterALossNothingIsSentAsTheMemberMayHaveDied() {
    relay.installed(view(A, B, C));
    linked.remove(B);
    relay.unlinked(B);
    nowNanos += Relay.PATIENCE_NANOS - 1;
    assertFalse(relay.send(B, message(1)));
    expectSent();
    nowNanos++;
    assertTrue(relay.send(B, message(2)));
    expectSent(new Sent(C, new RelayMessage(B, 1, message(2))));
  }

  @Test
  void whoRefusesIsNotAskedForASecond() {
    relay.installed(view(A, B, C, D));
    loses(B);
    relay.send(B, message(1));
    hears(C, new RelayRefusal(B));
    relay.send(B, message(2));
    hears(D, new RelayRefusal(B));
    assertFalse(relay.send(B, message(3)));
    nowNanos += 1_000_000_000L;
    assertTrue(relay.send(B, message(4)));
    expectSent(
        new Sent(C, new RelayMessage(B, 1, message(1))),
        new Sent(D, new RelayMessage(B, 2, message(2))),
        new Sent(C, new RelayMessage(B, 3, message(4))));
  }

  @Test
  void aMessageIsNeverRelayedTwice() {
    relay.installed(view(A, B, C, D));
    loses(B);
    loses(C);
    linked.add(C); // it dialled here; its own link is not proven yet
    relay.send(B, message(1));
    expectSent(new Sent(D, new RelayMessage(B, 1, message(1))));

    hears(D, new RelayMessage(B, 7, message(2)));
    expectSent(new Sent(D, new RelayRefusal(B)));
    RelayMessage inner = new RelayMessage(B, 1, message(1));
    assertThrows(IllegalArgumentException.class, () -> new RelayedMessage(A, 1, inner));
    assertThrows(IllegalArgumentException.class, () -> new RelayMessage(C, 1, inner));
  }

  @Test
  void theThirdHandsOnAndCounts() {
    relay.installed(view(A, B, C, D));
    hears(B, new RelayMessage(C, 7, message(1)));
    expectSent(new Sent(C, new RelayedMessage(B, 7, message(1))));
    assertEquals(1, relay.handedOn());
    assertEquals(List.of(), heard);
  }

  @Test
  void whatIsLateOnAnOlderWayIsDropped() {
    hears(C, new RelayedMessage(B, 4, message(1)));
    hears(D, new RelayedMessage(B, 6, message(2)));
    hears(C, new RelayedMessage(B, 4, message(3)));
    hears(D, new RelayedMessage(B, 6, message(4)));
    hears(B, new PathMessage(7));
    hears(D, new RelayedMessage(B, 6, message(5)));
    hears(B, message(6));
    hears(C, new RelayedMessage(D, 1, message(7)));
    assertEquals(
        List.of(
            new Sent(B, message(1)),
            new Sent(B, message(2)),
            new Sent(B, message(4)),
            new Sent(B, message(6)),
            new Sent(D, message(7))),
        heard);
    assertEquals(List.of(B, B, D), closed, "once for each new detour");
  }

  @Test
  void whoReturnsToTheLinkSaysSoFirst() {
    relay.installed(view(A, B, C, D));
    loses(B);
    relay.send(B, message(1));
    linked.add(B); // it dialled here
    relay.send(B, message(2));
    relay.linked(B);
    relay.send(B, message(3));
    expectSent(
        new Sent(C, new RelayMessage(B, 1, message(1))),
        new Sent(C, new RelayMessage(B, 1, message(2))),
        new Sent(B, new PathMessage(2)),
        new Sent(B, message(3)));
    assertEquals(0, relay.detours());
  }

  @Test
  void theDeadAndWhoIsNotInTheViewAreNotLookedFor() {
    relay.installed(view(A, B, C));
    loses(D);
    assertFalse(relay.send(D, message(1)));
    loses(B);
    relay.died(B);
    assertFalse(relay.send(B, message(2)));
    expectSent();
    loses(C);
    assertEquals(1, relay.detours());
    relay.installed(view(A, B));
    assertEquals(0, relay.detours());
  }
}
