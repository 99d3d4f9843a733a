package io.ringfence.engine;

import io.ringfence.algorithms.Decision;
import io.ringfence.engine.LimitVerdict.Answer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The deny cache: what owners told this node about counters that deny, so that a denied key costs
 * its owner one call a stated wait instead of one a request.
 *
 * <p>An entry holds for the wait that the owner stated, and for checks of the same cost: a denial
 * for cost 10 says nothing about cost 1, and one for cost 1 nothing of how long cost 10 has to
 * wait. Of a counter of which {@link #MAX_COSTS} costs are known to be denied, a larger cost is
 * denied as well, with the longest of their waits, though its own may be longer: who varies the
 * cost of each check does not reach the owner with each. Only answers of owners are remembered, and
 * only sure ones; a failure policy's are not. When the owner decided is not known here, only that
 * it was between question and answer. So the entry is used for the wait from the question on, and
 * denies nobody whom the owner would let pass; and the wait that it states counts from the answer,
 * and is never too short.
 *
 * <p><b>Lifts.</b> A denial may end before its time, by a refund, a reset or a raised limit. The
 * owner knows whom it told, and sends a lift. An answer that was decided before the lift may arrive
 * after it, as the two travel on different connections; so an answer is remembered only if no lift
 * for that counter came since its question was sent. Lift times are kept by {@link #LIFT_PLACES}
 * places of the key's hash: two keys that share a place now and then cost each other an entry.
 *
 * <p><b>Bounds.</b> {@link #CAPACITY} counters, each with up to {@link #MAX_COSTS} costs. The entry
 * that was not asked for the longest makes way. A counter that makes way costs its owner a call
 * more, nothing else.
 *
 * <p>Thread-safe. A segment's monitor is held for a few instructions.
 */
final class Denials {
  static final int CAPACITY = 65_536;
  static final int MAX_COSTS = 4;

  private static final int SEGMENTS = 16;
  private static final int LIFT_PLACES = 1_024;

  private final Segment[] segments = new Segment[SEGMENTS];
  private final AtomicLongArray liftedAtNanos = new AtomicLongArray(LIFT_PLACES);
  private volatile long allLiftedAtNanos = Long.MIN_VALUE;

  Denials() {
    Arrays.setAll(segments, i -> new Segment());
    for (int i = 0; i < LIFT_PLACES; i++) {
      liftedAtNanos.set(i, Long.MIN_VALUE);
    }
  }

  /**
   * What one check was told.
   *
   * @param atNanos when
   * @param limits the counters that it met and what they said
   */
  record Told(long atNanos, List<Said> limits) {

    /** What that counter said, as it would be told now; null where it was not asked. */
    @Nullable Said about(CounterKey key, long nowNanos) {
      for (Said said : limits) {
        if (said.key().equals(key)) {
          Answer answer = said.answer();
          Answer now = answer.allowed() ? answer : answer.later(nowNanos - atNanos);
          boolean over = !now.allowed() && now.retryAfterNanos() <= 0;
          return over ? null : new Said(key, now, said.decider());
        }
      }
      return null;
    }
  }

  /** One counter's answer, and the name of the node that gave it. */
  record Said(CounterKey key, Answer answer, String decider) {}

  /** A denial of one counter; {@code untilNanos} is elapsed time. */
  private record Denial(long cost, long untilNanos, Told told) {}

  /** Least recently asked first; of a key each cost once, the newest last. */
  private static final class Segment extends LinkedHashMap<CounterKey, List<Denial>> {
    private static final long serialVersionUID = 1;

    Segment() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<CounterKey, List<Denial>> eldest) {
      return size() > CAPACITY / SEGMENTS;
    }
  }

  /** What was told that still denies that cost; null where nothing is known. */
  @Nullable Told find(CounterKey key, long cost, long nowNanos) {
    Segment segment = segmentOf(key);
    synchronized (segment) {
      List<Denial> denials = segment.get(key);
      if (denials == null) {
        return null;
      }
      Denial longest = null;
      int valid = 0;
      for (Denial denial : denials) {
        if (nowNanos < denial.untilNanos()) {
          valid++;
          if (denial.cost() == cost) {
            return denial.told();
          }
          boolean longer = longest == null || denial.untilNanos() > longest.untilNanos();
          longest = denial.cost() < cost && longer ? denial : longest;
        }
      }
      return longest != null && valid == MAX_COSTS ? longest.told() : null;
    }
  }

  /**
   * Remembers that a counter denied.
   *
   * @param askedAtNanos when the question was sent; before the answer in {@code told}
   */
  void remember(CounterKey key, long cost, Answer denial, Told told, long askedAtNanos) {
    long wait = denial.retryAfterNanos();
    long now = told.atNanos();
    boolean forEver = wait == Decision.NEVER || wait > Long.MAX_VALUE - askedAtNanos;
    Denial made = new Denial(cost, forEver ? Long.MAX_VALUE : askedAtNanos + wait, told);
    Segment segment = segmentOf(key);
    synchronized (segment) {
      if (liftedAtNanos.get(placeOf(key)) >= askedAtNanos || allLiftedAtNanos >= askedAtNanos) {
        return;
      }
      List<Denial> kept =
          segment.getOrDefault(key, List.of()).stream()
              .filter(denied -> denied.untilNanos() > now && denied.cost() != cost)
              .toList();
      int oldest = Math.max(0, kept.size() - (MAX_COSTS - 1));
      segment.put(key, appended(kept.subList(oldest, kept.size()), made));
    }
  }

  /** Forgets one counter. */
  void lift(CounterKey key, long nowNanos) {
    liftedAtNanos.accumulateAndGet(placeOf(key), nowNanos, Math::max);
    Segment segment = segmentOf(key);
    synchronized (segment) {
      segment.remove(key);
    }
  }

  /** Forgets all counters of a limit. */
  void liftAll(long limitId, long nowNanos) {
    allLiftedAtNanos = nowNanos;
    for (Segment segment : segments) {
      synchronized (segment) {
        segment.keySet().removeIf(key -> key.limitId() == limitId);
      }
    }
  }

  /** Forgets everything. */
  void clear(long nowNanos) {
    allLiftedAtNanos = nowNanos;
    for (Segment segment : segments) {
      synchronized (segment) {
        segment.clear();
      }
    }
  }

  /** How many counters are known to deny, or were lately. */
  int size() {
    int size = 0;
    for (Segment segment : segments) {
      synchronized (segment) {
        size += segment.size();
      }
    }
    return size;
  }

  private static List<Denial> appended(List<Denial> kept, Denial made) {
    Denial[] all = kept.toArray(new Denial[kept.size() + 1]);
    all[kept.size()] = made;
    return List.of(all);
  }

  private Segment segmentOf(CounterKey key) {
    return segments[(key.hashCode() >>> 28) & (SEGMENTS - 1)];
  }

  private static int placeOf(CounterKey key) {
    return key.hashCode() & (LIFT_PLACES - 1);
  }
}
