package io.ringfence.chaos.load;

import io.ringfence.chaos.wire.Certainty;
import io.ringfence.chaos.wire.CheckAnswer;
import io.ringfence.chaos.wire.MachineClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;

/**
 * The books of one load: a tally for each counter and window, answers by status and certainty,
 * times, and the denials whose wait is wrong. Of those the first few are kept and the rest counted.
 *
 * <p>Thread-safe. The clock of the run starts with the ledger and ends with the last entry.
 */
public final class Ledger {
  private static final int KEPT_PROBLEMS = 5;
  private static final long LONGEST_NANOS = Duration.ofMinutes(5).toNanos();

  private final LimitUnderTest limit;
  private final long openedNanos = MachineClock.nanos();
  private final ConcurrentMap<String, ConcurrentMap<Long, Tally>> counters =
      new ConcurrentHashMap<>();
  private final Histogram nanos = new SynchronizedHistogram(LONGEST_NANOS, 3);
  private final Map<Integer, Long> statuses = new TreeMap<>();
  private final Map<Certainty, Long> certainties = new EnumMap<>(Certainty.class);
  private final List<String> waitProblems = new ArrayList<>();
  private long wrongWaits;
  private long lastNanos = openedNanos;

  /** Books for a load on counters that all have that limit. */
  public Ledger(LimitUnderTest limit) {
    this.limit = limit;
  }

  void enter(Shot shot, CheckAnswer answer, Timing timing) {
    counters
        .computeIfAbsent(shot.counter(), name -> new ConcurrentHashMap<>())
        .computeIfAbsent(limit.windowOf(answer), window -> new Tally())
        .add(answer);
    nanos.recordValue(Math.min(timing.tookNanos(), LONGEST_NANOS));
    Certainty certainty = answer.certainty();
    String problem =
        certainty == Certainty.DEGRADED || certainty == Certainty.CLOSED
            ? null
            : limit.waitProblem(answer, timing);
    synchronized (this) {
      lastNanos = MachineClock.nanos();
      statuses.merge(answer.status(), 1L, Long::sum);
      certainties.merge(certainty, 1L, Long::sum);
      if (problem != null) {
        wrongWaits++;
        if (waitProblems.size() < KEPT_PROBLEMS) {
          waitProblems.add(shot.counter() + ": " + problem + ": " + answer);
        }
      }
    }
  }

  /** The tallies of a counter, one for each of its windows; empty where it was never asked. */
  public List<Tally> tallies(String counter) {
    return List.copyOf(counters.getOrDefault(counter, new ConcurrentHashMap<>()).values());
  }

  /** The end of the one window that a counter was asked in, or -1 where there were several. */
  public long onlyWindow(String counter) {
    Map<Long, Tally> windows = counters.getOrDefault(counter, new ConcurrentHashMap<>());
    return windows.size() == 1 ? windows.keySet().iterator().next() : -1;
  }

  /** Every counter that was asked. */
  public List<String> counters() {
    return counters.keySet().stream().sorted().toList();
  }

  /** How many checks were answered with that status. */
  public synchronized long answered(int status) {
    return statuses.getOrDefault(status, 0L);
  }

  /** How many checks were answered. */
  public synchronized long answered() {
    return statuses.values().stream().mapToLong(Long::longValue).sum();
  }

  /** How many answers had that certainty. */
  public synchronized long answered(Certainty certainty) {
    return certainties.getOrDefault(certainty, 0L);
  }

  /** Denials by a counter, not by the failure policy, that told a wrong wait. */
  public synchronized long wrongWaits() {
    return wrongWaits;
  }

  /** Some of the wrong waits, in words. */
  public synchronized List<String> waitProblems() {
    return List.copyOf(waitProblems);
  }

  /** From the opening of the ledger to its last entry. */
  public synchronized Duration elapsed() {
    return Duration.ofNanos(lastNanos - openedNanos);
  }

  /** A percentile of the times from sending to the answer; 100 is the worst. */
  public Duration took(double percentile) {
    return Duration.ofNanos(nanos.getValueAtPercentile(percentile));
  }

  /** Every counter and window whose number of admissions is not what the limit demands. */
  public List<String> countProblems() {
    Duration elapsed = elapsed();
    List<String> problems = new ArrayList<>();
    for (String counter : counters()) {
      for (Tally tally : tallies(counter)) {
        String problem = limit.countProblem(tally, elapsed);
        if (problem != null) {
          problems.add(counter + ": " + problem);
        }
      }
    }
    return problems;
  }

  /** Checks, time, rate, percentiles and answers, on one line. */
  public synchronized String summary() {
    double seconds = Math.max(1e-9, elapsed().toNanos() / 1e9);
    return "%,d checks in %.1f s (%,.0f/s), p50 %.1f ms, p99.9 %.1f ms, worst %.1f ms, %s, %s"
        .formatted(
            answered(),
            seconds,
            answered() / seconds,
            took(50).toNanos() / 1e6,
            took(99.9).toNanos() / 1e6,
            took(100).toNanos() / 1e6,
            statuses,
            certainties);
  }
}
