package io.ringfence.chaos.sim;

import io.ringfence.chaos.sim.NodeClock.Instants;
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
 * Looks at one counter of a node by peeking: what is left, how long until all of it is free and how
 * long until a unit is, tell its states apart. A peek charges nothing.
 */
final class Probe {
  private Probe() {}

  /** The check that looks at one counter of a call. */
  static Check check(Call call, int index) {
    return check(call, index, wholeCost(call.asks.get(index)));
  }

  private static Check check(Call call, int index, long cost) {
    Request request =
        GeneratedRules.meetingOnly(
            call.asks.get(index).rule(), call.plan.request(), call.node.engine().rules().rules());
    return new Check(request, cost);
  }

  private static long wholeCost(Ask ask) {
    return Math.max(1, ask.limit().algorithm().capacity() / ask.rule().effect().cost());
  }

  /**
   * What a counter tells of itself.
   *
   * @param whole what a check of its whole capacity would be told
   * @param least what the smallest check would be told, which tells apart how far it is beyond full
   */
  record Held(Answer whole, Answer least) {

    /** Whether a reference counter tells the same. */
    boolean isOf(ReferenceCounter counter, Ask ask, Instants now) {
      long factor = ask.rule().effect().cost();
      return is(counter, wholeCost(ask) * factor, now, whole) && is(counter, factor, now, least);
    }

    private static boolean is(ReferenceCounter counter, long cost, Instants now, Answer answer) {
      return Books.same(counter, Books.reading(counter, cost, now, answer), answer, now);
    }

    @Override
    public String toString() {
      return Messages.tell(whole) + "; for the least " + Messages.tell(least);
    }
  }

  /** What the node, which must own the counter, says right now; null if it does not say at once. */
  static @Nullable Held now(SimNode owner, Call call, int index) {
    owner.probed = true;
    Answer whole = ask(owner, call, index, wholeCost(call.asks.get(index)));
    Answer least = ask(owner, call, index, 1);
    owner.probed = false;
    return whole == null || least == null ? null : new Held(whole, least);
  }

  /** What a node's copy of a counter says. */
  static Held copied(SimNode backup, Call call, int index) {
    Answer whole = copied(backup, call, index, wholeCost(call.asks.get(index)));
    return new Held(whole, copied(backup, call, index, 1));
  }

  private static Answer copied(SimNode backup, Call call, int index, long cost) {
    Check check = check(call, index, cost);
    for (Ask ask : backup.engine().rules().applicable(check.request(), check.cost()).asks()) {
      if (ask.limit().id() == call.asks.get(index).limit().id()) {
        return backup.engine().copied(ask);
      }
    }
    throw new IllegalStateException("no rule applies to " + check);
  }

  private static @Nullable Answer ask(SimNode owner, Call call, int index, long cost) {
    List<Verdict> verdicts = new ArrayList<>(1);
    owner.engine().peek(check(call, index, cost), verdicts::add);
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
