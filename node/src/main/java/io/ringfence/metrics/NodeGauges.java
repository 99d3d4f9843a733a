package io.ringfence.metrics;

import io.ringfence.engine.SlotCounts;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What is read, rather than counted, whenever the series are looked at. Every supplier must be
 * thread-safe and quick.
 *
 * @param epoch the epoch of the node's view, 0 without one
 * @param keys the counters that the node holds
 * @param tableFull whether a new counter found no room lately
 * @param degraded whether some checks are being answered by failure policies
 * @param views of its views and its lease
 * @param detours of links that are down
 * @param custody of its slots and their copies
 */
public record NodeGauges(
    LongSupplier epoch,
    LongSupplier keys,
    BooleanSupplier tableFull,
    BooleanSupplier degraded,
    Views views,
    Detours detours,
    Custody custody) {

  /**
   * What is read of the node's views and its lease.
   *
   * @param leased whether it holds a lease
   * @param lapses how many leases have ended without a following one
   * @param installed how many views it has held, one after the other
   * @param voters the voters of its view, 0 without one
   * @param away the members of its view that are away, 0 without one
   */
  public record Views(
      BooleanSupplier leased,
      LongSupplier lapses,
      LongSupplier installed,
      LongSupplier voters,
      LongSupplier away) {}

  /**
   * What is read of the ways around links that are down.
   *
   * @param members how many members the node sends to through a third, or would if it found one
   * @param handedOn how many messages of other members it has handed on
   */
  public record Detours(LongSupplier members, LongSupplier handedOn) {}

  /**
   * What is read of the node's slots.
   *
   * @param slots how they stand
   * @param replicationLagNanos how far behind the copy is that is furthest behind
   * @param checkpointAgeNanos how long ago the last checkpoint was written, 0 if none ever is
   */
  public record Custody(
      Supplier<SlotCounts> slots,
      LongSupplier replicationLagNanos,
      LongSupplier checkpointAgeNanos) {}
}
