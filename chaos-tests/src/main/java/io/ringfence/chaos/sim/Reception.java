package io.ringfence.chaos.sim;

import java.util.HashSet;
import java.util.Set;

/** A question at the node that it was sent to; a doubled one is received twice. */
final class Reception {
  final Question question;
  final long turn; // in which it was received
  final Set<CounterName> corrected = new HashSet<>(); // that it has refunded, reset or debited

  Reception(Question question, long turn) {
    this.question = question;
    this.turn = turn;
  }
}
