package io.ringfence.chaos.sim;

import java.util.HashSet;
import java.util.Set;

/** A question at the node that it was sent to; a doubled one is received twice. */
final class Reception {
  final Question question;
  final long turn; // in which it was received
  final long endsNanos; // virtual; when it is not carried out any more
  final Set<CounterName> corrected = new HashSet<>(); // that it has refunded, reset or debited

  Reception(Question question, long turn, long nowNanos) {
    this.question = question;
    this.turn = turn;
    this.endsNanos = nowNanos + question.message.budgetMicros() * 1_000;
  }
}
