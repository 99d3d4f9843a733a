package io.ringfence.peer;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.engine.message.CancelMessage;
import io.ringfence.engine.message.RefusalMessage;
import io.ringfence.engine.message.ViewRequest;
import io.ringfence.membership.Address;
import io.ringfence.membership.Candidate;
import io.ringfence.membership.MemberId;
import io.ringfence.peer.TestNode.Options;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a network does for a node that uses it, over real sockets of this machine. */
@Timeout(120)
class PeerNetworkTest {
  private final List<TestNode> nodes = new ArrayList<>();

  @AfterEach
  void closeAll() {
    nodes.forEach(TestNode::close);
  }

  private TestNode start(String name, Options options) {
    TestNode node = TestNode.start(name, options);
    nodes.add(node);
    return node;
  }

  private TestNode start(String name) {
    return start(name, Options.at(0));
  }

  @Test
  void peersIntroduceThemselvesWithTheirFactsAndView() {
    TestNode a = start("a");
    TestNode b = start("b");
    b.view.set(Messages.view(7, b.id, b.address));
    TestNode.mesh(a, b);
    assertEquals(b.view.get(), a.events.views.get(b.id));
    assertFalse(b.events.views.containsKey(a.id));
  }

  @Test
  void messagesOfOneKindArriveInOrderBothWaysUnderLoad() {
    int count = 5_000;
    int inFlight = 1_000;
    TestNode a = start("a");
    TestNode b = start("b");
    TestNode c = start("c");
    TestNode.mesh(a, b, c);
    Semaphore room = new Semaphore(inFlight);
    a.events.onMessage =
        (from, message) -> {
          if (message instanceof RefusalMessage) {
            room.release();
          }
        };
    b.events.onMessage =
        (from, question) -> {
          if (question instanceof CancelMessage cancel) {
            b.network.send(
                from, new RefusalMessage(cancel.checkId(), RefusalMessage.Reason.OVERLOADED));
          }
        };
    for (long i = 0; i < count; i++) {
      room.acquireUninterruptibly();
      assertTrue(a.send(b, new CancelMessage(i)));
      assertTrue(c.send(a, Messages.check(i, 10)) || c.counts.full.get() > 0);
    }
    a.awaitThat("all answers are there", () -> answers(a).size() == count);
    assertEquals(LongStream.range(0, count).boxed().toList(), answers(a));
  }

  private static List<Long> answers(TestNode node) {
    return node.events.messages.stream()
        .filter(RefusalMessage.class::isInstance)
        .map(message -> ((RefusalMessage) message).id())
        .toList();
  }

  @Test
  void aPeerThatClosesIsDisconnectedAndThenProvenDead() {
    TestNode a = start("a");
    TestNode b = start("b");
    TestNode.mesh(a, b);
    b.close();
    a.awaitEvent("died", b.id);
    List<String> story = a.events.of(b.id);
    assertTrue(
        story.indexOf("disconnected " + b.id) < story.indexOf("died " + b.id), story::toString);
    assertEquals(1, a.events.times("died", b.id));
    assertFalse(a.send(b, new ViewRequest()));
  }

  @Test
  void withoutEpollPeersTalkAllTheSame() {
    TestNode a = start("a", Options.at(0).transport(IoTransport.nio()));
    TestNode b = start("b", Options.at(0).transport(IoTransport.nio()));
    TestNode.mesh(a, b);
    b.events.onMessage =
        (from, question) ->
            b.network.send(
                from,
                new RefusalMessage(
                    ((CancelMessage) question).checkId(), RefusalMessage.Reason.OVERLOADED));
    for (long i = 0; i < 500; i++) {
      assertTrue(a.send(b, new CancelMessage(i)));
    }
    a.awaitThat("all answers are there", () -> answers(a).size() == 500);
    assertEquals(LongStream.range(0, 500).boxed().toList(), answers(a));
  }

  @Test
  void closeIsBoundedMayBeRepeatedAndLeavesNoThread() throws Exception {
    await("threads of earlier networks end")
        .atMost(Duration.ofSeconds(30))
        .until(() -> threads().isEmpty());
    TestNode a = start("a");
    TestNode b = start("b", Options.at(0).host("localhost"));
    TestNode.mesh(a, b);
    try (RawPeer mute = RawPeer.dial(a);
        RawPeer slow = RawPeer.authenticated(a, new MemberId("x", 9), 4_096)) {
      a.awaitThat(
          "it can be sent to", () -> a.network.send(new MemberId("x", 9), new ViewRequest()));
      while (a.network.send(new MemberId("x", 9), Messages.check(1, 10_000))) {
        assertEquals(0, a.counts.full.get());
      }
      assertFalse(threads().isEmpty());
      assertTrue(threads().stream().allMatch(Thread::isDaemon));
      CompletableFuture.runAsync(a::close).get(20, TimeUnit.SECONDS);
      assertTrue(mute.closedByOther());
      assertTrue(slow.closedByOther());
    }
    b.close();
    a.close();
    b.close();
    await("their threads end").atMost(Duration.ofSeconds(30)).until(() -> threads().isEmpty());
  }

