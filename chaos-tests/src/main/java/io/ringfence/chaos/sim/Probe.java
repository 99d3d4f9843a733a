package io.ringfence.chaos.sim;

import io.ringfence.engine.Check;
import io.ringfence.engine.LimitVerdict;
import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.Verdict;
import io.ringfence.rules.Ask;
import io.ringfence.rules.Request;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks at one counter of a node by peeking for its whole capacity: what is left and how long until
 * all is free tells the state apart. A peek charges nothing.
 */
final class Probe {
  private Probe() {}

  /** The check that looks at one counter of a call. */
  static Check check(Call call, int index) {
    Ask ask = call.asks.get(index);
    Request request =
        GeneratedRules.meetingOnly(
            ask.rule(), call.plan.request(), call.node.engine().rules().rules());
    return new Check(request, cost(ask));
  }

  /** What the counter is asked for by {@link #check}. */
  static long charged(Ask ask) {
    return cost(ask) * ask.rule().effect().cost();
  }

  private static long cost(Ask ask) {
    return Math.max(1, ask.limit().algorithm().capacity() / ask.rule().effect().cost());
  }

  /** What the node, which must own the counter, says right now; null if it does not say at once. */
  static @Nullable Answer now(SimNode owner, Call call, int index) {
    List<Verdict> verdicts = new ArrayList<>(1);
    owner.engine().peek(check(call, index), verdicts::add);
    return verdicts.isEmpty() ? null : answerOf(verdicts.get(0), call.asks.get(index));
  }

  /** What a verdict says of one limit; null if it was not asked. */
  static @Nullable Answer answerOf(Verdict verdict, Ask ask) {
    for (LimitVerdict limit : verdict.limits()) {
      if (limit.limit().id() == ask.limit().id()) {
        return limit.answer();
      }
    }
    return null;
  }
}
