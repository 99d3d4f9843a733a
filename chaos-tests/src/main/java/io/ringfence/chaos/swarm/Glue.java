package io.ringfence.chaos.swarm;

import io.ringfence.engine.message.LeaveMessage;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.engine.message.ViewMessage;
import io.ringfence.engine.message.ViewRequest;
import io.ringfence.engine.message.ViewWordMessage;
import io.ringfence.engine.message.WeightMessage;
import io.ringfence.membership.Candidate;
import io.ringfence.membership.Introduction;
import io.ringfence.membership.Lease;
import io.ringfence.membership.LeaseSettings;
import io.ringfence.membership.Member;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.MemberState;
import io.ringfence.membership.View;
import io.ringfence.membership.ViewActions;
import io.ringfence.membership.ViewKeeper;
import io.ringfence.membership.ViewKeeperSettings;
import io.ringfence.membership.ViewWord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Holds a process's engine and its keeper together, exactly as the view loop of a node does.
 *
 * <p>It is the one place that has to follow {@code embed.ViewLoop} when that changes.
 */
final class Glue implements ViewActions {
  private final Node node;
  private final Lease lease;
  final ViewKeeper keeper;
  private List<Candidate> introduced = List.of();
  private boolean last; // whether it decides to its end, as nobody goes on without it
  private boolean leaving;
  private boolean outOfView; // whether the others go on without it, once it leaves
  private boolean settledIn; // never cleared
  private long lastOnLoopNanos; // when the latest of its tasks is due
  private int viewSize = 1; // members of the view that the engine goes by, or last went by

  Glue(Node node, Introduction facts, SplittableRandom chance) {
    this.node = node;
    this.lease = new Lease(facts.id(), LeaseSettings.DEFAULT, node.clock.elapsedNanos());
    this.keeper =
        new ViewKeeper(facts, ViewKeeperSettings.defaults(), lease, this, chance::nextLong);
  }

  boolean mayDecide(long elapsedNanos) {
    return lease.isHeldAt(elapsedNanos) || last;
  }

  /** Whether it was once ACTIVE with a lease and connected with all: clients are sent to it. */
  boolean isReady() {
    return settledIn;
  }

  /** Whether it left, and nobody waits for it any more. */
  boolean isOut() {
    return outOfView;
  }

  /** Whether it left and nobody goes on. */
  boolean isLast() {
    return last;
  }

  int viewSize() {
    return viewSize;
  }

  void tick() {
    keeper.tick(node.clock.elapsedNanos());
    afterTick();
    settledIn |= isSettledIn();
  }

  /** What the engine and the keeper have to tell each other of the slots. */
  private void afterTick() {
    View view = keeper.current();
    if (view == null) {
      return;
    }
    if (!keeper.departedMayDecide()) {
      node.engine.departuresOver(view.stamp());
    }
    if (node.engine.isDone(view.stamp())) {
      keeper.slotsAreDone(view.stamp());
    }
  }

  private boolean isSettledIn() {
    View view = keeper.current();
    Member me = view == null ? null : view.member(node.id);
    return view != null
        && me != null
        && me.state() == MemberState.ACTIVE
        && mayDecide(node.clock.elapsedNanos())
        && view.members().stream()
            .filter(member -> member.state().isPresent() && !member.id().equals(node.id))
            .allMatch(member -> node.swarm.network.isDialled(node, member.id()));
  }

  void introduced(List<Candidate> candidates) {
    introduced = candidates;
    connect();
    keeper.candidates(candidates);
  }

  void leave() {
    leaving = true;
    keeper.leave();
    outOfView |= keeper.current() == null;
  }

  /** Has the keeper told, on the thread that it is confined to. */
  private void onLoop(Runnable task) {
    long lag = node.swarm.setup.tempo().loopLagNanos();
    if (lag == 0) {
      task.run();
      return;
    }
    long now = node.swarm.agenda.now();
    lastOnLoopNanos = Math.max(lastOnLoopNanos + 1, now + node.swarm.chance.nextLong(lag));
    node.swarm.agenda.at(lastOnLoopNanos, () -> node.swarm.enter(node, Waiting.LOOP, task));
  }

