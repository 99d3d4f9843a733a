package io.ringfence.chaos.faults;

/**
 * The size of a trial.
 *
 * @param keys over all policies together, dealt out evenly; from the number of policies
 * @param limit L, from 1
 * @param clients over all nodes together, from 1
 * @param perSecond how many offers a second while there is no fault, above 0
 * @param times of the nodes' file
 */
public record TrialSettings(int keys, int limit, int clients, double perSecond, Timings times) {

  /** Validates the ranges. */
  public TrialSettings {
    if (keys < 1 || limit < 1 || clients < 1 || !(perSecond > 0)) {
      throw new IllegalArgumentException(
          "keys, limit and clients are from 1 and the rate is above 0; got %d, %d, %d and %s"
              .formatted(keys, limit, clients, perSecond));
    }
  }
}
