package io.ringfence.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Picks the limit that describes a verdict.
 *
 * <p>Of a denial it is the denying limit with the longest wait, where never is the longest; of a
 * pass the one with the smallest remaining / limit, as the next to run out. Ties go to the first in
 * the file's order. Shadow limits describe nothing.
 */
final class Deciding {
  private Deciding() {}

  static @Nullable LimitVerdict of(List<LimitVerdict> limits, boolean allowed) {
    LimitVerdict best = null;
    for (LimitVerdict candidate : limits) {
      if (candidate.rule().effect().presentation().shadow() || candidate.denies() == allowed) {
        continue;
      }
      if (best == null || (allowed ? tighter(candidate, best) : waitsLonger(candidate, best))) {
        best = candidate;
      }
    }
    return best;
  }

  private static boolean waitsLonger(LimitVerdict a, LimitVerdict b) {
    int order = Long.compare(a.answer().retryAfterNanos(), b.answer().retryAfterNanos());
    return order > 0 || (order == 0 && earlierInFile(a, b));
  }

  private static boolean tighter(LimitVerdict a, LimitVerdict b) {
    int order = compareShares(a.answer(), b.answer());
    return order < 0 || (order == 0 && earlierInFile(a, b));
  }

  /** Compares remaining / limit exactly; limits are at most 10^12 so the products need 80 bits. */
  private static int compareShares(LimitVerdict.Answer a, LimitVerdict.Answer b) {
    long left = a.remaining();
    long right = b.remaining();
    int high =
        Long.compare(Math.multiplyHigh(left, b.limit()), Math.multiplyHigh(right, a.limit()));
    return high != 0 ? high : Long.compareUnsigned(left * b.limit(), right * a.limit());
  }

  private static boolean earlierInFile(LimitVerdict a, LimitVerdict b) {
    return a.rule().order().index() < b.rule().order().index();
  }
}
