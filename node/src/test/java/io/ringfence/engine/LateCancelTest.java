package io.ringfence.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.Kind;
import io.ringfence.ring.RingSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tentative charges of one bucket that are cancelled late, in any order, among other changes. */
class LateCancelTest {
  private static final int RUNS = 3_000;
  private static final long WINDOW_NANOS = 1_000_000_007L;

  /** What a bucket does at one instant. */
  private record Event(long atNanos, long cost, What what) {}

  private enum What {
    CHARGE,
    CANCELLED_CHARGE,
    REFUND
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"TOKEN_BUCKET", "GCRA", "LEAKING_BUCKET", "FIXED_WINDOW"})
  void B3_howeverManyAreCancelledTheCounterIsAsIfTheyHadNotBeen(Kind kind) {
    for (int seed = 0; seed < RUNS; seed++) {
      Random random = new Random(seed);
      long burst = kind == Kind.FIXED_WINDOW ? 0 : 4;
      Algorithm algorithm = Algorithm.of(kind, 3 + random.nextInt(20), WINDOW_NANOS, burst);
      List<Event> events = new ArrayList<>();
      long at = 1;
      for (int i = 0; i < 12; i++) {
        at += random.nextInt(200_000_000);
        int pick = random.nextInt(6);
        What what = pick < 3 ? What.CHARGE : pick < 5 ? What.CANCELLED_CHARGE : What.REFUND;
        events.add(new Event(at, 1 + random.nextInt(3), what));
      }
      long end = at + random.nextInt(100_000_000);
      long with = owedAfter(algorithm, events, random, end);
      List<Event> stands = events.stream().filter(e -> e.what() != What.CANCELLED_CHARGE).toList();
      long without = owedAfter(algorithm, stands, random, end);
      int cancels = events.size() - stands.size();
      long most = kind == Kind.FIXED_WINDOW ? 0 : 2L * cancels + 1; // units, or nanoseconds
      long more = with - without;
      assertTrue(more >= 0 && more <= most, "seed " + seed + ": off by " + more);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void B3_aCancelIsExactHoweverManyChargesCameInBetween(Kind kind) {
    long burst =
        switch (kind) {
          case TOKEN_BUCKET, GCRA, LEAKING_BUCKET -> 500;
          case FIXED_WINDOW, SLIDING_WINDOW_COUNTER, SLIDING_WINDOW_LOG -> 0;
        };
    Algorithm algorithm = Algorithm.of(kind, 500, 3_600 * WINDOW_NANOS, burst);
    Counter counter = counter(algorithm);
    synchronized (counter) {
      List<Step.Charge> open = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        Moment now = new Moment(i + 1, i + 1);
        counter.charge(1, now);
        open.add(new Step.Charge(counter, 1, now, counter.latestChange(), null));
        counter.latestMayBeTakenBack(now);
      }
      Moment end = new Moment(300, 300);
      for (Step.Charge charge : open.subList(0, 120)) {
        counter.undo(charge, end);
      }
      assertEquals(80, counter.used(end));
    }
  }

  /** Charges all, cancels those to be cancelled at random times after, and reads what is owed. */
  private static long owedAfter(
      Algorithm algorithm, List<Event> events, Random random, long endNanos) {
    Counter counter = counter(algorithm);
    List<Step.Charge> open = new ArrayList<>();
    synchronized (counter) {
      for (Event event : events) {
        Moment now = new Moment(event.atNanos(), event.atNanos());
        while (!open.isEmpty() && random.nextInt(3) == 0) {
          counter.undo(open.remove(random.nextInt(open.size())), now);
        }
        if (event.what() == What.REFUND) {
          counter.credit(event.cost(), now);
          continue;
        }
        counter.debit(event.cost(), now);
        if (event.what() == What.CANCELLED_CHARGE) {
          open.add(new Step.Charge(counter, event.cost(), now, counter.latestChange(), null));
          counter.latestMayBeTakenBack(now);
        }
      }
      Moment end = new Moment(endNanos, endNanos);
      while (!open.isEmpty()) {
        counter.undo(open.remove(random.nextInt(open.size())), end);
      }
      return counter.owed(end);
    }
  }

  private static Counter counter(Algorithm algorithm) {
    Slots slots = new Slots(new RingSettings(4, 4, 1, 2), 1_000, new Changes());
    Target target =
        new Target(
            slots.keyOf(1, List.of("k")),
            0,
            algorithm,
            1,
            false,
            io.ringfence.rules.FailurePolicy.DEFAULT);
    return slots.imagine(target, new Moment(0, 0));
  }
}
