package io.ringfence.engine;

import io.ringfence.membership.MemberId;
import io.ringfence.rules.Rule;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Metrics that a test can read. Thread-safe. */
final class Recorder implements EngineMetrics {
  private final Map<String, Integer> counts = new ConcurrentHashMap<>();
  private volatile boolean broken;

  /** From now on throws where a check is counted, as the meters of a host's registry may. */
  void breakDown() {
    broken = true;
  }

  int count(String what) {
    return counts.getOrDefault(what, 0);
  }

  private void add(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  @Override
  public void checked(Verdict verdict, Passage passage) {
    if (broken) {
      throw new IllegalStateException("a defect in the meters");
    }
    add("checked");
    add("checked " + passage.path());
    add("checked " + verdict.certainty());
    if (passage.outOfRoom()) {
      add("out of room");
    }
  }

  @Override
  public void checkedHere(Rule rule, boolean allowed, long latencyNanos) {
    add(allowed ? "checked here true" : "checked here false");
  }

  @Override
  public void backendError(MemberId peer) {
    add("error " + peer.name());
  }

  @Override
  public void fallback(Rule rule, FallbackMode mode, boolean allowed) {
    add("fallback " + rule.name() + " " + mode);
  }

  @Override
  public void debited(long units) {
    counts.merge("debited", Math.toIntExact(units), Integer::sum);
  }

  @Override
  public void fenced() {
    add("fenced");
  }

  @Override
  public void defect(String part) {
    add("defect " + part);
  }

  @Override
  public void overflow(String bound) {
    add("overflow " + bound);
  }
}
