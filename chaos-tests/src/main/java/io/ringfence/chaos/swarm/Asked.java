package io.ringfence.chaos.swarm;

import io.ringfence.engine.Certainty;
import io.ringfence.engine.Verdict;
import org.jspecify.annotations.Nullable;

/** One check of the load, and what became of it. */
final class Asked {
  final int number;
  final Node node;
  final int key;
  final int cost;
  final long atNanos; // when it was asked for; it begins later where its node is stopped

  long begunNanos = -1;
  boolean ownersExpected; // whether no policy may answer it
  long answeredNanos = -1;
  @Nullable Verdict verdict;

  Asked(int number, Node node, int key, int cost, long atNanos) {
    this.number = number;
    this.node = node;
    this.key = key;
    this.cost = cost;
    this.atNanos = atNanos;
  }

  boolean isAnswered() {
    return verdict != null;
  }

  boolean isAllowed() {
    Verdict known = verdict;
    return known != null && known.allowed();
  }

  /** Whether an owner decided, and not the failure policy. */
  boolean isByOwner() {
    Verdict known = verdict;
    return known != null && byOwner(known.certainty());
  }

  static boolean byOwner(Certainty certainty) {
    return switch (certainty) {
      case EXACT, RECOVERED, ASSUMED -> true;
      case DEGRADED, CLOSED -> false;
    };
  }

  @Override
  public String toString() {
    return "#%d k%d cost %d at %s".formatted(number, key, cost, node);
  }
}