  private static List<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("ringfence-peer"))
        .toList();
  }

  @Test
  void aRefusalProvesDeathOnNioToo() {
    TestNode a = start("a", Options.at(0).transport(IoTransport.nio()));
    TestNode b = start("b", Options.at(0).transport(IoTransport.nio()));
    TestNode.mesh(a, b);
    b.close();
    a.awaitEvent("died", b.id);
  }

  @Test
  void anAddressThatAlwaysRefusedProvesNothing() throws IOException {
    MemberId gone = new MemberId("gone", 1);
    TestNode a = start("a");
    try (HeldPort refusing = new HeldPort()) {
      a.network.connectTo(List.of(new Candidate(gone, refusing.address())));
      a.awaitThat("two attempts failed", () -> a.events.times("unreachable", gone) >= 2);
    }
    assertEquals(0, a.events.times("died", gone));
  }

  @Test
  void aNewIncarnationAtTheAddressProvesTheOldOneDead() throws IOException {
    TestNode a = start("a");
    try (HeldPort shared = new HeldPort()) {
      TestNode old = start("b", Options.at(shared.port()));
      TestNode.mesh(a, old);
      old.close();
      a.awaitEvent("disconnected", old.id);
      TestNode young = TestNode.start(new MemberId("b", 2), Options.at(shared.port()));
      nodes.add(young);
      a.connectTo(old, young);
      young.connectTo(a);
      a.awaitAuthenticated(young.id, 1);
      a.awaitEvent("died", old.id);
      assertTrue(a.send(young, new ViewRequest()));
      young.awaitThat("the message is there", () -> young.events.messages.size() == 1);
    }
  }

  @Test
  void anUnmetIncarnationIsProvenDeadByAnotherThatAnswers() {
    TestNode a = start("a");
    TestNode b = start("b");
    MemberId former = new MemberId("b", 99);
    a.network.connectTo(List.of(new Candidate(former, b.address)));
    a.awaitEvent("died", former);
    assertEquals(0, a.events.times("authenticated", former));
    assertEquals(0, b.network.peers());
  }

  @Test
  void whoeverIsLeftOutIsDisconnectedAndForgotten() {
    TestNode a = start("a");
    TestNode b = start("b");
    a.connectTo(b);
    a.awaitAuthenticated(b.id, 1);
    a.connectTo();
    a.awaitEvent("disconnected", b.id);
    a.awaitThat("nothing is kept", () -> a.network.peers() == 0);
    b.awaitThat("nothing is kept there either", () -> b.network.peers() == 0);
    assertFalse(a.send(b, new ViewRequest()));
    assertEquals(0, a.events.times("died", b.id));
  }

  @Test
  void aPeerThatDialsHereIsHeardBeforeItIsWanted() {
    TestNode a = start("a");
    TestNode b = start("b");
    b.connectTo(a);
    b.awaitAuthenticated(a.id, 1);
    assertTrue(b.send(a, new ViewRequest()));
    a.awaitThat("the message is there", () -> a.events.messages.size() == 1);
    assertEquals(0, a.events.times("authenticated", b.id));
    a.awaitThat("the accepted connection carries questions", () -> a.send(b, new ViewRequest()));
    b.awaitThat("the message is there", () -> b.events.messages.size() == 1);
    a.connectTo(b);
    a.awaitAuthenticated(b.id, 1);
    assertEquals(0, a.events.times("disconnected", b.id));
  }

  @Test
  void C22_fiftyReplacementsLeaveNoGhosts() {
    TestNode a = start("a");
    TestNode b = start("b");
    TestNode.mesh(a, b);
    for (int i = 1; i <= 50; i++) {
      try (TestNode passing = TestNode.start(new MemberId("c", i), Options.at(0))) {
        passing.connectTo(a, b);
        a.connectTo(b, passing);
        b.connectTo(a, passing);
        a.awaitAuthenticated(passing.id, 1);
        b.awaitAuthenticated(passing.id, 1);
      }
    }
    a.connectTo(b);
    b.connectTo(a);
    a.awaitThat("a keeps one peer", () -> a.network.peers() == 1);
    b.awaitThat("b keeps one peer", () -> b.network.peers() == 1);
    assertTrue(a.send(b, new ViewRequest()));
  }

  @Test
  void aTakenAddressIsNamed() {
    TestNode a = start("a");
    PeerNetwork second =
        new PeerNetwork(
            PeerSettings.of(a.address, TestNode.CLUSTER),
            TestNode.SECRET,
            new ManualClock(),
            PeerMetrics.NONE);
    UncheckedIOException taken = assertThrows(UncheckedIOException.class, second::bind);
    assertTrue(taken.toString().contains(a.address.toString()), taken::toString);
  }

  @Test
  void aListenerThatThrowsIsCountedAndHarmless() {
    TestNode a = start("a");
    TestNode b = start("b");
    TestNode.mesh(a, b);
    b.events.onMessage =
        (from, message) -> {
          throw new IllegalStateException("a defect of the test");
        };
    assertTrue(a.send(b, new ViewRequest()));
    assertTrue(a.send(b, new ViewRequest()));
    b.awaitThat("both are counted", () -> b.counts.defects.get() == 2);
    assertEquals(0, b.events.times("disconnected", a.id));
  }

  @Test
  void misuseNamesWhatIsAllowed() {
    Address open = new Address("192.0.2.1", 0);
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new PeerNetwork(
                PeerSettings.of(open, "c"), Secret.none(), new ManualClock(), PeerMetrics.NONE));
    assertThrows(
        IllegalArgumentException.class, () -> PeerSettings.of(new Address("0.0.0.0", 1), "c"));
    assertThrows(IllegalArgumentException.class, () -> PeerSettings.of(open, ""));
    TestNode a = start("a");
    assertThrows(IllegalStateException.class, a.network::bind);
    a.close();
    assertFalse(a.network.send(a.id, new ViewRequest()));
  }
}
