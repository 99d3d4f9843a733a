package io.ringfence.chaos.sim;

import static io.ringfence.chaos.sim.Invariant.ANSWERED_IN_TIME;
import static io.ringfence.chaos.sim.Invariant.ANSWERED_ONCE;
import static io.ringfence.chaos.sim.Invariant.FENCED;
import static io.ringfence.chaos.sim.Invariant.PARKED_GOES_ON;
import static io.ringfence.chaos.sim.Invariant.TRUE_AMOUNTS;

import io.ringfence.chaos.virtual.Agenda;
import io.ringfence.chaos.virtual.Findings;
import io.ringfence.engine.EngineMetrics;
import io.ringfence.engine.Verdict;
import io.ringfence.engine.message.AnswerMessage;
import io.ringfence.engine.message.CancelMessage;
import io.ringfence.engine.message.CheckMessage;
import io.ringfence.engine.message.CopyMessage;
import io.ringfence.engine.message.CounterAsk;
import io.ringfence.engine.message.Deed;
import io.ringfence.engine.message.LiftMessage;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.engine.message.RefusalMessage;
import io.ringfence.membership.MemberId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sees everything that passes the ports of all engines, and holds it against the reference.
 *
 * <p>The engines run in turns: one entry of one engine at a time, from outside in and back out.
 * Within a turn messages are seen as they are sent, so a decision for another node is known at its
 * instant; what a node decided for its own callers is worked out at the end of the turn by {@link
 * OwnSteps}.
 */
final class Witness {
  private final Agenda agenda;
  private final Findings findings;
  final Books books;
  final LocalShares shares;
  private final OwnSteps ownSteps;
  private final BreakerWatch breakers;
  final Copies copies;

  private final List<Call> calls = new ArrayList<>();
  private final Map<SimNode, List<Call>> pending = new HashMap<>();
  private final Set<Call> progressed = new LinkedHashSet<>(); // in the turn under way
  private long turn; // the number of the turn under way
  private boolean resumed; // whether a lease let go on what waited, in the turn under way

  // whose question a message is, answers or cancels; by identity, as doubles are one message
  private final IdentityHashMap<PeerMessage, Question> questionOf = new IdentityHashMap<>();
  private final Map<Numbered, Question> newest = new HashMap<>();
  private final List<Question> debits = new ArrayList<>();
  private final Map<SimNode, List<Reception>> unanswered = new HashMap<>(); // at its receiver

  Witness(Agenda agenda, Findings findings, Scenario scenario) {
    this.agenda = agenda;
    this.findings = findings;
    this.books = new Books(scenario.rules(), findings);
    this.shares = new LocalShares(scenario, books.debts, findings);
    this.ownSteps = new OwnSteps(books, shares, findings, agenda, this::pendingAt);
    this.breakers = new BreakerWatch(agenda, findings);
    this.copies = new Copies(agenda);
  }

  /** A caller gives the number; it is unique for the two. */
  private record Numbered(MemberId caller, MemberId owner, long id) {}

  List<Call> calls() {
    return calls;
  }

  List<Call> pendingAt(SimNode node) {
    return pending.getOrDefault(node, List.of());
  }

  /** Questions that a node has received, not answered, and may still answer. */
  long heldAt(SimNode node) {
    return unanswered.getOrDefault(node, List.of()).stream()
        .filter(held -> held.question.isAwaited(agenda.now()))
        .count();
  }

  /** Debits of a node that may not have ended yet. */
  long debitsUnderWay(SimNode node) {
    return debits.stream()
        .filter(debit -> debit.caller == node && debit.isAwaited(agenda.now() - 1))
        .count();
  }

  @Nullable Question questionOf(PeerMessage message) {
    return questionOf.get(message);
  }

  /** A check is made; in the turn of its node. */
  void began(Call call) {
    calls.add(call);
    books.learn(call);
    shares.began(call);
    pending.computeIfAbsent(call.node, unused -> new ArrayList<>()).add(call);
    progressed.add(call);
  }

