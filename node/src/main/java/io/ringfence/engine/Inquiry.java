package io.ringfence.engine;

import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.message.CancelMessage;
import io.ringfence.engine.message.CheckMessage;
import io.ringfence.engine.message.CheckMessage.Mode;
import io.ringfence.engine.message.ViewRequest;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.ViewName;
import io.ringfence.rules.Ask;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One check on its way to its verdict.
 *
 * <p>The counters are asked in rounds, one an owner, narrowest first. Every round but the last
 * charges tentatively; the first that denies ends the check, and what earlier rounds charged is
 * cancelled, so that a denial charges nothing. A peek asks all rounds and charges none. Where an
 * owner does not answer, the rules' failure policy answers for that round, and the check goes on.
 *
 * <p>An owner that says it does not own the slot has another view than we. If it is a later one,
 * the check waits for it, within its deadline, and is routed anew: once, so that it can never go
 * round in a circle.
 *
 * <p>The rounds follow each other; each is started by the thread that received the end of the one
 * before, so no two threads are ever in here at once.
 */
final class Inquiry implements CallOutcome {
  private final EngineCore core;
  private final List<Round.Routed> all;
  private final boolean charge;
  private final long startNanos;
  private final VerdictListener listener;

  private final @Nullable Answer[] answers; // by index of asking; null where not asked
  private final String[] deciders; // by index of asking: who gave the answer
  private final List<Undo> undos = new ArrayList<>(2); // of the rounds that are over

  private List<Round> rounds;
  private int next; // rounds[0..next) are over
  private long callId; // of the call under way, if it goes to another member
  private boolean forwarded; // whether any other member was asked
  private boolean redirected; // whether the check was routed anew already
  private boolean passed = true;
  private boolean finished;

  Inquiry(
      EngineCore core, List<Ask> asks, boolean charge, long startNanos, VerdictListener listener) {
    this.core = core;
    this.charge = charge;
    this.startNanos = startNanos;
    this.listener = listener;
    this.all = new ArrayList<>(asks.size());
    for (Ask ask : asks) {
      all.add(new Round.Routed(ask, all.size(), core.slots().slotOf(ask.place())));
    }
    this.answers = new Answer[asks.size()];
    this.deciders = new String[asks.size()];
    this.rounds = Round.of(all, core.routing().topology());
  }

  /** How what one round charged is taken back. */
  private record Undo(Round round, Runnable action) {}

  /** Starts. */
  void start() {
    guarded(this::proceed);
  }

  @Override
  public void answered(List<Answer> fromOwner) {
    guarded(() -> take(fromOwner));
  }

  @Override
  public void notOwner(ViewName theirs) {
    guarded(() -> redirect(theirs));
  }

  @Override
  public void failed(Failure failure) {
    guarded(() -> degrade(failure));
  }

  /** Runs a step; a defect in it is answered as the rules say for an owner that does not answer. */
  private void guarded(Runnable step) {
    if (finished) {
      return;
    }
    try {
      step.run();
    } catch (RuntimeException defect) {
      core.defect(defect);
      if (!finished) {
        answerInstead();
      }
    }
  }

  private void answerInstead() {
    List<Ask> asks = all.stream().map(Round.Routed::ask).toList();
    Step step = core.fallback().answer(asks, core.knownNodes(), charge);
    for (int i = 0; i < asks.size(); i++) {
      answers[i] = step.answers().get(i);
      deciders[i] = core.self().name();
    }
    passed = step.passed();
    finish();
  }

  /** Goes on with the next round. */
  private void proceed() {
    while (next < rounds.size()) {
      Round round = rounds.get(next);
      MemberId owner = round.owner();
      if (owner == null) {
        degrade(Failure.NO_OWNER);
        return;
      }
      if (!owner.equals(core.self())) {
        forward(round, owner);
        return;
      }
      if (!decideHere(round)) {
        return;
      }
    }
    finish();
  }

  private void take(List<Answer> fromOwner) {
    Round round = rounds.get(next);
    MemberId owner = round.owner();
    if (owner == null || fromOwner.size() != round.members().size()) {
      degrade(Failure.REFUSED);
      return;
    }
    if (mode() == Mode.TENTATIVE) {
      long id = callId;
      undos.add(new Undo(round, () -> core.callsTo(owner).send(new CancelMessage(id))));
    }
    if (over(round, fromOwner, owner.name())) {
      proceed();
    }
  }

  private void redirect(ViewName theirs) {
    Topology ours = core.routing().topology();
    if (redirected) {
      degrade(Failure.REFUSED);
      return;
    }
    redirected = true;
    if (ours != null && !theirs.isAfter(ours.name())) {
      routeAnew();
      return;
    }
    MemberId owner = rounds.get(next).owner();
    if (owner != null) {
      core.ports().transport().send(owner, new ViewRequest());
    }
    Runnable giveUp = () -> failed(Failure.DEADLINE);
    if (!core.park(
        new Parking.Parked(theirs, deadlineNanos(), () -> guarded(this::routeAnew), giveUp))) {
      degrade(Failure.REFUSED);
    }
  }

