package io.ringfence.engine;

import io.ringfence.rules.Request;
import io.ringfence.rules.RuleSet;

/**
 * The engine as adapters see it.
 *
 * <p>Thread-safe; no call blocks. Every check is answered exactly once, within the forward deadline
 * whatever happens to other nodes. A defect inside the engine is answered by the rule's failure
 * policy, never by an exception.
 */
public interface Limiter {

  /** Decides, and charges every limit that applies if all of them pass. */
  void check(Check check, VerdictListener listener);

  /** What a check would be told now; charges nothing. */
  void peek(Check check, VerdictListener listener);

  /**
   * Where the counter that a request meets first lives. Of a request that names its client alone,
   * and where no rule applies, it is the client's own place.
   */
  Placed place(Request request);

  /** The rules in force. */
  RuleSet rules();

  /** What this node knows of the cluster. */
  ClusterStatus cluster();
}
