package io.ringfence.embed;

import io.ringfence.engine.Clock;
import io.ringfence.engine.Engine;
import io.ringfence.engine.Relay;
import io.ringfence.engine.message.LeaveMessage;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.engine.message.StatusMessage;
import io.ringfence.engine.message.ViewMessage;
import io.ringfence.engine.message.ViewRequest;
import io.ringfence.engine.message.ViewWordMessage;
import io.ringfence.engine.message.WeightMessage;
import io.ringfence.http.DrainState;
import io.ringfence.http.ViewFacts;
import io.ringfence.http.Weighing;
import io.ringfence.membership.Candidate;
import io.ringfence.membership.Introduction;
import io.ringfence.membership.Member;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.MemberState;
import io.ringfence.membership.View;
import io.ringfence.membership.ViewActions;
import io.ringfence.membership.ViewKeeper;
import io.ringfence.membership.ViewKeeperSettings;
import io.ringfence.membership.ViewWord;
import io.ringfence.metrics.NodeGauges;
import io.ringfence.peer.HandshakeRefusal;
import io.ringfence.peer.PeerEvents;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread on which a node's view is kept.
 *
 * <p>The {@link ViewKeeper} is confined to one thread. Here introductions, proofs, losses and views
 * of other members, which come on threads of the network and of discovery, are handed to that
 * thread; checks and their answers are not: they go straight to the engine on the event loop that
 * read them. The engine is given each view on this thread, so views are installed one at a time.
 *
 * <p><b>Leaving.</b> The view in which this node drains lasts until it has passed all its slots on.
 * The one after that, without this node, is installed in the engine all the same, as a guest would:
 * it owns no slot by that view and forwards every check that still comes to whoever decides now. So
 * the calls of a node that drains are exact to the last. A node that an operator has drained may be
 * a guest for long, and goes by each view that follows. Where nobody goes on, as this was the last
 * member and its process ends, the engine keeps its slots until it is stopped.
 */
