package io.ringfence.engine;

import io.ringfence.engine.message.AnswerMessage;
import io.ringfence.engine.message.CheckMessage;
import io.ringfence.engine.message.CounterAsk;
import io.ringfence.engine.message.Deed;
import io.ringfence.engine.message.LiftMessage.Lifted;
import io.ringfence.engine.message.NotOwnerMessage;
import io.ringfence.engine.message.RefusalMessage;
import io.ringfence.engine.message.RefusalMessage.Reason;
import io.ringfence.engine.message.UsageAnswerMessage;
import io.ringfence.engine.message.UsageMessage;
import io.ringfence.engine.message.ViewRequest;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.ViewName;
import io.ringfence.rules.RuleSet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Where other members' checks are served.
 *
 * <p>A member never decides for a slot because somebody thinks it should: the slot must be open
 * here. If it is not, and the caller's view is later than ours, the check is parked until that view
 * has come, as it may well open the slot. If the slot is about to be opened here, the check waits
 * for that. Otherwise the caller is told our view, and who has the slot as far as we know. A check
 * that this node must not decide, as it holds no lease, waits for the lease half of the time that
 * it has: a process that was stopped for a moment has its lease again within milliseconds, or
 * learns who decides in its place. The limits are those of this node's own rules, so that one
 * counter obeys one definition while rules spread.
 */
final class Desk {
  private final EngineCore core;
  private final Slots slots;
  private final Decider decider;
  private final TentativeCharges tentative;
  private final EnginePorts ports;
  private final Parking parking; // checks of other members

  Desk(EngineCore core, Slots slots, EnginePorts ports) {
    this.core = core;
    this.slots = slots;
    this.ports = ports;
    this.decider = new Decider(slots, ports, ports::mayDecide);
    this.tentative = new TentativeCharges(decider, ports);
    this.parking = new Parking(ports);
  }

  /** Serves a check of another member. */
  void serve(MemberId from, CheckMessage check) {
    RuleSet rules = core.routing().rules();
    List<Target> targets = new ArrayList<>(check.counters().size());
    for (CounterAsk ask : check.counters()) {
      if (ask.slot() >= slots.count()) {
        refuse(from, check.id(), Reason.DEFECT);
        return;
      }
      if (!slots.slot(ask.slot()).isOpen()) {
        notOpen(from, check, ask.slot());
        return;
      }
      RuleSet.Counted counted = rules.limit(ask.limitId());
      if (counted == null) {
        refuse(from, check.id(), Reason.UNKNOWN_LIMIT);
        return;
      }
      CounterKey key = slots.keyOf(ask.limitId(), ask.values());
      targets.add(
          new Target(
              key,
              ask.slot(),
              counted.limit().algorithm(),
              ask.cost(),
              ask.shadow(),
              counted.rule().effect().failure(),
              ask.late()));
    }
    Step step =
        perform(
            check.deed(),
            targets,
            new TentativeCharges.Id(from, check.id()),
            Decider.Asker.ELSEWHERE);
    switch (step.end()) {
      case NOT_OPEN -> notOpen(from, check, firstClosed(check));
      case FENCED -> awaitLease(from, check);
      case NO_ROOM -> refuse(from, check.id(), Reason.TABLE_FULL);
      case DECIDED -> whenCopied(from, check, targets, step);
    }
  }

  /** Tells another member what one client has used. */
  void serve(MemberId from, UsageMessage question) {
    if (question.slot() < 0 || question.slot() >= slots.count()) {
      refuse(from, question.id(), Reason.DEFECT);
      return;
    }
    if (!slots.slot(question.slot()).isOpen()) {
      Topology topology = core.routing().topology();
      ViewName ours = topology == null ? question.view() : topology.name();
      ports.transport().send(from, new NotOwnerMessage(question.id(), ours, List.of()));
      return;
    }
    if (!ports.mayDecide()) {
      refuse(from, question.id(), Reason.NO_LEASE);
      return;
    }
    ClientCounters counters =
        ClientCounters.of(question.client(), question.slot(), core.routing().rules(), slots, ports);
    ports
        .transport()
        .send(
            from, new UsageAnswerMessage(question.id(), counters.entries(), counters.truncated()));
  }

  /**
   * Does to this node's own counters what a check that arrived here asks, remembering under an id
   * of it.
   */
  Step perform(Deed deed, List<Target> targets, long id) {
    return perform(deed, targets, new TentativeCharges.Id(core.self(), id), Decider.Asker.HERE);
  }

  /**
   * Takes back, once, what was charged tentatively under an id of that member. Whoever was denied
   * because of that charge learns that he need not wait; nobody waits for that.
   */
  void cancel(MemberId caller, long id) {
    List<CounterKey> lifts = tentative.cancel(new TentativeCharges.Id(caller, id));
    if (!lifts.isEmpty()) {
      core.lift(lifted(lifts), ports.clock().elapsedNanos(), () -> {});
    }
  }

  void installed(Topology topology) {
    parking.installed(topology.name());
  }

