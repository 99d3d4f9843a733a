package io.ringfence.chaos.load;

import java.time.Duration;

/**
 * How a load is fired.
 *
 * @param connections over all nodes together, dealt out in turn; from 1
 * @param depth how many checks a connection sends before it reads their answers; from 1. Times are
 *     those of single checks only where it is 1
 * @param patience how long an answer may be awaited before the load gives up as a whole
 */
public record LoadSettings(int connections, int depth, Duration patience) {

  /** Validates the ranges. */
  public LoadSettings {
    if (connections < 1 || depth < 1) {
      throw new IllegalArgumentException(
          "connections and depth are from 1; got " + connections + " and " + depth);
    }
  }

  /** One check at a time on each connection, half a minute of patience. */
  public static LoadSettings calm(int connections) {
    return new LoadSettings(connections, 1, Duration.ofSeconds(30));
  }
}
