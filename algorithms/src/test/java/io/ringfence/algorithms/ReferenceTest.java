package io.ringfence.algorithms;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ringfence.algorithms.Scenario.Step;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Every number of every answer, against {@link Reference}. On a failure jqwik prints the seed and
 * the scenario.
 */
class ReferenceTest {
  @Property(tries = 1_500)
  void everyAnswerIsTheReferencesAnswer(@ForAll(supplier = Scenario.Any.class) Scenario scenario) {
    Algorithm algorithm = scenario.algorithm();
    CounterState state = algorithm.fresh(scenario.startNanos());
    Reference reference = new Reference(algorithm, scenario.startNanos());
    for (Step step : scenario.steps()) {
      assertEquals(
          reference.charge(step.cost(), step.nowNanos()),
          algorithm.charge(state, step.cost(), step.nowNanos()));
    }
  }

  @Property(tries = 1_000)
  void everyAnswerAfterForcedDebitsIsTheReferencesAnswer(
      @ForAll(supplier = Scenario.Any.class) Scenario scenario, @ForAll int which) {
    Algorithm algorithm = scenario.algorithm();
    if (isCutOff(algorithm)) {
      return;
    }
    CounterState state = algorithm.fresh(scenario.startNanos());
    Reference reference = new Reference(algorithm, scenario.startNanos());
    for (int index = 0; index < scenario.steps().size(); index++) {
      Step step = scenario.steps().get(index);
      if ((which >> index & 1) == 1) {
        reference.debit(step.cost(), step.nowNanos());
        algorithm.debit(state, step.cost(), step.nowNanos());
      } else {
        assertEquals(
            reference.charge(step.cost(), step.nowNanos()),
            algorithm.charge(state, step.cost(), step.nowNanos()));
      }
    }
  }

  /**
   * Where a few forced debits reach the cut-off at 146 years, which the reference does not have; or
   * nothing ever passes.
   */
  private static boolean isCutOff(Algorithm algorithm) {
    return algorithm.limit() == 0
        || (algorithm.timeline() == Timeline.ELAPSED
            && algorithm.forgetsAtNanos(0) > Bounds.MAX_SPAN_NANOS / 64);
  }
}
