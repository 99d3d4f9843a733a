package io.ringfence.peer;

import static org.awaitility.Awaitility.await;

import io.ringfence.engine.message.PeerMessage;
import io.ringfence.membership.Address;
import io.ringfence.membership.Candidate;
import io.ringfence.membership.Introduction;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.View;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.awaitility.core.ConditionEvaluationListener;
import org.awaitility.core.EvaluatedCondition;
import org.awaitility.core.TimeoutEvent;
import org.jspecify.annotations.Nullable;

/** A network in this JVM that remembers what it is told, with verbs that wait. */
final class TestNode implements AutoCloseable {
  static final String CLUSTER = "test";
  static final Secret SECRET = secret("a secret of the tests");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  final MemberId id;
  final Address address;
  final PeerNetwork network;
  final Recorder events = new Recorder();
  final Counts counts = new Counts();
  final AtomicReference<@Nullable View> view = new AtomicReference<>();

  /** What differs from one node to the next. */
  record Options(
      IoTransport transport, ProtocolRange versions, Secret secret, PeerSettings settings) {
    /** Patient, as the machine may be busy; tests that wait for a time-out set their own. */
    static Options at(int port) {
      return new Options(
          IoTransport.best(), ProtocolRange.CURRENT, SECRET, at(new Address("127.0.0.1", port)));
    }

    private static PeerSettings at(Address listen) {
      return new PeerSettings(
          listen,
          CLUSTER,
          2,
          new PeerSettings.Timeouts(10_000, 30_000, 60_000),
          PeerSettings.Bounds.DEFAULT);
    }

    Options host(String host) {
      return settings(at(new Address(host, 0)));
    }

    Options timeouts(int handshakeMillis, int silenceMillis) {
      return settings(
          new PeerSettings(
              settings.listen(),
              settings.cluster(),
              settings.threads(),
              new PeerSettings.Timeouts(10_000, handshakeMillis, silenceMillis),
              settings.bounds()));
    }

    Options bounds(int outboundBytes, int unproven) {
      return settings(
          new PeerSettings(
              settings.listen(),
              settings.cluster(),
              settings.threads(),
              settings.timeouts(),
              new PeerSettings.Bounds(outboundBytes, unproven)));
    }

    Options transport(IoTransport other) {
      return new Options(other, versions, secret, settings);
    }

    Options versions(int lowest, int highest) {
      return new Options(transport, new ProtocolRange(lowest, highest), secret, settings);
    }

    Options secret(Secret other) {
      return new Options(transport, versions, other, settings);
    }

    Options cluster(String name) {
      return settings(
          new PeerSettings(
              settings.listen(), name, settings.threads(), settings.timeouts(), settings.bounds()));
    }

    private Options settings(PeerSettings other) {
      return new Options(transport, versions, secret, other);
    }
  }

  private TestNode(MemberId id, Options options) {
    this.id = id;
    network =
        new PeerNetwork(
            options.transport,
            options.settings,
            PeerNetwork.terms(options.versions, options.settings, options.secret),
            new RefusalLog(new ManualClock()),
            counts);
    address = network.bind();
    network.open(new LocalNode(facts(id, address), view::get), events);
  }

  static TestNode start(String name) {
    return start(name, Options.at(0));
  }

  static TestNode start(String name, Options options) {
    return new TestNode(new MemberId(name, name.hashCode()), options);
  }

  static TestNode start(MemberId id, Options options) {
    return new TestNode(id, options);
  }

  static Secret secret(String text) {
    return Secret.of(text.getBytes(StandardCharsets.UTF_8));
  }

  static Introduction facts(MemberId id, Address peer) {
    return new Introduction(id, peer, new Address("127.0.0.1", 8080), 1);
  }

  Candidate candidate() {
    return new Candidate(id, address);
  }

  void connectTo(TestNode... others) {
    network.connectTo(Stream.of(others).map(TestNode::candidate).toList());
  }

