package io.ringfence.engine;

import io.ringfence.membership.MemberId;
import io.ringfence.rules.Rule;

/**
 * What the engine counts. Implementations are thread-safe and do not block; no value comes from a
 * request, so series are bounded by the configuration.
 */
public interface EngineMetrics {

  /** Counts nothing. */
  EngineMetrics NONE = new EngineMetrics() {};

  /** The way that an answer took. */
  enum Path {
    /** Decided by this node. */
    LOCAL,
    /** At least one other node was asked. */
    FORWARD,
    /** Answered from the denials that this node remembers. */
    DENY_CACHE
  }

  /**
   * How a check got its answer.
   *
   * @param path the way that it took
   * @param outOfRoom whether a table was full on the way, so that a failure policy answered
   * @param latencyNanos from its arrival to its answer
   */
  record Passage(Path path, boolean outOfRoom, long latencyNanos) {}

  /** A check that arrived at this node has its answer; called once per check, before the reply. */
  default void checked(Verdict verdict, Passage passage) {}

  /**
   * A standing check was decided by the one limit that it meets, exactly, by this node. Counts as
   * {@link #checked} does.
   */
  default void checkedHere(Rule rule, boolean allowed, long latencyNanos) {}

  /** One answer of another node came after that long. */
  default void forwarded(long latencyNanos) {}

  /** A member was asked and did not answer as it should. */
  default void backendError(MemberId peer) {}

  /** A failure policy answered for a rule. */
  default void fallback(Rule rule, FallbackMode mode, boolean allowed) {}

  /** A slot that some node decided for before is open at this node now. */
  default void slotOpened(SlotOpened how) {}

  /** Units that were admitted apart have been charged to their counter's owner afterwards. */
  default void debited(long units) {}

  /** A decision of this node does not count, as it held no lease when it was made. */
  default void fenced() {}

  /** The part of the given name failed in a way that it should not. */
  default void defect(String part) {}

  /** Something that a bound of the given name turned away. */
  default void overflow(String bound) {}
}