  /** It turned out who decides for these slots. */
  void found(BitSet found) {
    parking.found(found);
  }

  void leaseGained() {
    parking.leaseGained();
  }

  /** How many checks wait here for a view or the lease. */
  int parked() {
    return parking.size();
  }

  /** Where copies must come first and do not come in time, the caller hears nothing. */
  private void whenCopied(MemberId from, CheckMessage check, List<Target> targets, Step step) {
    BitSet waitFor = core.mustBeCopied(check.deed(), targets, step);
    if (waitFor.isEmpty()) {
      answer(from, check, step);
    } else {
      long deadline = ports.clock().elapsedNanos() + check.budgetMicros() * 1_000;
      core.whenCopied(new CopyWait(waitFor, deadline, () -> answer(from, check, step), () -> {}));
    }
  }

  private void answer(MemberId from, CheckMessage check, Step step) {
    AnswerMessage answer = new AnswerMessage(check.id(), step.answers());
    if (step.lifts().isEmpty()) {
      ports.transport().send(from, answer);
      return;
    }
    // Half of what the caller waits is for the members to answer in, the rest for the way back.
    long deadline = ports.clock().elapsedNanos() + check.budgetMicros() * 500;
    core.lift(lifted(step.lifts()), deadline, () -> ports.transport().send(from, answer));
  }

  /** What these counters are called between members. */
  static List<Lifted> lifted(List<CounterKey> keys) {
    return keys.stream().map(key -> new Lifted(key.limitId(), false, key.values())).toList();
  }

  private int firstClosed(CheckMessage check) {
    for (CounterAsk ask : check.counters()) {
      if (!slots.slot(ask.slot()).isOpen()) {
        return ask.slot();
      }
    }
    return check.counters().get(0).slot(); // it has been opened meanwhile
  }

  private void notOpen(MemberId from, CheckMessage check, int slot) {
    Topology topology = core.routing().topology();
    if (topology == null || check.view().isAfter(topology.name())) {
      ports.transport().send(from, new ViewRequest());
      await(from, check, Parking.Awaited.view(check.view()));
      return;
    }
    List<NotOwnerMessage.Moved> moved = moved(check, topology);
    boolean mayCome =
        topology.expects(core.self(), slot)
            || (check.view().equals(topology.name()) && topology.succeeds(core.self(), slot));
    if (moved.isEmpty() && mayCome) {
      await(from, check, Parking.Awaited.slot(slot));
    } else {
      ports.transport().send(from, new NotOwnerMessage(check.id(), topology.name(), moved));
    }
  }

  /** Which slots of the check are known to be with another member than their owner in the base. */
  private List<NotOwnerMessage.Moved> moved(CheckMessage check, Topology topology) {
    List<NotOwnerMessage.Moved> moved = new ArrayList<>();
    for (CounterAsk ask : check.counters()) {
      MemberId to = topology.movedTo(ask.slot());
      if (to != null && !to.equals(core.self())) {
        moved.add(new NotOwnerMessage.Moved(ask.slot(), to));
      }
    }
    return moved;
  }

  private void await(MemberId from, CheckMessage check, Parking.Awaited awaited) {
    long deadline = ports.clock().elapsedNanos() + check.budgetMicros() * 1_000;
    Runnable resume = () -> core.serve(from, check);
    if (!parking.park(new Parking.Parked(awaited, deadline, resume, () -> {}))) {
      refuse(from, check.id(), Reason.OVERLOADED);
    } else if (awaited.slot() >= 0 && slots.slot(awaited.slot()).isOpen()) {
      BitSet meanwhile = new BitSet(); // opened between our look and the parking
      meanwhile.set(awaited.slot());
      parking.found(meanwhile);
    }
  }

  private void awaitLease(MemberId from, CheckMessage check) {
    long halfMicros = check.budgetMicros() / 2;
    long deadline = ports.clock().elapsedNanos() + halfMicros * 1_000;
    Runnable resume = () -> core.serve(from, check.withBudget(halfMicros));
    Runnable giveUp = () -> refuse(from, check.id(), Reason.NO_LEASE);
    if (halfMicros == 0
        || !parking.park(new Parking.Parked(Parking.Awaited.LEASE, deadline, resume, giveUp))) {
      giveUp.run();
    }
  }

  private void refuse(MemberId to, long id, Reason reason) {
    ports.transport().send(to, new RefusalMessage(id, reason));
  }

  private Step perform(
      Deed deed, List<Target> targets, TentativeCharges.Id id, Decider.Asker asker) {
    Step step = decider.perform(deed, targets, asker);
    if (step.end() == Step.End.NO_ROOM && !deed.mode().isClaim()) {
      ports.metrics().overflow("keys");
    }
    if (step.end() == Step.End.FENCED) {
      ports.metrics().fenced();
    }
    if (deed.mode() == Deed.Mode.TENTATIVE && !step.charges().isEmpty()) {
      tentative.remember(id, step.charges());
    }
    return step;
  }
}
