package io.ringfence.engine;

/** Receives the answer to a check, once. Must not block; may run on the calling thread. */
@FunctionalInterface
public interface VerdictListener {

  /** The answer. */
  void verdict(Verdict verdict);
}