  private void degrade(Failure failure) {
    Round round = rounds.get(next);
    MemberId owner = round.owner();
    if (charge && failure.mayHaveCharged() && owner != null) {
      long id = callId;
      undos.add(new Undo(round, () -> core.callsTo(owner).send(new CancelMessage(id))));
    }
    Step step = core.fallback().answer(round.asks(), core.knownNodes(), charge);
    if (!step.charges().isEmpty()) {
      undos.add(new Undo(round, () -> undo(step)));
    }
    if (over(round, step.answers(), core.self().name())) {
      proceed();
    }
  }

  private long deadlineNanos() {
    return startNanos + core.forward().deadline().toNanos();
  }

  private Mode mode() {
    if (!charge) {
      return Mode.PEEK;
    }
    return next == rounds.size() - 1 ? Mode.CHARGE : Mode.TENTATIVE;
  }

  private void forward(Round round, MemberId owner) {
    forwarded = true;
    long budgetMicros = (deadlineNanos() - core.ports().clock().elapsedNanos()) / 1_000;
    Topology topology = core.routing().topology();
    if (budgetMicros <= 0 || topology == null) {
      callId = -1;
      degrade(Failure.NO_OWNER);
      return;
    }
    Mode mode = mode();
    core.callsTo(owner)
        .ask(
            id -> {
              callId = id;
              return new CheckMessage(id, topology.name(), mode, budgetMicros, round.counters());
            },
            deadlineNanos(),
            this);
  }

  /** Decides on this node's own counters; false if the check ended, or goes on elsewhere. */
  private boolean decideHere(Round round) {
    long id = core.nextLocalId();
    Step step = core.desk().decide(round.targets(core.slots()), mode(), id);
    switch (step.end()) {
      case DECIDED -> {
        if (!step.charges().isEmpty()) {
          undos.add(new Undo(round, () -> core.desk().cancel(core.self(), id)));
        }
        return over(round, step.answers(), core.self().name());
      }
      case NOT_OPEN -> {
        if (redirected) {
          degrade(Failure.NO_OWNER);
        } else {
          redirected = true;
          routeAnew();
        }
        return false;
      }
      case NO_ROOM -> {
        degrade(Failure.REFUSED);
        return false;
      }
    }
    throw new AssertionError(step.end());
  }

  private void routeAnew() {
    List<Round.Routed> due = new ArrayList<>(all.size());
    for (Round.Routed routed : all) {
      if (answers[routed.index()] == null) {
        due.add(routed);
      }
    }
    rounds = Round.of(due, core.routing().topology());
    next = 0;
    proceed();
  }

  /** Takes the answers of a round; false if the check ended with it. */
  private boolean over(Round round, List<Answer> roundAnswers, String decider) {
    boolean roundPassed = true;
    for (int i = 0; i < roundAnswers.size(); i++) {
      Round.Routed member = round.members().get(i);
      answers[member.index()] = roundAnswers.get(i);
      deciders[member.index()] = decider;
      roundPassed &= roundAnswers.get(i).allowed() || member.shadow();
    }
    passed &= roundPassed;
    next++;
    if (!passed && charge) {
      cancelCharges(round);
      finish();
      return false;
    }
    return true;
  }

  /** Takes back what was charged, as the given round denied. */
  private void cancelCharges(Round denying) {
    for (Undo undo : undos) {
      undo.action().run();
    }
    for (Round.Routed member : all) {
      Answer answer = answers[member.index()];
      if (answer != null && answer.allowed() && !denying.members().contains(member)) {
        long before = Math.min(answer.limit(), answer.remaining() + member.ask().cost());
        answers[member.index()] = answer.withRemaining(before);
      }
    }
  }

  private void undo(Step step) {
    step.charges().forEach(charged -> charged.undo(core.ports().clock()));
  }

  private void finish() {
    finished = true;
    List<LimitVerdict> limits = new ArrayList<>(all.size());
    Certainty certainty = Certainty.EXACT;
    for (Round.Routed member : all) {
      Answer answer = answers[member.index()];
      if (answer != null) {
        limits.add(new LimitVerdict(member.ask().rule(), member.ask().limit(), answer));
        certainty = certainty.leastOf(answer.certainty());
      }
    }
    LimitVerdict deciding = Deciding.of(limits, passed);
    String owner = deciding == null ? null : deciders[indexOf(deciding)];
    Verdict verdict = new Verdict(passed, certainty, owner, limits, null);
    if (charge) {
      EngineMetrics.Path path = forwarded ? EngineMetrics.Path.FORWARD : EngineMetrics.Path.LOCAL;
      long latency = core.ports().clock().elapsedNanos() - startNanos;
      core.ports().metrics().checked(verdict, path, latency);
    }
    listener.verdict(verdict);
  }

  private int indexOf(LimitVerdict limit) {
    for (Round.Routed member : all) {
      if (member.ask().limit().id() == limit.limit().id()) {
        return member.index();
      }
    }
    throw new AssertionError("a verdict names a limit that was not asked");
  }
}