  /** A check is answered; in a turn of its node. */
  void answered(Call call, Verdict verdict) {
    if (!call.pending()) {
      findings.broken(ANSWERED_ONCE, "%s was answered twice".formatted(call));
      return;
    }
    call.verdict = verdict;
    call.fromDenyCache = call.plan.isCheck() && call.node.lastPath == EngineMetrics.Path.DENY_CACHE;
    call.answeredNanos = agenda.now();
    progressed.add(call);
    pendingAt(call.node).remove(call);
    long due = call.beganNanos + Scenario.DEADLINE_NANOS;
    long last = Math.max(due, call.node.wokeNanos);
    findings.require(
        agenda.now() <= last,
        ANSWERED_IN_TIME,
        () -> "%s was answered %d ns too late".formatted(call, agenda.now() - last));
  }

  /** The turn of a node is over. */
  void turnEnds(SimNode node) {
    carriedOut(node);
    List<Call> corrections = pendingAt(node).stream().filter(call -> call.plan.corrects()).toList();
    ownSteps.settle(node, progressed, corrections);
    progressed.clear();
    resumed = false;
    turn++;
  }

  /**
   * What corrects counters of a node, and could do so in this turn, has. Of what a lease resumed,
   * or may have, the order does not show.
   */
  private void carriedOut(SimNode node) {
    if (!node.mayDecide(agenda.now())) {
      return;
    }
    for (Reception held : unanswered.getOrDefault(node, List.of())) {
      if (held.question.corrects() && held.turn == turn) {
        ownSteps.corrections().carriedOut(node, held);
      } else if (held.question.corrects() && resumed) {
        ownSteps.corrections().cannotTell(node, held);
      }
    }
  }

  /** Looks at one counter of a node between turns. */
  void audit(SimNode node, Call call, int index) {
    ownSteps.suspects().audit(node, call, index);
  }

  /** An engine hands a message over; before it is known whether it can be sent. */
  void sends(SimNode from, MemberId to, PeerMessage message) {
    if (message instanceof CheckMessage check) {
      asks(from, to, check);
    } else if (message instanceof AnswerMessage answer) {
      Reception reception = closes(from, to, answer.id(), message);
      if (resumed) {
        carriedOut(from);
      }
      if (reception != null && !reception.question.corrects()) {
        findings.require(
            from.mayDecide(agenda.now()),
            FENCED,
            () -> "%s decided without a lease: %s".formatted(from, Messages.tell(message)));
      }
      if (reception != null && reception.question.corrects()) {
        ownSteps.corrections().corrected(from, reception, answer.answers());
      } else if (reception != null) {
        books.decided(from, reception.question, answer.answers());
      }
    } else if (message instanceof RefusalMessage refusal) {
      closes(from, to, refusal.id(), message);
    } else if (message instanceof CopyMessage copy) {
      copies.sent(copy);
    } else if (message instanceof LiftMessage lift) {
      ownSteps.corrections().lifts(lift);
    } else if (message instanceof CancelMessage cancel) {
      Question question = newest.get(new Numbered(from.id, to, cancel.checkId()));
      if (question != null) {
        question.cancelled = true;
        questionOf.put(message, question);
      }
    }
  }

  private void asks(SimNode from, MemberId to, CheckMessage check) {
    if (check.mode() == Deed.Mode.DEBIT && check.deed().request() != null) {
      Question debit = Question.debit(from, to, check, agenda.now());
      debits.add(debit);
      add(from, debit);
      return;
    }
    Call call = askedBy(from, check);
    if (call == null) {
      findings.broken(
          TRUE_AMOUNTS, "%s asks %s for no call: %s".formatted(from, to, Messages.tell(check)));
      return;
    }
    findings.require(
        from.mayDecide(agenda.now()),
        FENCED,
        () -> "%s is cut off and asks %s: %s".formatted(from, to, Messages.tell(check)));
    Question question = Question.of(call, to, check);
    call.questions.add(question);
    call.waitsFor = question;
    progressed.add(call);
    add(from, question);
  }

  private void add(SimNode from, Question question) {
    questionOf.put(question.message, question);
    newest.put(new Numbered(from.id, question.to, question.message.id()), question);
    breakers.asked(from, question);
  }

  private @Nullable Call askedBy(SimNode from, CheckMessage check) {
    for (Call call : pendingAt(from)) {
      if (call.mayAsk(check)) {
        return call;
      }
    }
    return null;
  }

