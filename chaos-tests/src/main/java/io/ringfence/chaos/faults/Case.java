package io.ringfence.chaos.faults;

import java.math.BigInteger;
import java.util.HashSet;
import java.util.Set;

/**
 * What a bound is made of: one key under one policy, before and after one fault.
 *
 * @param limit L
 * @param windowMillis of the limit, aligned to the epoch
 * @param nodes n, how many there were before the fault
 */
record Case(
    Policy policy, long limit, long windowMillis, int nodes, Target target, KeyStory story) {
  private static final long NOTICED_MILLIS = 60_000; // by then a loss is known
  private static final double LOCAL_FRACTION = 0.2;

  boolean ownerHit() {
    return target.victims().contains(story.owner());
  }

  boolean ownerAndBackupHit() {
    return ownerHit() && target.victims().contains(story.backup());
  }

  /** L less what was in flight, and less what local buckets admitted, as that is debited. */
  long floor() {
    long apart = policy.isLocal() ? story.byPolicy() : 0;
    return limit - story.inFlight() - apart;
  }

  /** What the local buckets of so many callers admit while owners do not answer; 0 if closed. */
  long localBuckets(int callers) {
    return policy.isLocal() ? callers * bucket(LOCAL_FRACTION / Math.max(1, nodes - 1)) : 0;
  }

  /**
   * The shares of the limit of all nodes without a lease: of the victims, and of any other that
   * admitted by policy, as it does only where the machine has held it up for so long.
   */
  long shares() {
    Set<String> without = new HashSet<>(target.victims());
    without.addAll(story.admittingByPolicy());
    return policy.onPartition().equals("share") ? without.size() * bucket(1.0 / nodes) : 0;
  }

  private long bucket(double fraction) {
    return Math.max(1, (long) Math.floor(limit * fraction));
  }

  /** At most and at least what a counter has left that nobody knows any more. */
  Bound leftOfLost() {
    return switch (policy.onStateLost()) {
      case "fresh" -> new Bound(limit, limit);
      case "prorated" ->
          new Bound(
              limit - usedEvenly(story.incident().struckMillis() + NOTICED_MILLIS),
              limit - usedEvenly(story.incident().struckMillis()));
      default -> new Bound(0, 0);
    };
  }

  /** What may be admitted where owner and backup were lost at once; on_state_lost says. */
  Bound lostWithItsBackup() {
    Bound left = leftOfLost();
    long known = story.admittedUntil(story.incident().struckNanos());
    return new Bound(
        Math.min(limit, known + left.floor()) - story.inFlight(),
        story.admitted() - story.admittedByOwners() + limit + left.allowed());
  }

  /** What an even use of the limit would have come to, rounded up. */
  private long usedEvenly(long epochMillis) {
    BigInteger window = BigInteger.valueOf(windowMillis);
    return BigInteger.valueOf(limit)
        .multiply(BigInteger.valueOf(Math.floorMod(epochMillis, windowMillis)))
        .add(window.subtract(BigInteger.ONE))
        .divide(window)
        .longValueExact();
  }
}
