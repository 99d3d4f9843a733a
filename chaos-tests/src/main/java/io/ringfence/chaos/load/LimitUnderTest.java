package io.ringfence.chaos.load;

import io.ringfence.chaos.wire.CheckAnswer;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A limit as an outsider knows it, and what follows from it for every answer.
 *
 * <p><b>How many.</b> A fixed window is counted by the window that the answers name in {@code
 * reset_at}, so a run that crosses an edge is judged as exactly as any other: of the n checks of a
 * window min(L, n) are admitted. A log whose run is shorter than its window admits min(L, n) as
 * well. Token bucket and GCRA start full and admit at least min(L, n) and at most L + floor(r T),
 * where T is the time from the first check to the last answer and r = L / window.
 *
 * <p><b>How long.</b> The instant at which a denial was decided follows from its own numbers, as
 * every one of them comes from the same reading of the clock:
 *
 * <pre>
 *   fixed window, log     reset_at - retry_after                    (both mean the same instant)
 *   token bucket, GCRA    reset_at - retry_after - (L - 1) window/L (full again is L - 1 units later)
 * </pre>
 *
 * That instant has to lie between sending the check and receiving the answer. A second is granted
 * on either side for what separates two readings of the machine's clocks. Retry-After is the wait
 * in whole seconds, rounded up, at least 1.
 *
 * @param limit L, from 1; capacity and burst are L too
 * @param window longer than any run
 */
public record LimitUnderTest(Shape shape, long limit, Duration window) {
  private static final long SLACK_MILLIS = 1_000;

  /** The fields of a rule in a rules file that make this limit. */
  public String yaml() {
    String burst = shape == Shape.GCRA ? ", burst: " + limit : "";
    return "algorithm: %s, limit: %d, window: %ds%s"
        .formatted(shape.configName(), limit, window.toSeconds(), burst);
  }

  /** The window that an answer is counted in: its end, or 0 where all count together. */
  long windowOf(CheckAnswer answer) {
    return shape == Shape.FIXED_WINDOW ? answer.resetAtMillis().orElse(0) : 0;
  }

  /** What is wrong with the wait that an answer tells, or null. */
  @Nullable String waitProblem(CheckAnswer answer, Timing timing) {
    OptionalLong retry = answer.retryAfterMillis();
    OptionalLong resetAt = answer.resetAtMillis();
    OptionalLong header = answer.retryAfterSeconds();
    if (answer.allowed()) {
      return retry.orElse(-1) == 0 && header.isEmpty() ? null : "a wait after an admission";
    }
    if (retry.isEmpty() || resetAt.isEmpty() || header.isEmpty()) {
      return "a denial without a wait";
    }
    long seconds = Math.max(1, -Math.floorDiv(-retry.getAsLong(), 1_000L));
    if (retry.getAsLong() < 1 || header.getAsLong() != seconds) {
      return "Retry-After " + header.getAsLong() + ", not " + seconds;
    }
    long fromAdmissibleToReset = shape.refills() ? (limit - 1) * window.toMillis() / limit : 0;
    long decidedAt = resetAt.getAsLong() - retry.getAsLong() - fromAdmissibleToReset;
    boolean plausible =
        decidedAt >= timing.sentAtMillis() - SLACK_MILLIS
            && decidedAt <= timing.receivedAtMillis() + SLACK_MILLIS;
    return plausible
        ? null
        : "a wait as of %d for a check under way from %d to %d"
            .formatted(decidedAt, timing.sentAtMillis(), timing.receivedAtMillis());
  }

  /**
   * What is wrong with the number admitted, or null.
   *
   * @param tally of one counter and one window
   * @param elapsed from the first check of the run to its last answer
   */
  @Nullable String countProblem(Tally tally, Duration elapsed) {
    long least = Math.min(limit, tally.answered());
    long most = Math.min(most(elapsed), tally.answered());
    long admitted = tally.admitted();
    return admitted >= least && admitted <= most
        ? null
        : "%d admitted of %d, not from %d to %d".formatted(admitted, tally.answered(), least, most);
  }

  /** The most that one counter may admit in a run of that length, counted in started millis. */
  public long most(Duration elapsed) {
    long millis = elapsed.toMillis() + 1;
    return limit + (shape.refills() ? millis * limit / window.toMillis() : 0);
  }
}
