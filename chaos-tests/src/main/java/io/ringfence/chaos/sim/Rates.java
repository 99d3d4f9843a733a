package io.ringfence.chaos.sim;

/**
 * How the network of a run behaves.
 *
 * @param loss share of messages that vanish, 0 to 1
 * @param duplicate share that arrive twice
 * @param late share that take up to three deadlines
 * @param turnedAway share that find the sender's queue full
 * @param leastNanos what every message takes
 * @param spreadNanos what it takes beyond that at most
 */
record Rates(
    double loss,
    double duplicate,
    double late,
    double turnedAway,
    long leastNanos,
    long spreadNanos) {}
