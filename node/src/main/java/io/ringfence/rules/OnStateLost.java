package io.ringfence.rules;

/** What a counter starts with of which nobody is left who knows what it was. */
public enum OnStateLost {
  /** As if nothing had been used. */
  FRESH,
  /**
   * As if the limit had been used evenly: of a window that is aligned to the clock, the part that
   * is over; of any other counter, half.
   */
  PRORATED,
  /** As if all had been used. */
  SPENT
}
