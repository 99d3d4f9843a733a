package io.ringfence.engine;

import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.message.CancelMessage;
import io.ringfence.engine.message.CheckMessage;
import io.ringfence.engine.message.Deed;
import io.ringfence.engine.message.NotOwnerMessage;
import io.ringfence.engine.message.ViewRequest;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.ViewName;
import io.ringfence.rules.Ask;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One question on its way to its verdict.
 *
 * <p>The counters are asked in rounds, one an owner, narrowest first. Every round of a check but
 * the last charges tentatively; the first that denies ends the check, and what earlier rounds
 * charged is cancelled, so that a denial charges nothing. Whatever else is asked (a peek, a refund,
 * a reset, a debit) goes through all rounds. Where an owner does not answer, the rules' failure
 * policy answers for that round, and the question goes on. A node that is cut off asks nobody: its
 * rules' policy for that answers at once.
 *
 * <p>A check that meets a counter which is known to deny ends before it begins: its owner is not
 * asked, and no other counter is charged. A request that has a name is asked all the same, as its
 * first answer may have been another.
 *
 * <p>An owner that says it does not decide for a slot has passed it on in this view, and says to
 * whom; or it has another view than we. If that is a later one, the question waits for it, within
 * its deadline. Then it is routed anew: {@link #MAX_REDIRECTS} times at most, so that it can never
 * go round in a circle for long.
 *
 * <p>The rounds follow each other; each is started by the thread that received the end of the one
 * before, so no two threads are ever in here at once.
 */
final class Inquiry implements CallOutcome {
  /** A move, a fault that meets it, and a view that says so. */
  private static final int MAX_REDIRECTS = 3;

  private final EngineCore core;
  private final Question question;
  private final List<Round.Routed> all;
  private final VerdictListener listener;

  private final @Nullable Answer[] answers; // by index of asking; null where not asked
  private final String[] deciders; // by index of asking: who gave the answer
  private final List<Round.Routed> asking = new ArrayList<>(2); // counted as such in Denials
  private final List<Runnable> undos = new ArrayList<>(2); // take back what earlier rounds charged

  private List<Round> rounds;
  private int next; // rounds[0..next) are over
  private long callId; // of the call under way, if it goes to another member
  private EngineMetrics.Path path = EngineMetrics.Path.LOCAL;
  private int redirects; // how often the question was routed anew
  private boolean passed = true;
  private boolean outOfRoom; // whether a table was full on the way
  private boolean finished;

  Inquiry(EngineCore core, Question question, List<Ask> asks, VerdictListener listener) {
    this.core = core;
    this.question = question;
    this.listener = listener;
    this.all = new ArrayList<>(asks.size());
    for (Ask ask : asks) {
      CounterKey key = core.slots().keyOf(ask.limit().id(), ask.values());
      all.add(new Round.Routed(ask, all.size(), core.slots().slotOf(ask.place()), key));
    }
    this.answers = new Answer[asks.size()];
    this.deciders = new String[asks.size()];
    this.rounds = Round.of(all, core.routing().topology());
  }

  /** Starts. */
  void start() {
    guarded(
        () -> {
          if (!knownDenied()) {
            proceed();
          }
        });
  }

  @Override
  public void answered(List<Answer> fromOwner) {
    guarded(() -> take(fromOwner));
  }

  @Override
  public void notOwner(NotOwnerMessage told) {
    guarded(() -> redirect(told));
  }

  @Override
  public void failed(Failure failure) {
    guarded(() -> failedFor(failure));
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
    takeBack();
    List<Ask> asks = all.stream().map(Round.Routed::ask).toList();
    Step step = fallback(question.deed(false), asks, FallbackMode.Cause.UNAVAILABLE);
    for (int i = 0; i < asks.size(); i++) {
      answers[i] = step.answers().get(i);
      deciders[i] = core.self().name();
    }
    passed = step.passed();
    finish();
  }

  /** Ends the check if a counter of another member is known to deny. */
  private boolean knownDenied() {
    if (!question.isCheck() || question.request() != null) {
      return false;
    }
    long now = core.ports().clock().elapsedNanos();
    for (Round round : rounds) {
      if (round.owner() == null || round.owner().equals(core.self())) {
        continue;
      }
      for (Round.Routed member : round.members()) {
        if (member.shadow()) {
          continue;
        }
        Denials.Admission admission = core.denials().admit(member.key(), member.ask().cost(), now);
        if (admission.told() != null) {
          repeat(admission.told(), member, now);
          return true;
        }
        if (admission.counted()) {
          asking.add(member);
        }
      }
    }
    return false;
  }

  private void repeat(Denials.Told told, Round.Routed denying, long now) {
    for (Round.Routed member : all) {
      Denials.Said said =
          member.index() == denying.index()
              ? told.denial(member.key(), now)
              : told.about(member.key(), now);
      if (said != null) {
        answers[member.index()] = said.answer();
        deciders[member.index()] = said.decider();
      }
    }
    path = EngineMetrics.Path.DENY_CACHE;
    passed = false;
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
    if (deed().mode() == Deed.Mode.TENTATIVE) {
      long id = callId;
      undos.add(() -> core.callsTo(owner).send(new CancelMessage(id)));
    }
    goOn(round, fromOwner, owner.name());
  }

  private void redirect(NotOwnerMessage told) {
    Topology ours = core.routing().topology();
    redirects++;
    if (redirects > MAX_REDIRECTS) {
      degrade(Failure.REFUSED);
      return;
    }
    ViewName theirs = told.view();
    if (ours != null && !theirs.isAfter(ours.name())) {
      ours.learn(told, rounds.get(next)::asksFor);
      routeAnew();
      return;
    }
    MemberId owner = rounds.get(next).owner();
    if (owner != null) {
      core.ports().transport().send(owner, new ViewRequest());
    }
    Runnable giveUp = () -> failed(Failure.DEADLINE);
    Runnable resume = () -> guarded(this::routeAnew);
    Parking.Awaited view = Parking.Awaited.view(theirs);
    if (!core.park(new Parking.Parked(view, deadlineNanos(), resume, giveUp))) {
      degrade(Failure.REFUSED);
    }
  }

  /** One of the round's slots is this node's, and not open now. */
  private void awaitSlot(Round round) {
    Topology ours = core.routing().topology();
    int closed = -1;
    for (Round.Routed member : round.members()) {
      if (!core.slots().slot(member.slot()).isOpen()) {
        closed = member.slot();
      }
    }
    redirects++;
    if (redirects > MAX_REDIRECTS || ours == null) {
      degrade(Failure.NO_OWNER);
    } else if (closed < 0 || !core.self().equals(ours.deciderOf(closed))) {
      routeAnew();
    } else {
      callId = -1;
      Runnable giveUp = () -> failed(Failure.NO_OWNER);
      Runnable resume = () -> guarded(this::routeAnew);
      Parking.Awaited slot = Parking.Awaited.slot(closed);
      if (!core.park(new Parking.Parked(slot, deadlineNanos(), resume, giveUp))) {
        degrade(Failure.NO_OWNER);
      } else if (core.slots().slot(closed).isOpen()) {
        core.resume(closed); // opened between our look and the parking
      }
    }
  }

  /**
   * The owner was not asked, or did not answer. If it has just been lost, it may be dead, and the
   * next view says who decides in its place: that is waited for. What it may have charged stands.
   */
  private void failedFor(Failure failure) {
    Round round = rounds.get(next);
    MemberId owner = round.owner();
    boolean mayBeDead =
        owner != null
            && (failure == Failure.DISCONNECTED
                || failure == Failure.UNREACHABLE
                || failure == Failure.BREAKER_OPEN)
            && core.callsTo(owner).lostLately();
    redirects += mayBeDead ? 1 : 0;
    if (!mayBeDead || redirects > MAX_REDIRECTS) {
      degrade(failure);
    } else if (isElsewhere(round, owner)) {
      routeAnew(); // the view came before the connection was lost
    } else if (!awaitNextView(round)) {
      degrade(failure);
    } else if (isElsewhere(round, owner)) {
      core.resume(round.members().get(0).slot()); // it turned out meanwhile who decides
    }
  }

  private boolean isElsewhere(Round round, @Nullable MemberId asked) {
    Topology topology = core.routing().topology();
    return topology != null
        && round.members().stream()
            .noneMatch(member -> Objects.equals(asked, topology.deciderOf(member.slot())));
  }

  private boolean awaitNextView(Round round) {
    callId = -1;
    Runnable giveUp = () -> guarded(() -> degrade(Failure.UNREACHABLE));
    Runnable resume = () -> guarded(this::routeAnew);
    Parking.Awaited slot = Parking.Awaited.slot(round.members().get(0).slot());
    return core.park(new Parking.Parked(slot, deadlineNanos(), resume, giveUp));
  }

  private void degrade(Failure failure) {
    Round round = rounds.get(next);
    MemberId owner = round.owner();
    if (question.isCheck() && failure.mayHaveCharged() && owner != null) {
      long id = callId;
      undos.add(() -> core.callsTo(owner).send(new CancelMessage(id)));
    }
    outOfRoom |= failure == Failure.NO_ROOM;
    boolean cutOff =
        failure == Failure.NO_LEASE || core.isCutOff(core.ports().clock().elapsedNanos());
    FallbackMode.Cause cause = cutOff ? FallbackMode.Cause.CUT_OFF : FallbackMode.Cause.UNAVAILABLE;
    Step step = fallback(deed(), round.asks(), cause);
    outOfRoom |= step.end() == Step.End.NO_ROOM;
    if (!step.charges().isEmpty()) {
      undos.add(() -> core.fallback().undo(step));
    }
    goOn(round, step.answers(), core.self().name());
  }

  private Step fallback(Deed deed, List<Ask> asks, FallbackMode.Cause cause) {
    return core.fallback().answer(deed, asks, new Fallback.Share(core.knownNodes(), cause));
  }

  private long deadlineNanos() {
    return question.startNanos() + core.forward().deadline().toNanos();
  }

  private Deed deed() {
    return question.deed(next < rounds.size() - 1);
  }

  private void forward(Round round, MemberId owner) {
    long now = core.ports().clock().elapsedNanos();
    if (core.isCutOff(now)) {
      callId = -1;
      degrade(Failure.NO_LEASE);
      return;
    }
    path = EngineMetrics.Path.FORWARD;
    long budgetMicros = (deadlineNanos() - now) / 1_000;
    Topology topology = core.routing().topology();
    if (budgetMicros <= 0 || topology == null) {
      callId = -1;
      degrade(Failure.NO_OWNER);
      return;
    }
    Deed deed = deed();
    core.callsTo(owner)
        .ask(
            id -> {
              callId = id;
              return new CheckMessage(id, topology.name(), deed, budgetMicros, round.counters());
            },
            deadlineNanos(),
            this);
  }

  /** Has this node's own counters decide; false if the question ended, or goes on elsewhere. */
  private boolean decideHere(Round round) {
    long id = core.nextLocalId();
    Step step = core.desk().perform(deed(), round.targets(), id);
    switch (step.end()) {
      case DECIDED -> {
        if (!step.charges().isEmpty()) {
          undos.add(() -> core.desk().cancel(core.self(), id));
        }
        BitSet waitFor = core.mustBeCopied(deed(), round.targets(), step);
        if (!waitFor.isEmpty()) {
          awaitCopies(round, step, waitFor);
          return false;
        }
        if (step.lifts().isEmpty()) {
          return over(round, step.answers(), core.self().name());
        }
        core.lift(
            Desk.lifted(step.lifts()),
            deadlineNanos(),
            () -> guarded(() -> goOn(round, step.answers(), core.self().name())));
        return false;
      }
      case NOT_OPEN -> {
        awaitSlot(round);
        return false;
      }
      case FENCED -> {
        degrade(Failure.NO_LEASE);
        return false;
      }
      case NO_ROOM -> {
        degrade(Failure.NO_ROOM);
        return false;
      }
    }
    throw new AssertionError(step.end());
  }

  /**
   * Goes on once the charge is copied; if that takes too long it stands, and the policy answers.
   */
  private void awaitCopies(Round round, Step step, BitSet waitFor) {
    callId = -1;
    Runnable then =
        () ->
            core.lift(
                Desk.lifted(step.lifts()),
                deadlineNanos(),
                () -> guarded(() -> goOn(round, step.answers(), core.self().name())));
    Runnable giveUp = () -> guarded(() -> degrade(Failure.NO_OWNER));
    core.whenCopied(new CopyWait(waitFor, deadlineNanos(), then, giveUp));
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

  /** Takes the answers of a round, and goes on with the next. */
  private void goOn(Round round, List<Answer> roundAnswers, String decider) {
    if (over(round, roundAnswers, decider)) {
      proceed();
    }
  }

  /** Takes the answers of a round; false if the question ended with it. */
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
    if (!passed && question.isCheck()) {
      cancelCharges(round);
      finish();
      return false;
    }
    return true;
  }

  /** Takes back, once, what was charged so far. */
  private void takeBack() {
    List<Runnable> taken = List.copyOf(undos);
    undos.clear();
    for (Runnable undo : taken) {
      try {
        undo.run();
      } catch (RuntimeException defect) {
        core.defect(defect);
      }
    }
  }

  /** Takes back what was charged, as the given round denied. */
  private void cancelCharges(Round denying) {
    takeBack();
    for (Round.Routed member : all) {
      Answer answer = answers[member.index()];
      if (answer != null && answer.allowed() && !denying.members().contains(member)) {
        long before = Math.min(answer.limit(), answer.remaining() + member.ask().cost());
        answers[member.index()] = answer.withRemaining(before);
      }
    }
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
    try {
      if (question.isCheck()) {
        account(verdict);
      }
    } finally {
      listener.verdict(verdict); // whatever becomes of the books, who asked is answered
    }
  }

  /** Keeps the books of a check that has its verdict. */
  private void account(Verdict verdict) {
    long now = core.ports().clock().elapsedNanos();
    rememberDenials(now);
    for (Round.Routed member : asking) {
      Answer answer = answers[member.index()];
      boolean allowed = answer != null && answer.allowed() && answer.certainty().isSure();
      core.denials().answered(member.key(), member.ask().cost(), allowed);
    }
    EngineMetrics.Passage passage =
        new EngineMetrics.Passage(path, outOfRoom, now - question.startNanos());
    core.ports().metrics().checked(verdict, passage);
  }

  /** Whether this node is in no view, and forwards by that of others. */
  private boolean isGuest() {
    Topology topology = core.routing().topology();
    return topology == null || !topology.view().contains(core.self());
  }

  /**
   * Keeps in mind which counters of other members denied. Who has left the view is not told when a
   * denial ends before its time, and so asks each time.
   */
  private void rememberDenials(long now) {
    if (passed || path != EngineMetrics.Path.FORWARD || question.request() != null || isGuest()) {
      return;
    }
    Denials.Told told = null;
    for (Round.Routed member : all) {
      Answer answer = answers[member.index()];
      boolean sureDenial =
          answer != null
              && !answer.allowed()
              && answer.certainty().isSure()
              && !member.shadow()
              && !deciders[member.index()].equals(core.self().name());
      if (answer != null && sureDenial) {
        told = told == null ? new Denials.Told(now, said()) : told;
        core.denials()
            .remember(member.key(), member.ask().cost(), answer, told, question.startNanos());
      }
    }
  }

  private List<Denials.Said> said() {
    List<Denials.Said> said = new ArrayList<>(all.size());
    for (Round.Routed member : all) {
      Answer answer = answers[member.index()];
      if (answer != null) {
        said.add(new Denials.Said(member.key(), answer, deciders[member.index()]));
      }
    }
    return said;
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
