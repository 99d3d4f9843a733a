package io.ringfence.chaos.sim;

import io.ringfence.engine.LimitVerdict.Answer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What each node must remember of requests that have a name: by request and counter, what the
 * counter answered first. A run is far shorter than the minute for which it is remembered.
 *
 * <p>What a node decided on the way, for its own callers, may not show. Then either answer will do.
 */
final class Requests {
  private final Map<Id, First> firsts = new HashMap<>();

  private record Id(SimNode holder, PlannedCall.Name request, CounterName counter) {}

  /**
   * A first answer.
   *
   * @param answer what it was, or null where only the verdict is known
   * @param allowed its verdict
   * @param stands whether what was asked was done; else it is only repeated beside a denial
   * @param sure whether it was given for sure
   */
  record First(@Nullable Answer answer, boolean allowed, boolean stands, boolean sure) {
    /** What was answered and, as the whole step passed, done. */
    static First done(Answer answer) {
      return new First(answer, answer.allowed(), true, true);
    }

    /** What was answered, if it was not for a moment only. */
    static First maybe(Answer answer) {
      return new First(answer, answer.allowed(), true, false);
    }

    /** Whether that may be this answer once more. */
    boolean isRepeatedBy(Answer given, boolean exactly) {
      return allowed == given.allowed() && (answer == null || !exactly || answer.equals(given));
    }
  }

  /** What the node answered first at that counter; null where it was not asked or forgot. */
  @Nullable First of(SimNode holder, Call call, CounterName counter) {
    PlannedCall.Name request = call.plan.name();
    return request == null ? null : firsts.get(new Id(holder, request, counter));
  }

  void answered(SimNode holder, Call call, CounterName counter, First first) {
    PlannedCall.Name request = call.plan.name();
    if (request != null) {
      firsts.put(new Id(holder, request, counter), first);
    }
  }

  /** A charge for the request was taken back, and with it what was remembered. */
  void forgot(SimNode holder, Call call, CounterName counter) {
    PlannedCall.Name request = call.plan.name();
    if (request != null) {
      firsts.remove(new Id(holder, request, counter));
    }
  }
}
