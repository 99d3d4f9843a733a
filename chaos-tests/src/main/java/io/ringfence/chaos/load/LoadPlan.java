package io.ringfence.chaos.load;

import java.util.List;

/**
 * Which shot is fired when. Connections take the indexes 0, 1, 2 … as they become free. A shot is
 * fired {@code burst} times in a row, so that several connections, and so several nodes, ask for
 * the same counter at the same moment; then comes the next one's turn, and in the end all begin
 * again.
 *
 * @param shots at least one
 * @param checks how many checks in all, from 1; {@link #ENDLESS} for as many as there is time for
 * @param burst from 1
 */
public record LoadPlan(List<Shot> shots, long checks, int burst) {
  /** More than any load fires. */
  public static final long ENDLESS = Long.MAX_VALUE;

  /** Validates the ranges. */
  public LoadPlan {
    shots = List.copyOf(shots);
    if (shots.isEmpty() || checks < 1 || burst < 1) {
      throw new IllegalArgumentException(
          "a plan needs a shot, a check and a burst, all from 1; got "
              + shots.size()
              + " shots, "
              + checks
              + " checks, burst "
              + burst);
    }
  }

  /**
   * Every shot the same number of times.
   *
   * @param checksEach how often each shot is fired, a multiple of the burst
   */
  public static LoadPlan each(List<Shot> shots, int checksEach, int burst) {
    if (checksEach % burst != 0) {
      throw new IllegalArgumentException(checksEach + " checks each are no multiple of " + burst);
    }
    return new LoadPlan(shots, (long) shots.size() * checksEach, burst);
  }

  Shot shot(long index) {
    return shots.get((int) (index / burst % shots.size()));
  }
}
