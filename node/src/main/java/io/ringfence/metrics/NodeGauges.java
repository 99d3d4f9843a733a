package io.ringfence.metrics;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * What is read, rather than counted, whenever the series are looked at. Every supplier must be
 * thread-safe and quick.
 *
 * @param epoch the epoch of the node's view, 0 without one
 * @param keys the counters that the node holds
 * @param tableFull whether a new counter found no room lately
 * @param degraded whether some checks are being answered by failure policies
 */
public record NodeGauges(
    LongSupplier epoch, LongSupplier keys, BooleanSupplier tableFull, BooleanSupplier degraded) {}
