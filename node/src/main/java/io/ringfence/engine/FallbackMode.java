package io.ringfence.engine;

import io.ringfence.rules.FailurePolicy;

/** The kinds of answers that are given in an owner's place. */
public enum FallbackMode {
  /** By a bucket inside this process that admits a part of this node's share. */
  LOCAL,
  /** By the same bucket, which admits all of this node's share: it is cut off. */
  SHARE,
  /** Admitted. */
  OPEN,
  /** Refused. */
  CLOSED;

  /** Why the owner did not answer. */
  enum Cause {
    /** It was not reached in time, or could not decide. */
    UNAVAILABLE,
    /** This node is in its view and holds no lease. */
    CUT_OFF
  }

  /** What a rule says for that cause. */
  static FallbackMode of(FailurePolicy policy, Cause cause) {
    return switch (cause) {
      case UNAVAILABLE ->
          switch (policy.onUnavailable()) {
            case LOCAL -> LOCAL;
            case OPEN -> OPEN;
            case CLOSED -> CLOSED;
          };
      case CUT_OFF ->
          switch (policy.onPartition()) {
            case SHARE -> SHARE;
            case OPEN -> OPEN;
            case CLOSED, STRICT -> CLOSED;
          };
    };
  }
}
