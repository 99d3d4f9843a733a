package io.ringfence.engine;

import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.message.CheckMessage;
import io.ringfence.engine.message.CounterAsk;
import io.ringfence.engine.message.Deed;
import io.ringfence.engine.message.Late;
import io.ringfence.engine.message.NotOwnerMessage;
import io.ringfence.engine.message.RequestKey;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.ViewName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Passes on to owners what local buckets admitted in their place, once they answer again.
 *
 * <p>What a local bucket admitted is unknown to the owner. Of late state it may have had a copy
 * after all, so that is claimed on the count of the term in which it was charged ({@link Late}),
 * and the owner takes what it lacks.
 *
 * <p>A turn takes all that is owed, groups it by owner, limit and kind, and debits each group in
 * one call. A call has a request key of its own; where no answer comes it is repeated under that
 * key, so a debit that arrived is not applied twice though its answer was lost: its counter
 * remembers the key for a minute, wherever it is by then. If it is at another owner, that one is
 * asked.
 *
 * <p>Who does not answer is asked again after {@link #PAUSE_NANOS}, and who has no room after
 * {@link #LONG_PAUSE_NANOS}, for as much as weighs then. Thread-safe; nothing blocks.
 */
final class Repayment {
  static final long PAUSE_NANOS = 1_000_000_000L;
  static final long LONG_PAUSE_NANOS = 10_000_000_000L;

  private final EngineCore core;
  private final Owed owed;
  private final AtomicLong lastKey = new AtomicLong();

  // calls that were not answered, with the time at which they are tried again; guarded by this
  private final List<Group> waiting = new ArrayList<>();

  Repayment(EngineCore core, Owed owed) {
    this.core = core;
    this.owed = owed;
  }

  /** Debts at one owner, of one limit and on one account. */
  private record Group(MemberId owner, RequestKey key, List<Owed.Debt> debts, long notBeforeNanos) {

    Group at(long nanos) {
      return new Group(owner, key, debts, nanos);
    }
  }

  private record Heading(MemberId owner, long limitId, int account, Deed.Mode mode) {}

  /** Passes on what can be passed on now. */
  void turn() {
    Topology topology = core.routing().topology();
    if (topology == null) {
      return;
    }
    Moment now = Moment.of(core.ports().clock());
    for (Group group : due(now.elapsedNanos())) {
      callAgain(group, owed.weighing(group.debts(), now), topology);
    }
    if (owed.isEmpty()) {
      return;
    }
    Map<Heading, List<Owed.Debt>> groups = new HashMap<>();
    for (Owed.Debt debt : owed.takeAll(now)) {
      MemberId owner = topology.deciderOf(debt.slot());
      if (owner == null || !mayBeAsked(owner)) {
        owed.add(debt);
        continue;
      }
      Heading heading = new Heading(owner, debt.key().limitId(), debt.account(), debt.mode());
      List<Owed.Debt> group = groups.computeIfAbsent(heading, h -> new ArrayList<>());
      group.add(debt);
      if (group.size() == CheckMessage.MAX_COUNTERS) {
        call(new Group(owner, nextKey(), group, 0), topology.name());
        groups.remove(heading);
      }
    }
    groups.forEach(
        (heading, group) -> call(new Group(heading.owner(), nextKey(), group, 0), topology.name()));
  }

  /** Calls that wait for another turn. */
  synchronized int waiting() {
    return waiting.size();
  }

  private boolean mayBeAsked(MemberId owner) {
    return owner.equals(core.self()) ? !core.slots().isFull() : !core.callsTo(owner).breakerOpen();
  }

  /** Repeats a call, at each owner by now of what it is about. */
  private void callAgain(Group group, List<Owed.Debt> debts, Topology topology) {
    Map<MemberId, List<Owed.Debt>> byOwner = new HashMap<>();
    for (Owed.Debt debt : debts) {
      MemberId owner = topology.deciderOf(debt.slot());
      byOwner
          .computeIfAbsent(owner == null ? group.owner() : owner, o -> new ArrayList<>())
          .add(debt);
    }
    byOwner.forEach(
        (owner, theirs) -> call(new Group(owner, group.key(), theirs, 0), topology.name()));
  }

  private synchronized List<Group> due(long nowNanos) {
    List<Group> due = new ArrayList<>();
    waiting.removeIf(group -> group.notBeforeNanos() <= nowNanos && due.add(group));
    return due;
  }

  private RequestKey nextKey() {
    return new RequestKey(core.self().incarnation(), lastKey.incrementAndGet());
  }

  private void call(Group group, ViewName view) {
    Owed.Debt first = group.debts().get(0);
    Deed deed = new Deed(first.mode(), group.key(), Tenants.numberOf(first.account()));
    if (group.owner().equals(core.self())) {
      debitHere(group, deed);
      return;
    }
    long deadline = core.ports().clock().elapsedNanos() + core.forward().deadline().toNanos();
    long budgetMicros = core.forward().deadline().toNanos() / 1_000;
    List<CounterAsk> asks =
        group.debts().stream()
            .map(
                debt ->
                    new CounterAsk(
                        debt.key().limitId(),
                        false,
                        debt.slot(),
                        debt.key().values(),
                        Math.min(debt.units(), Check.MAX_COST),
                        debt.late()))
            .toList();
    core.callsTo(group.owner())
        .ask(
            id -> new CheckMessage(id, view, deed, budgetMicros, asks),
            deadline,
            new Ending(group));
  }

  private void debitHere(Group group, Deed deed) {
    List<Target> targets = new ArrayList<>(group.debts().size());
    for (Owed.Debt debt : group.debts()) {
      var counted = core.routing().rules().limit(debt.key().limitId());
      if (counted != null) {
        targets.add(
            new Target(
                debt.key(),
                debt.slot(),
                counted.limit().algorithm(),
                debt.units(),
                false,
                counted.rule().effect().failure(),
                debt.late()));
      }
    }
    if (targets.isEmpty()) {
      return; // the rules have no such limit any more
    }
    Step step = core.desk().perform(deed, targets, core.nextLocalId());
    if (step.end() == Step.End.DECIDED) {
      targets.forEach(target -> core.ports().metrics().debited(target.cost()));
    } else {
      tryLater(group, step.end() == Step.End.NO_ROOM ? LONG_PAUSE_NANOS : PAUSE_NANOS);
    }
  }

  private synchronized void tryLater(Group group, long pauseNanos) {
    waiting.add(group.at(core.ports().clock().elapsedNanos() + pauseNanos));
  }

  /** How a call ended. */
  private final class Ending implements CallOutcome {
    private final Group group;

    Ending(Group group) {
      this.group = Objects.requireNonNull(group);
    }

    @Override
    public void answered(List<Answer> answers) {
      group.debts().forEach(debt -> core.ports().metrics().debited(debt.units()));
    }

    @Override
    public void notOwner(NotOwnerMessage told) {
      Topology topology = core.routing().topology();
      if (topology != null) {
        topology.learn(told, slot -> group.debts().stream().anyMatch(debt -> debt.slot() == slot));
      }
      tryLater(group, 0);
    }

    @Override
    public void failed(Failure failure) {
      tryLater(group, failure == Failure.NO_ROOM ? LONG_PAUSE_NANOS : PAUSE_NANOS);
    }
  }
}