  // What the network tells.

  void authenticated(Introduction facts, @Nullable View theirs) {
    node.relay.linked(facts.id());
    node.engine.connected(facts.id());
    onLoop(() -> keeper.authenticated(facts, theirs));
  }

  void message(MemberId from, PeerMessage message) {
    node.relay.received(from, message, this::said);
  }

  private void said(MemberId from, PeerMessage message) {
    if (message instanceof ViewWordMessage said) {
      onLoop(() -> keeper.heard(from, said.word()));
    } else if (message instanceof ViewMessage view) {
      onLoop(() -> keeper.received(from, view.view()));
    } else if (message instanceof ViewRequest) {
      View view = keeper.current();
      if (view != null) {
        send(from, new ViewMessage(view));
      }
    } else if (message instanceof LeaveMessage) {
      onLoop(() -> keeper.left(from));
    } else if (message instanceof WeightMessage order) {
      onLoop(() -> keeper.weigh(order.weight()));
    } else {
      node.engine.received(from, message);
    }
  }

  void unreachable(MemberId other) {
    node.relay.unlinked(other);
    onLoop(() -> keeper.unreachable(other));
  }

  void died(MemberId other) {
    node.relay.died(other);
    node.engine.disconnected(other);
    onLoop(
        () -> {
          keeper.died(other);
          keeper.tick(node.clock.elapsedNanos());
        });
  }

  void disconnected(MemberId other) {
    node.relay.unlinked(other);
    node.engine.disconnected(other);
    onLoop(() -> keeper.unreachable(other));
  }

  // What the keeper asks for.

  @Override
  public void say(ViewWord word, Collection<MemberId> to) {
    ViewWordMessage message = ViewWordMessage.of(word);
    to.forEach(member -> send(member, message));
  }

  @Override
  public void publish(View view, Collection<MemberId> to) {
    ViewMessage message = new ViewMessage(view);
    to.forEach(member -> send(member, message));
  }

  @Override
  public void fetch(MemberId from) {
    send(from, new ViewRequest());
  }

  @Override
  public void announceLeave(Collection<MemberId> to) {
    to.forEach(member -> send(member, new LeaveMessage()));
  }

  private void send(MemberId to, PeerMessage message) {
    node.relay.send(to, message);
  }

  @Override
  public void installed(View view) {
    node.swarm.installed(node, view);
    engineGoesBy(view);
    connect();
  }

  @Override
  public void diedIn(View held, MemberId member) {
    node.swarm.story.add(
        () -> "%s knows that %s died in view %s".formatted(node, member, held.name()));
    node.engine.died(held.stamp(), member);
  }

  @Override
  public void leaseGained() {
    node.swarm.story.add(() -> "%s holds a lease".formatted(node));
    node.engine.leaseGained();
  }

  @Override
  public void dropped(View before, @Nullable View successor, String reason) {
    node.swarm.story.add(() -> "%s drops %s: %s".formatted(node, before.name(), reason));
    if (!leaving) {
      node.engine.leaveView();
      return;
    }
    if (successor != null) {
      engineGoesBy(successor);
    } else if (isOnlyPresent(before)) {
      last = true;
    } else {
      node.engine.leaveView();
    }
    outOfView = true;
  }

  @Override
  public void overheard(View view) {
    engineGoesBy(view);
  }

  private boolean isOnlyPresent(View view) {
    return view.members().stream().allMatch(m -> m.id().equals(node.id) || !m.state().isPresent());
  }

  private void engineGoesBy(View view) {
    viewSize = view.members().size();
    node.relay.installed(view);
    node.engine.install(view);
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
    node.connectTo(wanted);
  }
}
