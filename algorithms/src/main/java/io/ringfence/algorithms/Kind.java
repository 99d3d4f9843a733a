package io.ringfence.algorithms;

import java.util.Optional;

/**
 * The six algorithms by name. Wire codes are explicit and append-only: a code once given is never
 * changed or used again, because neighbouring releases read each other's frames. The order of the
 * constants means nothing.
 */
public enum Kind {
  /**
   * Saves up unused allowance to a capacity that is a setting of its own. See {@link TokenBucket}.
   */
  TOKEN_BUCKET(1, "token-bucket"),
  /**
   * Admits into a queue that drains at the rate; the answer says how long to wait. See {@link
   * LeakingBucket}.
   */
  LEAKING_BUCKET(2, "leaking-bucket"),
  /** Holds requests to a schedule, with a tolerance. See {@link Gcra}. */
  GCRA(3, "gcra"),
  /** Counts in windows aligned to the epoch. See {@link FixedWindow}. */
  FIXED_WINDOW(4, "fixed-window"),
  /** Remembers every admitted request for one window. See {@link SlidingWindowLog}. */
  SLIDING_WINDOW_LOG(5, "sliding-window-log"),
  /** Estimates the log from two aligned counts. See {@link SlidingWindowCounter}. */
  SLIDING_WINDOW_COUNTER(6, "sliding-window-counter");

  private final int wireCode;
  private final String configName;

  Kind(int wireCode, String configName) {
    this.wireCode = wireCode;
    this.configName = configName;
  }

  /** The code of this kind between nodes, 1..255, fixed for ever. */
  public int wireCode() {
    return wireCode;
  }

  /** The name of this kind in a rules file and in metrics, such as {@code token-bucket}. */
  public String configName() {
    return configName;
  }

  /**
   * The burst that a rule gets which states none: the limit for a token bucket, 1 for GCRA, no
   * queue for a leaking bucket, and 0 for the kinds that have no burst. A limit of 0 never has one.
   */
  public long defaultBurst(long limit) {
    return switch (this) {
      case TOKEN_BUCKET -> limit;
      case GCRA -> Math.min(1, limit);
      case LEAKING_BUCKET, FIXED_WINDOW, SLIDING_WINDOW_LOG, SLIDING_WINDOW_COUNTER -> 0;
    };
  }

  /** The kind with that configuration name, or empty if there is none. Case matters. */
  public static Optional<Kind> ofConfigName(String name) {
    for (Kind kind : values()) {
      if (kind.configName.equals(name)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }

  /**
   * The kind with that wire code.
   *
   * @throws IllegalArgumentException if no kind of this release has it
   */
  public static Kind ofWireCode(int wireCode) {
    for (Kind kind : values()) {
      if (kind.wireCode == wireCode) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "no algorithm has the wire code " + wireCode + "; known are 1..6");
  }
}
