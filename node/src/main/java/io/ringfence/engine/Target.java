package io.ringfence.engine;

import io.ringfence.algorithms.Algorithm;

/**
 * One counter that a locked step is about.
 *
 * @param key its identity
 * @param slot where it lives
 * @param algorithm how it counts, by the rules of the deciding node
 * @param cost what it is charged or given back, 1 or more
 * @param shadow whether its denial denies nothing
 */
record Target(CounterKey key, int slot, Algorithm algorithm, long cost, boolean shadow) {}