  /** Every node is told of every other, and all wait until they have found each other. */
  static void mesh(TestNode... nodes) {
    for (TestNode node : nodes) {
      node.connectTo(nodes);
    }
    for (TestNode node : nodes) {
      for (TestNode other : nodes) {
        if (other != node) {
          node.awaitAuthenticated(other.id, 1);
        }
      }
    }
  }

  boolean send(TestNode to, PeerMessage message) {
    return network.send(to.id, message);
  }

  void awaitAuthenticated(MemberId peer, int times) {
    awaitThat(
        id + " has authenticated " + peer + " " + times + " time(s)",
        () -> events.times("authenticated", peer) >= times);
  }

  void awaitEvent(String kind, MemberId peer) {
    awaitThat(id + " is told " + kind + " of " + peer, () -> events.times(kind, peer) > 0);
  }

  void awaitThat(String what, Callable<Boolean> condition) {
    await(what)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(5))
        .conditionEvaluationListener(
            new ConditionEvaluationListener<Object>() {
              @Override
              public void conditionEvaluated(EvaluatedCondition<Object> evaluated) {}

              @Override
              public void onTimeout(TimeoutEvent timeout) {
                System.out.println(id + " saw " + events.story);
              }
            })
        .until(condition);
  }

  @Override
  public void close() {
    network.close();
  }

  /** Everything that a network tells, in order. */
  static final class Recorder implements PeerEvents {
    final Queue<String> story = new ConcurrentLinkedQueue<>();
    final Queue<PeerMessage> messages = new ConcurrentLinkedQueue<>();
    final ConcurrentHashMap<MemberId, @Nullable View> views = new ConcurrentHashMap<>();
    volatile BiConsumer<MemberId, PeerMessage> onMessage = (from, message) -> {};

    @Override
    public void authenticated(Introduction facts, @Nullable View theirs) {
      if (theirs != null) {
        views.put(facts.id(), theirs);
      }
      tell("authenticated", facts.id());
    }

    @Override
    public void message(MemberId from, PeerMessage message) {
      messages.add(message);
      onMessage.accept(from, message);
    }

    @Override
    public void refused(MemberId candidate, HandshakeRefusal reason) {
      tell("refused " + reason, candidate);
    }

    @Override
    public void unreachable(MemberId candidate) {
      tell("unreachable", candidate);
    }

    @Override
    public void died(MemberId member) {
      tell("died", member);
    }

    @Override
    public void disconnected(MemberId peer) {
      tell("disconnected", peer);
    }

    int times(String kind, MemberId peer) {
      String wanted = kind + " " + peer;
      return (int) story.stream().filter(wanted::equals).count();
    }

    List<String> of(MemberId peer) {
      return story.stream().filter(line -> line.endsWith(" " + peer)).toList();
    }

    private void tell(String kind, MemberId peer) {
      story.add(kind + " " + peer);
    }
  }

  /** Counts. */
  static final class Counts implements PeerMetrics {
    final AtomicInteger protocolErrors = new AtomicInteger();
    final AtomicInteger full = new AtomicInteger();
    final AtomicInteger dropped = new AtomicInteger();
    final AtomicInteger silences = new AtomicInteger();
    final AtomicInteger defects = new AtomicInteger();
    final Queue<HandshakeRefusal> refusals = new ConcurrentLinkedQueue<>();

    @Override
    public void handshakeRefused(HandshakeRefusal reason) {
      refusals.add(reason);
    }

    @Override
    public void protocolError() {
      protocolErrors.incrementAndGet();
    }

    @Override
    public void outboundFull() {
      full.incrementAndGet();
    }

    @Override
    public void unprovenDropped() {
      dropped.incrementAndGet();
    }

    @Override
    public void silent() {
      silences.incrementAndGet();
    }

    @Override
    public void eventDefect() {
      defects.incrementAndGet();
    }
  }
}
