package io.ringfence.engine;

import io.ringfence.engine.message.AnswerMessage;
import io.ringfence.engine.message.CheckMessage;
import io.ringfence.engine.message.CheckMessage.Mode;
import io.ringfence.engine.message.CounterAsk;
import io.ringfence.engine.message.NotOwnerMessage;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.engine.message.RefusalMessage;
import io.ringfence.engine.message.RefusalMessage.Reason;
import io.ringfence.engine.message.ViewRequest;
import io.ringfence.membership.MemberId;
import io.ringfence.rules.RuleSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where other members' checks are served.
 *
 * <p>A member never decides for a slot because somebody thinks it should: the slot must be open
 * here. If it is not, and the caller's view is later than ours, the check is parked until that view
 * has come, as it may well open the slot; otherwise the caller is told our view and looks again.
 * The limits are those of this node's own rules, so that one counter obeys one definition while
 * rules spread.
 */
final class Desk {
  private final MemberId self;
  private final Slots slots;
  private final Decider decider;
  private final TentativeCharges tentative;
  private final EnginePorts ports;
  private final Parking parking; // checks of other members

  Desk(MemberId self, Slots slots, TentativeCharges tentative, EnginePorts ports) {
    this.self = self;
    this.slots = slots;
    this.decider = new Decider(slots, ports.clock());
    this.tentative = tentative;
    this.ports = ports;
    this.parking = new Parking(ports);
  }

  /** Serves a check of another member, by the given rules and view. */
  void serve(MemberId from, CheckMessage check, RuleSet rules, Routing routing) {
    PeerMessage reply = reply(from, check, rules);
    if (reply != null) {
      ports.transport().send(from, reply);
      return;
    }
    Topology topology = routing.topology();
    if (topology == null || check.view().isAfter(topology.name())) {
      ports.transport().send(from, new ViewRequest());
      long deadline = ports.clock().elapsedNanos() + check.budgetMicros() * 1_000;
      Runnable resume = () -> serve(from, check, routing.rules(), routing);
      if (parking.park(new Parking.Parked(check.view(), deadline, resume, () -> {}))) {
        return;
      }
      ports.transport().send(from, new RefusalMessage(check.id(), Reason.OVERLOADED));
      return;
    }
    ports.transport().send(from, new NotOwnerMessage(check.id(), topology.name()));
  }

  /**
   * Decides on this node's own counters for a check that arrived here, remembering under an id of
   * it.
   */
  Step decide(List<Target> targets, Mode mode, long id) {
    return decide(targets, mode, new TentativeCharges.Id(self, id));
  }

  /** Takes back, once, what was charged tentatively under an id of that member. */
  void cancel(MemberId caller, long id) {
    tentative.cancel(new TentativeCharges.Id(caller, id));
  }

  void installed(Topology topology) {
    parking.installed(topology.name());
  }

  /** The reply, or null where a slot is not open here. */
  private @Nullable PeerMessage reply(MemberId from, CheckMessage check, RuleSet rules) {
    List<Target> targets = new ArrayList<>(check.counters().size());
    for (CounterAsk ask : check.counters()) {
      RuleSet.Counted counted = rules.limit(ask.limitId());
      if (ask.slot() >= slots.count()) {
        return new RefusalMessage(check.id(), Reason.DEFECT);
      }
      if (!slots.slot(ask.slot()).isOpen()) {
        return null;
      }
      if (counted == null) {
        return new RefusalMessage(check.id(), Reason.UNKNOWN_LIMIT);
      }
      CounterKey key = slots.keyOf(ask.limitId(), ask.values());
      targets.add(
          new Target(key, ask.slot(), counted.limit().algorithm(), ask.cost(), ask.shadow()));
    }
    Step step = decide(targets, check.mode(), new TentativeCharges.Id(from, check.id()));
    return switch (step.end()) {
      case NOT_OPEN -> null;
      case NO_ROOM -> new RefusalMessage(check.id(), Reason.TABLE_FULL);
      case DECIDED -> new AnswerMessage(check.id(), step.answers());
    };
  }

  private Step decide(List<Target> targets, Mode mode, TentativeCharges.Id id) {
    Step step = mode == Mode.PEEK ? decider.peek(targets) : decider.charge(targets);
    if (step.end() == Step.End.NO_ROOM) {
      ports.metrics().overflow("keys");
    }
    if (mode == Mode.TENTATIVE && !step.charges().isEmpty()) {
      tentative.remember(id, step.charges());
    }
    return step;
  }
}
