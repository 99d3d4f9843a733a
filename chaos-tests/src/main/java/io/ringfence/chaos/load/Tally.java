package io.ringfence.chaos.load;

import io.ringfence.chaos.wire.Certainty;
import io.ringfence.chaos.wire.CheckAnswer;
import java.util.EnumMap;
import java.util.Map;

/** What one counter answered in one of its windows. Thread-safe. */
public final class Tally {
  private long answered;
  private final Map<Certainty, Long> admitted = new EnumMap<>(Certainty.class);

  synchronized void add(CheckAnswer answer) {
    answered++;
    if (answer.allowed()) {
      admitted.merge(answer.certainty(), 1L, Long::sum);
    }
  }

  /** Admitted and denied together. */
  public synchronized long answered() {
    return answered;
  }

  /** Admitted, whoever decided. */
  public synchronized long admitted() {
    return admitted.values().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public synchronized String toString() {
    return "answered " + answered + ", admitted " + admitted;
  }
}
