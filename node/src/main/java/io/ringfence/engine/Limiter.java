package io.ringfence.engine;

import io.ringfence.rules.Request;
import io.ringfence.rules.RuleSet;
import java.util.List;
import java.util.function.Consumer;

/**
 * The engine as adapters see it.
 *
 * <p>Thread-safe; no call blocks. Every question is answered exactly once, within the forward
 * deadline whatever happens to other nodes. A defect inside the engine is answered by the rule's
 * failure policy, never by an exception.
 *
 * <p>A question with a request id that was asked before, of the same client within the last minute,
 * is answered as the first time and changes nothing.
 */
public interface Limiter {

  /** Decides, and charges every limit that applies if all of them pass. */
  void check(Check check, VerdictListener listener);

  /** The same check, to be asked many times over. */
  StandingCheck standing(Check check);

  /**
   * Checks as if one were asked after the other, in the order of the list. Checks that share no
   * counter are under way at once; each has the whole deadline for itself.
   *
   * @param checks 0 or more; the caller bounds how many
   * @param listener receives one verdict a check, in the same order, once all are there
   */
  void checkAll(List<Check> checks, Consumer<List<Verdict>> listener);

  /** What a check would be told now; charges nothing. */
  void peek(Check check, VerdictListener listener);

  /**
   * Gives the cost back to every limit that applies: never above full, never to a window that is
   * over. The verdict is allowed and says what remains afterwards. Whoever was told to wait for
   * these counters is told otherwise before it comes.
   */
  void refund(Check check, VerdictListener listener);

  /** Makes every counter that applies as good as new. Otherwise as {@link #refund}. */
  void reset(Check check, VerdictListener listener);

  /** Charges the cost to every limit that applies, whether it fits or not. */
  void debit(Check check, VerdictListener listener);

  /**
   * All counters of one client, and every limit that applies to a request that names this client
   * alone. Counters that do not count by client are not a client's. Consumes nothing.
   */
  void usage(String client, Consumer<Usage> listener);

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
