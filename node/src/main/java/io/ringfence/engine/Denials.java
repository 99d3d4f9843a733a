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
 * <p><b>Crowds.</b> When a denial is over, whoever hammers the key asks its owner again, and goes
 * on asking until the first answer is back. So of a key that was denied until now, only {@link
 * #MAX_ASKING} checks at a time ask from here; what comes beyond is told what the last one was
 * told, and to come back in a moment. An allowed check ends that, a denied one is a new denial.
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
  static final int MAX_ASKING = 32;

  private static final long MOMENT_NANOS = 1_000_000;

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

    /**
     * What that counter said, as it would be told now; null if it was not asked, or denied once.
     */
    @Nullable Said about(CounterKey key, long nowNanos) {
      Said said = last(key, nowNanos);
      return said == null || isOver(said.answer()) ? null : said;
    }

    /** What a counter said that is still taken to deny: a wait that is over is one of a moment. */
    @Nullable Said denial(CounterKey key, long nowNanos) {
      Said said = last(key, nowNanos);
      if (said == null || !isOver(said.answer())) {
        return said;
      }
      long overdue = said.answer().retryAfterNanos();
      return new Said(key, said.answer().later(overdue - MOMENT_NANOS), said.decider());
    }

    private static boolean isOver(Answer answer) {
      return !answer.allowed() && answer.retryAfterNanos() <= 0;
    }

    private @Nullable Said last(CounterKey key, long nowNanos) {
      for (Said said : limits) {
        if (said.key().equals(key)) {
          Answer answer = said.answer();
          Answer now = answer.allowed() ? answer : answer.later(nowNanos - atNanos);
          return new Said(key, now, said.decider());
        }
      }
      return null;
    }
  }

  /**
   * Whether a check may ask the owner of a counter.
   *
   * @param told what denies it here, or null where it may ask
   * @param counted whether it is counted as asking, so that {@link #answered} must follow
   */
  record Admission(@Nullable Told told, boolean counted) {
    private static final Admission FREE = new Admission(null, false);
    private static final Admission COUNTED = new Admission(null, true);
  }

  /** What is known of one counter. */
  private static final class Known {
    private List<Denial> denials = List.of(); // each cost once, the newest last
    private int asking; // checks under way to the owner; 0 <= asking <= MAX_ASKING

    /** What still denies that cost. */
    @Nullable Told denying(long cost, long nowNanos) {
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

    /** What was told last to a check of that cost or less, whether or not its wait is over. */
    @Nullable Told latest(long cost) {
      for (int i = denials.size() - 1; i >= 0; i--) {
        if (denials.get(i).cost() <= cost) {
          return denials.get(i).told();
        }
      }
      return null;
    }
  }

  /** One counter's answer, and the name of the node that gave it. */
  record Said(CounterKey key, Answer answer, String decider) {}

  /** A denial of one counter; {@code untilNanos} is elapsed time. */
  private record Denial(long cost, long untilNanos, Told told) {}

  /** Least recently asked first. */
  private static final class Segment extends LinkedHashMap<CounterKey, Known> {
    private static final long serialVersionUID = 1;

    Segment() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<CounterKey, Known> eldest) {
      return size() > CAPACITY / SEGMENTS;
    }
  }

  /**
   * Looks whether a check of that cost is known to be denied, or would be one too many to ask for a
   * counter that was denied until now.
   */
  Admission admit(CounterKey key, long cost, long nowNanos) {
    Segment segment = segmentOf(key);
    synchronized (segment) {
      Known known = segment.get(key);
      if (known == null) {
        return Admission.FREE;
      }
      boolean crowded = known.asking == MAX_ASKING;
      Told told = known.denying(cost, nowNanos);
      if (told == null && crowded) {
        told = known.latest(cost);
      }
      if (told != null) {
        return new Admission(told, false);
      }
      if (crowded) {
        return Admission.FREE;
      }
      known.asking++;
      return Admission.COUNTED;
    }
  }

  /** A counted check has its answer; where it was allowed, no cost up to its own is denied. */
  void answered(CounterKey key, long cost, boolean allowed) {
    Segment segment = segmentOf(key);
    synchronized (segment) {
      Known known = segment.get(key);
      if (known == null) {
        return;
      }
      known.asking = Math.max(0, known.asking - 1);
      if (allowed) {
        known.denials = known.denials.stream().filter(denied -> denied.cost() > cost).toList();
        if (known.denials.isEmpty()) {
          segment.remove(key);
        }
      }
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
      Known known = segment.computeIfAbsent(key, unused -> new Known());
      List<Denial> kept =
          known.denials.stream()
              .filter(denied -> denied.untilNanos() > now && denied.cost() != cost)
              .toList();
      int oldest = Math.max(0, kept.size() - (MAX_COSTS - 1));
      known.denials = appended(kept.subList(oldest, kept.size()), made);
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
