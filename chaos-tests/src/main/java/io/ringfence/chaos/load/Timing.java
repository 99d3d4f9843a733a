package io.ringfence.chaos.load;

/**
 * When a check was on its way, by the clocks of this machine.
 *
 * @param sentAtMillis since the epoch, read before it was sent
 * @param receivedAtMillis since the epoch, read after its answer was
 * @param tookNanos from sending to the answer
 */
record Timing(long sentAtMillis, long receivedAtMillis, long tookNanos) {}
