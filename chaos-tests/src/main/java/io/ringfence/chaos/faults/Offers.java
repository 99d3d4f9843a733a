package io.ringfence.chaos.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Which key is offered when. Each key is offered three times its limit L: before the fault from 0
 * to 2L times, so that some are not touched, some used in part and some spent when it comes, and L
 * times on the average, a third of all; L times at the end, when all is quiet, so that what is left
 * of each shows; and the rest in between, while the fault lasts.
 *
 * @param first offers before the fault and then those during it, by the key's place
 * @param before how many of those come before the fault
 * @param last offers after it
 */
record Offers(List<Integer> first, int before, List<Integer> last) {
  /**
   * Draws them.
   *
   * @param keys from 1
   * @param limit L
   */
  static Offers draw(int keys, int limit, Random random) {
    List<Integer> before = new ArrayList<>();
    List<Integer> during = new ArrayList<>();
    List<Integer> last = new ArrayList<>();
    for (int key = 0; key < keys; key++) {
      int used = random.nextInt(2 * limit + 1);
      before.addAll(Collections.nCopies(used, key));
      during.addAll(Collections.nCopies(2 * limit - used, key));
      last.addAll(Collections.nCopies(limit, key));
    }
    Collections.shuffle(before, random);
    Collections.shuffle(during, random);
    Collections.shuffle(last, random);
    List<Integer> first = new ArrayList<>(before);
    first.addAll(during);
    return new Offers(List.copyOf(first), before.size(), List.copyOf(last));
  }

  /**
   * When an offer of the first part is due.
   *
   * @param perSecond while there is no fault
   * @param lasts over how long those during the fault are spread, at least
   */
  long dueNanos(int index, double perSecond, Duration lasts) {
    double beforeNanos = Math.min(index, before) / perSecond * 1e9;
    int during = first.size() - before;
    double nanosEach =
        Math.max(1e9 / perSecond, during == 0 ? 0 : (double) lasts.toNanos() / during);
    return (long) (beforeNanos + Math.max(0, index - before) * nanosEach);
  }
}
