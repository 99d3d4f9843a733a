package io.ringfence.membership;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A set of introductions that never changes: a node on its own, or a cluster whose processes are
 * all known beforehand. It delivers once, on the thread that calls {@link #start}.
 */
public final class FixedIntroductions implements Introductions {
  private final List<Candidate> candidates;
  private final AtomicBoolean started = new AtomicBoolean();

  /**
   * @param candidates the whole set, this process included, oldest first
   */
  public FixedIntroductions(List<Candidate> candidates) {
    this.candidates = List.copyOf(candidates);
  }

  @Override
  public void start(Consumer<List<Candidate>> listener) {
    if (!started.compareAndSet(false, true)) {
      throw new IllegalStateException("these introductions have already been started");
    }
    listener.accept(candidates);
  }

  @Override
  public void close() {}
}
