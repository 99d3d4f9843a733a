package io.ringfence.engine;

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
  private record Event(long atNanos, long cost, boolean cancelled) {}

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"TOKEN_BUCKET", "GCRA", "LEAKING_BUCKET"})
  void B3_howeverManyAreCancelledTheBucketIsAsIfTheyHadNotBeen(Kind kind) {
    for (int seed = 0; seed < RUNS; seed++) {
      Random random = new Random(seed);
      Algorithm algorithm = Algorithm.of(kind, 3 + random.nextInt(20), WINDOW_NANOS, 4);
      List<Event> events = new ArrayList<>();
      long at = 1;
      for (int i = 0; i < 12; i++) {
        at += random.nextInt(200_000_000);
        events.add(new Event(at, 1 + random.nextInt(3), random.nextInt(3) == 0));
      }
      long end = at + random.nextInt(100_000_000);
      long with = owedAfter(algorithm, events, random, end);
      long without =
          owedAfter(algorithm, events.stream().filter(e -> !e.cancelled()).toList(), random, end);
      long cancels = events.stream().filter(Event::cancelled).count();
      long more = with - without;
      assertTrue(more >= 0 && more <= 2 * cancels + 1, "seed " + seed + ": off by " + more + " ns");
    }
  }

  /** Charges all, cancels those to be cancelled at random times after, and reads what is owed. */
  private static long owedAfter(
      Algorithm algorithm, List<Event> events, Random random, long endNanos) {
    Slots slots = new Slots(new RingSettings(4, 4, 1, 2), 1_000);
    Target target = new Target(slots.keyOf(1, List.of("k")), 0, algorithm, 1, false);
    Counter counter = slots.imagine(target, new Moment(0, 0));
    List<Step.Charge> open = new ArrayList<>();
    synchronized (counter) {
      for (Event event : events) {
        Moment now = new Moment(event.atNanos(), event.atNanos());
        while (!open.isEmpty() && random.nextInt(3) == 0) {
          counter.undo(open.remove(random.nextInt(open.size())), now);
        }
        counter.debit(event.cost(), now);
        if (event.cancelled()) {
          open.add(new Step.Charge(counter, event.cost(), now, counter.latestChange(), null));
          counter.latestMayBeTakenBack(now);
        }
      }
      Moment end = new Moment(endNanos, endNanos);
      while (!open.isEmpty()) {
        counter.undo(open.remove(random.nextInt(open.size())), end);
      }
      return counter.owedNanos(end);
    }
  }
}
