package io.ringfence.algorithms;

/**
 * The state of one counter: what one limit key has used so far. Made by {@link Algorithm#fresh} or
 * {@link Algorithm#restore}, read and changed only by the algorithm of the same kind and
 * parameters.
 *
 * <p>Mutable and not thread-safe: whoever owns the counter holds its lock around every call that
 * passes it, reads included, because a read may drop what has expired.
 */
public sealed interface CounterState permits LogState, PairState, ScheduleState, WindowState {
  /**
   * The bytes of numbers that this state holds now, without object headers; the log's grow and
   * shrink with use.
   */
  long payloadBytes();
}
