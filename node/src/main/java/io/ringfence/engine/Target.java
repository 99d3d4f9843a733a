package io.ringfence.engine;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.engine.message.Late;
import io.ringfence.rules.Durability;
import io.ringfence.rules.FailurePolicy;
import org.jspecify.annotations.Nullable;

/**
 * One counter that a locked step is about.
 *
 * @param key its identity
 * @param slot where it lives
 * @param algorithm how it counts, by the rules of the deciding node
 * @param cost what it is charged or given back, 1 or more
 * @param shadow whether its denial denies nothing
 * @param policy what its rule wants for the case of failures
 * @param late where the cost comes from, if it is claimed late; else null
 */
record Target(
    CounterKey key,
    int slot,
    Algorithm algorithm,
    long cost,
    boolean shadow,
    FailurePolicy policy,
    @Nullable Late late) {

  /** A counter of which nothing is claimed late. */
  Target(
      CounterKey key,
      int slot,
      Algorithm algorithm,
      long cost,
      boolean shadow,
      FailurePolicy policy) {
    this(key, slot, algorithm, cost, shadow, policy, null);
  }

  /** Whether its counter has copies, but where its slot moves. */
  boolean isKept() {
    return policy.durability() != Durability.NONE;
  }

  /** Whether what it is charged is copied before anybody is told. */
  boolean isSync() {
    return policy.durability() == Durability.SYNC;
  }
}
