package io.ringfence.chaos.sim;

import io.ringfence.chaos.virtual.Runs;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * How often each kind of fault met each step of the protocol. A fault of a message meets that
 * message and the call that it belongs to; a fault of a node or a link meets what is on the way
 * there and every call that waits there.
 */
public final class Coverage implements Runs.Coverage<Coverage> {
  private final Map<FaultKind, Map<Step, Long>> counts = new EnumMap<>(FaultKind.class);

  void met(FaultKind fault, Step step) {
    add(fault, step, 1);
  }

  long count(FaultKind fault, Step step) {
    return counts.getOrDefault(fault, Map.of()).getOrDefault(step, 0L);
  }

  private void add(FaultKind fault, Step step, long times) {
    counts
        .computeIfAbsent(fault, unused -> new EnumMap<>(Step.class))
        .merge(step, times, Long::sum);
  }

  /** Adds what another run met. */
  @Override
  public void add(Coverage other) {
    other.counts.forEach((fault, steps) -> steps.forEach((step, times) -> add(fault, step, times)));
  }

  /** The pairs that a run of some thousands of seeds must have met, and these did not. */
  @Override
  public List<String> missing() {
    List<String> missing = new ArrayList<>();
    for (FaultKind fault : FaultKind.values()) {
      for (Step step : Step.values()) {
        if (mustMeet(fault, step) && count(fault, step) == 0) {
          missing.add(fault.text() + " / " + step.text());
        }
      }
    }
    return List.copyOf(missing);
  }

  /**
   * A question parked at its owner has arrived, so faults of messages do not meet it; a clock meets
   * no message. Refusals are too rare to be met by everything within some thousands of seeds.
   */
  private static boolean mustMeet(FaultKind fault, Step step) {
    boolean rare =
        switch (step) {
          case REFUSAL, PARKED_AT_OWNER -> true;
          case REFUND, RESET, DEBIT, LIFT, LIFTED -> fault.isOfLinks();
          default -> false;
        };
    return !rare
        && !(fault == FaultKind.CLOCK_SET && (step.isMessage() || step == Step.CANCELLING));
  }

  /** A row a step, a column a fault, as Markdown. */
  @Override
  public String markdown() {
    StringBuilder table = new StringBuilder("| step |");
    for (FaultKind fault : FaultKind.values()) {
      table.append(' ').append(fault.text()).append(" |");
    }
    table.append("\n|---|").append("---|".repeat(FaultKind.values().length)).append('\n');
    for (Step step : Step.values()) {
      table.append("| ").append(step.text()).append(" |");
      for (FaultKind fault : FaultKind.values()) {
        table.append(' ').append(count(fault, step)).append(" |");
      }
      table.append('\n');
    }
    return table.toString();
  }
}
