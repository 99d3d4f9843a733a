package io.ringfence.chaos.faults;

/**
 * When a fault came.
 *
 * @param struckNanos before anything was done
 * @param doneNanos when it was done: the process gone or stopped, the link cut
 * @param struckMillis since the epoch, with struckNanos
 */
record Incident(long struckNanos, long doneNanos, long struckMillis) {}