final class ViewLoop implements PeerEvents, ViewActions, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ViewLoop.class);
  private static final long TICK_NANOS = Duration.ofMillis(10).toNanos();
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long STATUS_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long CONNECT_PATIENCE_NANOS = Duration.ofSeconds(3).toNanos();

  private final MemberId self;
  private final Permission permission;
  private final Engine engine;
  private final Links links;
  private final Relay relay;
  private final Clock clock;
  private final Consumer<View> seen;
  private final ViewKeeper keeper; // called on the loop only
  private final Weighings weighings; // of the loop alone
  private final ScheduledTimers loop = new ScheduledTimers("ringfence-view");
  private final CountDownLatch outOfView = new CountDownLatch(1);

  // of the loop alone
  private List<Candidate> introduced = List.of();
  private long nextStatusNanos;
  private long firstViewNanos; // when this node's first view came; 0 before
  private final Set<MemberId> connected = new HashSet<>(); // those that were dialled and proved

  private volatile int mostMembersSeen;
  private final AtomicLong installations = new AtomicLong();
  private volatile boolean settledIn; // never cleared
  private volatile boolean leaving;

  /**
   * @param seen is told each view before the engine is
   */
  ViewLoop(
      Introduction self,
      Permission permission,
      Engine engine,
      Ways ways,
      Clock clock,
      Consumer<View> seen) {
    this.self = self.id();
    this.permission = permission;
    this.engine = engine;
    this.links = ways.links();
    this.relay = ways.relay();
    this.clock = clock;
    this.seen = seen;
    this.keeper =
        new ViewKeeper(
            self,
            ViewKeeperSettings.defaults(),
            permission.lease(),
            this,
            new SecureRandom()::nextLong);
    this.weighings = new Weighings(this.self, keeper, relay);
  }

  void start() {
    loop.run(this::tick);
  }

  /** The view that this node holds, or null. Thread-safe. */
  @Nullable View current() {
    return keeper.current();
  }

  /** Has an operator's wish done, and tells why not, or null. Thread-safe; does not block. */
  void promote(Consumer<@Nullable String> told) {
    loop.run(() -> told.accept(keeper.promote()));
  }

  /** The same: it leaves its view and goes on as a guest. Thread-safe; does not block. */
  void drain(Consumer<@Nullable String> told) {
    loop.run(
        () -> {
          String refusal = keeper.drain();
          leaving |= refusal == null;
          told.accept(refusal);
        });
  }

  /** Gives a member another weight, and tells what came of it. Thread-safe; does not block. */
  void weigh(String member, int weight, Consumer<Weighing> told) {
    loop.run(() -> weighings.ask(member, weight, clock.elapsedNanos(), told));
  }

  /** How this node stands now. Thread-safe. */
  ViewFacts facts() {
    long leaseNanos = keeper.lease().remainingNanos(clock.elapsedNanos());
    View view = keeper.current();
    return new ViewFacts(
        view,
        leaseNanos / NANOS_PER_MILLI,
        engine.slotCounts(),
        engine.replicationLagNanos() / NANOS_PER_MILLI,
        !leaving ? DrainState.NONE : view == null ? DrainState.DRAINED : DrainState.DRAINING);
  }

  /** What is shown of views and the lease. Its suppliers are thread-safe. */
  NodeGauges.Views gauges() {
    return new NodeGauges.Views(
        () -> keeper.lease().isHeldAt(clock.elapsedNanos()),
        () -> keeper.lease().lapses(),
        installations::get,
        () -> members(MemberState::votes),
        () -> members(state -> !state.isPresent()));
  }

  /** What is shown of links that are down. Its suppliers are thread-safe. */
  NodeGauges.Detours detours() {
    return new NodeGauges.Detours(relay::detours, relay::handedOn);
  }

  private long members(Predicate<MemberState> which) {
    View view = keeper.current();
    return view == null ? 0 : view.members().stream().filter(m -> which.test(m.state())).count();
  }

  /** The most members that a view of this node has had so far. Thread-safe. */
  int mostMembersSeen() {
    return mostMembersSeen;
  }

  /**
   * Whether this node has once been ACTIVE with a lease, and connected with all present members of
   * its view or has waited for that long enough. Thread-safe.
   */
  boolean settledIn() {
    return settledIn;
  }

  /** Discovery knows these processes, and no others; oldest first. */
  void introduced(List<Candidate> candidates) {
    loop.run(
        () -> {
          introduced = candidates;
          connect();
          keeper.candidates(candidates);
        });
  }

  /**
   * Leaves the view, and waits until the others go on without this node, or for the given time.
   *
   * @return whether they do
   */
  boolean leave(Duration patience) throws InterruptedException {
    leaving = true;
    loop.run(
        () -> {
          keeper.leave();
          if (keeper.current() == null) {
            outOfView.countDown();
          }
        });
    boolean gone = outOfView.await(patience.toNanos(), TimeUnit.NANOSECONDS);
    if (!gone) {
      LOG.warn("left without a word from the others after {} ms", patience.toMillis());
    }
    return gone;
  }

  @Override
  public void close() {
    loop.close();
  }

  // What the network tells.

  @Override
  public void authenticated(Introduction facts, @Nullable View theirs) {
    relay.linked(facts.id());
    engine.connected(facts.id());
    loop.run(
        () -> {
          connected.add(facts.id());
          keeper.authenticated(facts, theirs);
        });
  }

  @Override
  public void message(MemberId from, PeerMessage message) {
    relay.received(from, message, this::said);
  }

  private void said(MemberId from, PeerMessage message) {
    if (message instanceof ViewWordMessage said) {
      loop.run(() -> keeper.heard(from, said.word()));
    } else if (message instanceof ViewMessage view) {
      loop.run(() -> keeper.received(from, view.view()));
    } else if (message instanceof ViewRequest) {
      View view = keeper.current();
      if (view != null) {
        relay.send(from, new ViewMessage(view));
      }
    } else if (message instanceof StatusMessage status) {
      engine.reported(from, status.rulesVersion());
    } else if (message instanceof LeaveMessage) {
      loop.run(() -> keeper.left(from));
    } else if (message instanceof WeightMessage order) {
      loop.run(() -> keeper.weigh(order.weight()));
    } else {
      engine.received(from, message);
    }
  }

  @Override
  public void refused(MemberId candidate, HandshakeRefusal reason) {
    loop.run(() -> keeper.refused(candidate));
  }

  @Override
  public void unreachable(MemberId candidate) {
    relay.unlinked(candidate);
    loop.run(() -> keeper.unreachable(candidate));
  }

  @Override
  public void died(MemberId member) {
    relay.died(member);
    engine.disconnected(member);
    loop.run(
        () -> {
          keeper.died(member);
          keeper.tick(clock.elapsedNanos()); // the member's slots wait for it
        });
  }

  @Override
  public void disconnected(MemberId peer) {
    relay.unlinked(peer);
    engine.disconnected(peer);
    loop.run(
        () -> {
          connected.remove(peer);
          keeper.unreachable(peer);
        });
  }

  // What the keeper asks for, on the loop.

  @Override
  public void say(ViewWord word, Collection<MemberId> to) {
    ViewWordMessage message = ViewWordMessage.of(word);
    to.forEach(member -> relay.send(member, message));
  }

  @Override
  public void publish(View view, Collection<MemberId> to) {
    ViewMessage message = new ViewMessage(view);
    to.forEach(member -> relay.send(member, message));
  }

  @Override
  public void fetch(MemberId from) {
    relay.send(from, new ViewRequest());
  }

  @Override
  public void announceLeave(Collection<MemberId> to) {
    to.forEach(member -> relay.send(member, new LeaveMessage()));
  }

  @Override
  public void installed(View view) {
    installations.incrementAndGet();
    seen.accept(view);
    goBy(view);
    mostMembersSeen = Math.max(mostMembersSeen, view.members().size());
    connect();
    nextStatusNanos = 0; // the others learn at once which view this node has
  }

  @Override
  public void diedIn(View held, MemberId member) {
    engine.died(held.stamp(), member);
  }

  @Override
  public void leaseGained() {
    engine.leaseGained();
  }

  @Override
  public void dropped(View last, @Nullable View successor, String reason) {
    if (!leaving) {
      engine.leaveView();
      return;
    }
    if (successor != null) {
      goBy(successor);
    } else if (last.hasNoneBut(self)) {
      permission.lastToLeave();
    } else {
      engine.leaveView();
    }
    outOfView.countDown();
  }

  @Override
  public void overheard(View view) {
    goBy(view);
  }

  private void goBy(View view) {
    relay.installed(view);
    engine.install(view);
  }

  /** Connects with whoever discovery or the view names. */
  private void connect() {
    List<Candidate> wanted = new ArrayList<>(introduced);
    View view = keeper.current();
    if (view != null) {
      for (Member member : view.members()) {
        if (introduced.stream().noneMatch(candidate -> candidate.id().equals(member.id()))) {
          wanted.add(new Candidate(member.id(), member.peer()));
        }
      }
    }
    links.connectTo(wanted);
  }

  private void tick() {
    loop.after(TICK_NANOS, this::tick); // first, so that a defect below does not stop the ticks
    long now = clock.elapsedNanos();
    keeper.tick(now);
    weighings.look(now);
    goOnWithSlots();
    settledIn |= isSettledIn(now);
    if (now >= nextStatusNanos) {
      nextStatusNanos = now + STATUS_NANOS;
      tellStatus();
    }
  }

  /** The engine may open what others had, and the view is settled once slots are in place. */
  private void goOnWithSlots() {
    View view = keeper.current();
    if (view == null) {
      return;
    }
    if (!keeper.departedMayDecide()) {
      engine.departuresOver(view.stamp());
    }
    if (!view.settled() && engine.isDone(view.stamp())) {
      keeper.slotsAreDone(view.stamp());
    }
  }

  private boolean isSettledIn(long now) {
    View view = keeper.current();
    if (view == null) {
      return false;
    }
    if (firstViewNanos == 0) {
      firstViewNanos = now;
    }
    boolean connectedWithAll =
        view.members().stream()
            .filter(member -> member.state().isPresent())
            .map(Member::id)
            .allMatch(id -> id.equals(self) || connected.contains(id));
    Member me = view.member(self);
    return me != null
        && me.state() == MemberState.ACTIVE
        && keeper.lease().isHeldAt(now)
        && (connectedWithAll || now - firstViewNanos > CONNECT_PATIENCE_NANOS);
  }

  private void tellStatus() {
    View view = keeper.current();
    StatusMessage status =
        new StatusMessage(view == null ? null : view.stamp(), engine.rules().version());
    introduced.forEach(candidate -> relay.send(candidate.id(), status));
  }
}
