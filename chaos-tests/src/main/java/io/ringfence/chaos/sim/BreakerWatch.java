package io.ringfence.chaos.sim;

import io.ringfence.chaos.virtual.Agenda;
import io.ringfence.chaos.virtual.Findings;
import io.ringfence.membership.MemberId;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts for each caller and owner how many questions in a row were not answered. After as many as
 * the breaker takes, no question goes out but one in a probe interval.
 *
 * <p>A question counts as failed once its call's deadline has passed, or at once where it could not
 * be sent. What a connection or a stop of the caller changed is not followed: the count starts
 * again. The breaker may then have opened before this count says so; a question that comes a probe
 * interval after the one before it is therefore never held against it.
 */
final class BreakerWatch {
  private static final long PROBE_NANOS = Scenario.FORWARD.probe().toNanos();

  private final Agenda agenda;
  private final Findings findings;
  private final Map<Pair, Count> counts = new HashMap<>();

  BreakerWatch(Agenda agenda, Findings findings) {
    this.agenda = agenda;
    this.findings = findings;
  }

  private record Pair(SimNode caller, MemberId owner) {}

  private static final class Count {
    int failures; // in a row
    long openedNanos; // when the last of enough failures was counted
    long lastProbeNanos = Long.MIN_VALUE / 2; // when a question went out although open
    long lastAskedNanos = Long.MIN_VALUE / 2; // when any went out
  }

  void asked(SimNode caller, Question question) {
    Pair pair = new Pair(caller, question.to);
    Count count = counts.computeIfAbsent(pair, unused -> new Count());
    if (count.failures >= Scenario.FORWARD.breakerFailures()) {
      long since = agenda.now() - Math.max(count.openedNanos, count.lastProbeNanos);
      findings.require(
          since >= PROBE_NANOS || agenda.now() - count.lastAskedNanos >= PROBE_NANOS,
          Invariant.BREAKER_SPARES,
          () ->
              "%s asks %s again %.3f ms after %d failures"
                  .formatted(caller, question.to.name(), since / 1e6, count.failures));
      count.lastProbeNanos = agenda.now();
    }
    count.lastAskedNanos = agenda.now();
    agenda.at(question.dueNanos + 1, () -> overdue(count, question));
  }

  private void overdue(Count count, Question question) {
    if (!question.ended) {
      question.ended = true;
      fail(count);
    }
  }

  /** A question could not be sent. */
  void failed(SimNode caller, Question question) {
    Count count = counts.get(new Pair(caller, question.to));
    if (count != null && !question.ended) {
      question.ended = true;
      fail(count);
    }
  }

  private void fail(Count count) {
    count.failures++;
    if (count.failures == Scenario.FORWARD.breakerFailures()) {
      count.openedNanos = agenda.now();
    }
  }

  /** Anything came back from the owner for that question. */
  void answered(SimNode caller, Question question) {
    Count count = counts.get(new Pair(caller, question.to));
    if (count != null && !question.ended) {
      question.ended = true;
      count.failures = 0;
    }
  }

  /** What is known of one owner says nothing any more. */
  void forget(SimNode caller, MemberId owner) {
    counts.remove(new Pair(caller, owner));
  }

  /** What is known of all owners says nothing any more. */
  void forgetAll(SimNode caller) {
    counts.keySet().removeIf(pair -> pair.caller() == caller);
  }
}
