package io.ringfence.algorithms;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * The six algorithms again, as slow and as plain as possible: every charge that ever passed is kept
 * in a list, and whether a cost fits at an instant is worked out from that list with unbounded
 * integers. Waits, remaining units and instants of reset are not computed at all, they are searched
 * for by asking whether it would fit. Shares no code and no idea with what it is compared to,
 * except the rule for late stamps.
 */
final class Reference {
  private record Charge(long atNanos, long cost) {}

  private final Algorithm algorithm;
  private final long capacity;
  private final List<Charge> charges = new ArrayList<>();
  private long newestNanos;

  Reference(Algorithm algorithm, long nowNanos) {
    this.algorithm = algorithm;
    this.capacity = algorithm.capacity();
    this.newestNanos = nowNanos;
  }

  Decision charge(long cost, long nowNanos) {
    advance(nowNanos);
    boolean allowed = cost <= capacity && fits(cost, newestNanos);
    long delayNanos =
        allowed && algorithm.kind() == Kind.LEAKING_BUCKET ? fullAgain() - newestNanos : 0;
    if (allowed) {
      charges.add(new Charge(newestNanos, cost));
    }
    return new Decision(
        allowed, capacity, remaining(), allowed ? 0 : waitNanos(cost), reset(), delayNanos);
  }

  void debit(long amount, long nowNanos) {
    advance(nowNanos);
    charges.add(new Charge(newestNanos, amount));
  }

  private void advance(long nowNanos) {
    newestNanos = Math.max(newestNanos, nowNanos);
  }

  private long waitNanos(long cost) {
    return cost > capacity ? Decision.NEVER : first(wait -> fits(cost, newestNanos + wait));
  }

  private long remaining() {
    long firstMisfit = first(units -> units >= capacity || !fits(units + 1, newestNanos));
    return Math.min(capacity, firstMisfit);
  }

  private long reset() {
    return switch (algorithm.kind()) {
      case TOKEN_BUCKET, LEAKING_BUCKET, GCRA -> capacity == 0 ? newestNanos : fullAgain();
      case FIXED_WINDOW, SLIDING_WINDOW_COUNTER ->
          (index(newestNanos) + 1) * algorithm.windowNanos();
      case SLIDING_WINDOW_LOG ->
          charges.stream()
              .filter(charge -> charge.atNanos > newestNanos - algorithm.windowNanos())
              .mapToLong(charge -> charge.atNanos + algorithm.windowNanos())
              .findFirst()
              .orElse(newestNanos);
    };
  }

  private long fullAgain() {
    return newestNanos + first(wait -> fits(capacity, newestNanos + wait));
  }

  /** The least number from 0 on for which that holds; it must hold for all larger ones. */
  private static long first(LongPredicate holds) {
    long high = 1;
    if (holds.test(0)) {
      return 0;
    }
    while (!holds.test(high)) {
      high *= 2;
    }
    long low = high / 2;
    while (high - low > 1) {
      long middle = low + (high - low) / 2;
      if (holds.test(middle)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }

  private boolean fits(long cost, long nanos) {
    return switch (algorithm.kind()) {
      case TOKEN_BUCKET, LEAKING_BUCKET, GCRA -> fitsBucket(cost, nanos);
      case FIXED_WINDOW -> inWindow(index(nanos)).add(big(cost)).compareTo(big(capacity)) <= 0;
      case SLIDING_WINDOW_LOG -> inLog(nanos).add(big(cost)).compareTo(big(capacity)) <= 0;
      case SLIDING_WINDOW_COUNTER -> fitsCounter(cost, nanos);
    };
  }

  /** The bucket of the textbook, its level counted in W-ths of a token. */
  private boolean fitsBucket(long cost, long nanos) {
    BigInteger full = big(capacity).multiply(big(algorithm.windowNanos()));
    BigInteger level = full;
    long last = nanos;
    for (Charge charge : charges) {
      level = refilled(level, full, charge.atNanos - last).subtract(scaled(charge.cost));
      last = charge.atNanos;
    }
    return refilled(level, full, nanos - last).compareTo(scaled(cost)) >= 0;
  }

  private BigInteger refilled(BigInteger level, BigInteger full, long elapsedNanos) {
    return level.add(big(algorithm.limit()).multiply(big(Math.max(0, elapsedNanos)))).min(full);
  }

  private BigInteger scaled(long units) {
    return big(units).multiply(big(algorithm.windowNanos()));
  }

  private boolean fitsCounter(long cost, long nanos) {
    long elapsed = Math.floorMod(nanos, algorithm.windowNanos());
    BigInteger overlap =
        inWindow(index(nanos) - 1).multiply(big(algorithm.windowNanos() - elapsed));
    BigInteger estimate =
        overlap.add(inWindow(index(nanos)).multiply(big(algorithm.windowNanos())));
    return estimate.add(scaled(cost)).compareTo(scaled(capacity)) <= 0;
  }

  private BigInteger inWindow(long index) {
    return sum(charge -> index(charge) == index);
  }

  private BigInteger inLog(long nanos) {
    return sum(atNanos -> atNanos > nanos - algorithm.windowNanos());
  }

  private BigInteger sum(LongPredicate counts) {
    return charges.stream()
        .filter(charge -> counts.test(charge.atNanos))
        .map(charge -> big(charge.cost))
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  private long index(long nanos) {
    return Math.floorDiv(nanos, algorithm.windowNanos());
  }

  private static BigInteger big(long value) {
    return BigInteger.valueOf(value);
  }
}
