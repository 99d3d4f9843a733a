package io.ringfence.peer;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.engine.Relay;
import io.ringfence.engine.message.CancelMessage;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.membership.Address;
import io.ringfence.membership.Candidate;
import io.ringfence.membership.Introduction;
import io.ringfence.membership.Lineage;
import io.ringfence.membership.Member;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.MemberState;
import io.ringfence.membership.View;
import io.ringfence.membership.ViewName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three real networks, two of which lose their link, and go through the third. */
@Timeout(120)
class DetourTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Corner a = new Corner("a");
  private final Corner b = new Corner("b");
  private final Corner c = new Corner("c");

  /** A network with a relay over it. */
  private static final class Corner implements PeerEvents {
    final MemberId id;
    final PeerNetwork network =
        new PeerNetwork(
            PeerSettings.of(new Address("127.0.0.1", 0), TestNode.CLUSTER),
            TestNode.SECRET,
            new ManualClock(),
            new TestNode.Counts());
    final Address address = network.bind();
    final ManualClock clock = new ManualClock();
    final Queue<Long> heard = new ConcurrentLinkedQueue<>();
    final Queue<MemberId> heardFrom = new ConcurrentLinkedQueue<>();
    final Relay relay;

    Corner(String name) {
      this.id = new MemberId(name, name.hashCode());
      this.relay =
          new Relay(
              id,
              new Relay.Direct() {
                @Override
                public boolean send(MemberId to, PeerMessage message) {
                  return network.send(to, message);
                }

                @Override
                public boolean isConnected(MemberId member) {
                  return network.isConnected(member);
                }

                @Override
                public void disconnect(MemberId member) {
                  network.disconnect(member);
                }
              },
              clock::elapsedNanos);
    }

    void connectTo(Corner... others) {
      network.connectTo(Stream.of(others).map(o -> new Candidate(o.id, o.address)).toList());
    }

    boolean send(Corner to, long number) {
      return relay.send(to.id, new CancelMessage(number));
    }

    @Override
    public void authenticated(Introduction facts, @Nullable View theirs) {
      relay.linked(facts.id());
    }

    @Override
    public void message(MemberId from, PeerMessage message) {
      relay.received(
          from,
          message,
          (origin, said) -> {
            if (said instanceof CancelMessage cancel) {
              heard.add(cancel.checkId());
              heardFrom.add(origin);
            }
          });
    }

    @Override
    public void refused(MemberId candidate, HandshakeRefusal reason) {}

    @Override
    public void unreachable(MemberId candidate) {
      relay.unlinked(candidate);
    }

    @Override
    public void died(MemberId member) {
      relay.died(member);
    }

    @Override
    public void disconnected(MemberId peer) {
      relay.unlinked(peer);
    }
  }

  @BeforeEach
  void mesh() {
    List<Member> members = new ArrayList<>();
    for (Corner each : List.of(a, b, c)) {
      members.add(new Member(each.id, each.address, each.address, 1, MemberState.ACTIVE, true));
    }
    View view = new View(new Lineage(1, 1), new ViewName(1, 0), members, true);
    for (Corner each : List.of(a, b, c)) {
      each.relay.installed(view);
      each.network.open(
          new LocalNode(new Introduction(each.id, each.address, each.address, 1), () -> view),
          each);
      each.connectTo(a, b, c);
    }
    await("all are linked")
        .atMost(PATIENCE)
        .until(
            () ->
                Stream.of(a, b, c)
                    .allMatch(
                        one ->
                            Stream.of(a, b, c)
                                .allMatch(o -> o == one || one.network.isConnected(o.id))));
  }

  @AfterEach
  void close() {
    List.of(a, b, c).forEach(each -> each.network.close());
  }

  private void loseTheLink() {
    a.connectTo(c);
    b.connectTo(c);
    await("a and b have no link")
        .atMost(PATIENCE)
        .until(() -> a.relay.detours() == 1 && b.relay.detours() == 1);
    Stream.of(a, b).forEach(each -> each.clock.advanceNanos(PATIENCE.toNanos())); // no death
  }

  private static void awaitHeard(Corner by, int count) {
    await(by.id + " has heard " + count).atMost(PATIENCE).until(() -> by.heard.size() >= count);
  }

  private static void assertAscending(Queue<Long> numbers) {
    long last = 0;
    for (long number : numbers) {
      assertTrue(number > last, number + " after " + last);
      last = number;
    }
  }

  @Test
  void B10_whatTwoSayToEachOtherGoesThroughTheThirdInOrder() {
    loseTheLink();
    for (long number = 1; number <= 1_000; number++) {
      assertTrue(a.send(b, number));
      assertTrue(b.send(a, number));
    }
    awaitHeard(b, 1_000);
    awaitHeard(a, 1_000);
    assertAscending(a.heard);
    assertAscending(b.heard);
    assertTrue(b.heardFrom.stream().allMatch(a.id::equals), "it is said by who sent it");
    assertEquals(2_000, c.relay.handedOn());
    assertEquals(List.of(), List.copyOf(c.heard), "the third only hands on");
  }

  @Test
  void aThirdThatHasNoLinkEitherSaysSo() {
    loseTheLink();
    b.connectTo();
    c.connectTo(a);
    await("b and c have no link").atMost(PATIENCE).until(() -> !c.network.isConnected(b.id));
    await("a knows of no way").atMost(PATIENCE).until(() -> !a.send(b, 1));
  }

  @Test
  void orderHoldsWhileALinkComesAndGoes() {
    AtomicLong number = new AtomicLong();
    for (int times = 0; times < 5; times++) {
      loseTheLink();
      for (int i = 0; i < 500; i++) {
        a.send(b, number.incrementAndGet());
      }
      a.connectTo(b, c);
      b.connectTo(a, c);
      await("they are linked again, and talk all the while")
          .atMost(PATIENCE)
          .until(
              () -> {
                a.send(b, number.incrementAndGet());
                return a.relay.detours() == 0 && b.relay.detours() == 0;
              });
      long since = number.get();
      await("b hears over the link")
          .atMost(PATIENCE)
          .until(
              () -> {
                a.send(b, number.incrementAndGet());
                return b.heard.stream().anyMatch(heard -> heard > since);
              });
    }
    assertAscending(b.heard);
  }
}
