package io.ringfence.embed;

import io.ringfence.engine.PeerTransport;
import io.ringfence.engine.message.WeightMessage;
import io.ringfence.http.Weighing;
import io.ringfence.membership.Member;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.MemberState;
import io.ringfence.membership.View;
import io.ringfence.membership.ViewKeeper;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Weights that operators ask this node to give to members, each until the view lists it.
 *
 * <p>The word goes once to the member that is meant, which keeps it and says it in its pings; so
 * calls to several nodes meet in one place, and the last one to arrive counts. Whether it was taken
 * and agreed is then looked at with every tick. A call is answered after {@link #PATIENCE_NANOS} at
 * the latest, whatever the view does; the member keeps what it has taken.
 *
 * <p>At most {@value #CAPACITY} calls wait; further ones are refused. Confined to the thread of the
 * {@link ViewLoop}.
 */
final class Weighings {
  static final long PATIENCE_NANOS = 2_000_000_000L;
  static final int CAPACITY = 64;

  private final MemberId self;
  private final ViewKeeper keeper;
  private final PeerTransport transport;
  private final List<Asked> waiting = new ArrayList<>(); // at most CAPACITY

  private record Asked(MemberId of, int weight, long untilNanos, Consumer<Weighing> told) {}

  Weighings(MemberId self, ViewKeeper keeper, PeerTransport transport) {
    this.self = self;
    this.keeper = keeper;
    this.transport = transport;
  }

  /** Gives a member that weight, and tells what came of it, once. */
  void ask(String name, int weight, long nowNanos, Consumer<Weighing> told) {
    View view = keeper.current();
    Member member = view == null ? null : view.named(name);
    Weighing refusal = refusal(view, member, nowNanos);
    if (refusal != null || member == null) {
      told.accept(refusal);
    } else if (member.id().equals(self)) {
      keeper.weigh(weight);
      await(new Asked(self, weight, nowNanos + PATIENCE_NANOS, told), nowNanos);
    } else if (transport.send(member.id(), new WeightMessage(weight))) {
      await(new Asked(member.id(), weight, nowNanos + PATIENCE_NANOS, told), nowNanos);
    } else {
      told.accept(new Weighing.Unavailable("this node has no way to " + name));
    }
  }

  private @Nullable Weighing refusal(@Nullable View view, @Nullable Member member, long nowNanos) {
    if (view == null) {
      return new Weighing.Unavailable("this node is in no view; ask another");
    }
    if (!keeper.lease().isHeldAt(nowNanos)) {
      return new Weighing.Unavailable("this node holds no lease; ask another");
    }
    if (member == null) {
      return new Weighing.Unknown(view.members().stream().map(Member::name).toList());
    }
    if (member.state() == MemberState.AWAY || member.state() == MemberState.DRAINING) {
      return new Weighing.Refused(
          member.name() + " is " + member.state() + ": it has no share to weigh");
    }
    return waiting.size() < CAPACITY
        ? null
        : new Weighing.Unavailable(CAPACITY + " such calls wait already");
  }

  private void await(Asked asked, long nowNanos) {
    waiting.add(asked);
    look(nowNanos);
  }

  /** Tells those whose call is over. */
  void look(long nowNanos) {
    for (Iterator<Asked> all = waiting.iterator(); all.hasNext(); ) {
      Asked asked = all.next();
      Weighing outcome = outcome(asked, nowNanos);
      if (outcome != null) {
        all.remove();
        asked.told.accept(outcome);
      }
    }
  }

  private @Nullable Weighing outcome(Asked asked, long nowNanos) {
    View view = keeper.current();
    Member member = view == null ? null : view.member(asked.of);
    boolean taken = keeper.weightSaid(asked.of) == asked.weight;
    if (view != null && member != null && taken && member.weight() == asked.weight) {
      return new Weighing.Agreed(view.epoch());
    }
    if (nowNanos - asked.untilNanos < 0) {
      return null;
    }
    return taken
        ? new Weighing.Waiting()
        : new Weighing.Unavailable(
            asked.of.name() + " has not said that it takes it; it may have. Ask again");
  }
}
