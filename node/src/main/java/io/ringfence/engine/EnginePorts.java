package io.ringfence.engine;

import java.util.function.LongPredicate;

/**
 * What the engine needs from outside.
 *
 * @param clock the time
 * @param timers run things later
 * @param transport reaches other members
 * @param metrics is told what happens
 * @param lease whether this node may decide at an elapsed time of the clock; asked for every
 *     decision, by any thread
 */
public record EnginePorts(
    Clock clock,
    Timers timers,
    PeerTransport transport,
    EngineMetrics metrics,
    LongPredicate lease) {

  /** Whether this node may decide now: reads the clock, and asks the lease. */
  boolean mayDecide() {
    return lease.test(clock.elapsedNanos());
  }
}