  private @Nullable Reception closes(SimNode from, MemberId to, long id, PeerMessage message) {
    List<Reception> held = unanswered.getOrDefault(from, List.of());
    for (int newestFirst = held.size() - 1; newestFirst >= 0; newestFirst--) {
      Reception reception = held.get(newestFirst);
      Question question = reception.question;
      if (question.caller.id.equals(to) && question.message.id() == id) {
        held.remove(newestFirst);
        questionOf.put(message, question);
        return reception;
      }
    }
    findings.broken(
        TRUE_AMOUNTS, "%s answers what was not asked: %s".formatted(from, Messages.tell(message)));
    return null;
  }

  /** A message was not sent, as the receiver is not connected or the queue is full. */
  void notSent(SimNode from, PeerMessage message) {
    Question question = questionOf.get(message);
    if (question == null) {
      return;
    }
    question.disturbed = true;
    if (message instanceof CheckMessage) {
      if (question.call != null) {
        question.call.waitsFor = null;
      }
      breakers.failed(from, question);
    }
  }

  /** A message was lost, doubled, is late or waits for a frozen node. */
  void disturbed(PeerMessage message) {
    Question question = questionOf.get(message);
    if (question != null) {
      question.disturbed = true;
    }
  }

  /** A message reaches an engine; before the engine sees it, in its turn. */
  void receives(SimNode node, SimNode from, PeerMessage message) {
    Question question = questionOf.get(message);
    if (message instanceof CancelMessage cancel) {
      ownSteps.takenBack(books.cancelled(node, from.id, cancel.checkId()));
    } else if (message instanceof CopyMessage copy) {
      copies.received(from, node, copy);
    } else if (question == null) {
      return;
    } else if (message instanceof CheckMessage) {
      unanswered
          .computeIfAbsent(node, unused -> new ArrayList<>())
          .add(new Reception(question, turn));
    } else {
      reaches(question, message);
    }
  }

  private void reaches(Question question, PeerMessage message) {
    Call call = question.call;
    breakers.answered(question.caller, question);
    if (call == null || call.waitsFor != question || !call.pending()) {
      return;
    }
    call.waitsFor = null;
    progressed.add(call);
    if (message instanceof AnswerMessage answer) {
      boolean inTime = agenda.now() < call.beganNanos + Scenario.DEADLINE_NANOS;
      question.answeredInTime = inTime;
      question.chargeIsKnown = inTime && question.chargesTentatively() && passes(question, answer);
      List<CounterAsk> asked = question.message.counters();
      for (int i = 0; i < asked.size(); i++) {
        CounterName name = CounterName.of(asked.get(i));
        if (inTime) {
          call.told.put(name, answer.answers().get(i));
        } else {
          call.toldLate(name, answer.answers().get(i));
        }
      }
    }
  }

  private static boolean passes(Question question, AnswerMessage answer) {
    List<CounterAsk> asked = question.message.counters();
    boolean passes = true;
    for (int i = 0; i < asked.size(); i++) {
      passes &= answer.answers().get(i).allowed() || asked.get(i).shadow();
    }
    return passes;
  }

  /** A node learns that its connections to another are gone; before its engine is told. */
  void disconnected(SimNode node, MemberId peer) {
    for (Call call : pendingAt(node)) {
      Question question = call.waitsFor;
      if (question != null && question.to.equals(peer)) {
        question.disturbed = true;
        call.waitsFor = null;
      }
    }
    breakers.forget(node, peer);
  }

  /** Two nodes are connected anew. */
  void connected(SimNode node, MemberId peer) {
    breakers.forget(node, peer);
  }

  /** The node whose turn it is has a lease again; before its engine is told. */
  void leaseGains() {
    resumed = true;
  }

  /** A node has a lease again, and its engine has been told: nothing waits for it. */
  void leaseGained(SimNode node) {
    carriedOut(node);
    for (Reception held : unanswered.getOrDefault(node, List.of())) {
      Question question = held.question;
      findings.require(
          question.corrects() || !question.isAwaited(agenda.now()),
          PARKED_GOES_ON,
          () -> "%s still holds a question of %s".formatted(node, question.caller));
    }
  }

  /** A node was stopped: what it waited for may be served late. */
  void froze(SimNode node) {
    breakers.forgetAll(node);
  }
}
