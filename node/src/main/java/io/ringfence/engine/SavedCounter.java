package io.ringfence.engine;

import io.ringfence.algorithms.Algorithm;

/**
 * A counter as it is kept across a restart.
 *
 * @param slot where it lives
 * @param limitId which limit
 * @param values by what it counts; not to be changed
 * @param account on whose account it takes room in the table
 * @param algorithm how it counted
 * @param words its state, as {@link Algorithm#snapshot} wrote it; not to be changed
 * @param wallNanos when that was, in nanoseconds since the epoch: ages among the words count from
 *     there
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SavedCounter(
    int slot,
    long limitId,
    byte[] values,
    int account,
    Algorithm algorithm,
    long[] words,
    long wallNanos) {}
