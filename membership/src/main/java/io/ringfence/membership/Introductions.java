package io.ringfence.membership;

import java.util.List;
import java.util.function.Consumer;

/**
 * The port through which a node learns which other processes there are.
 *
 * <p>Delivery: the listener is always given the whole current set, this process included, oldest
 * introduction first, and never a difference; a set may be delivered again unchanged. Sets are
 * delivered one at a time, the newest last, on a thread of the implementation, so the listener must
 * return quickly and must not block. The list is immutable and the listener may keep it.
 *
 * <p>An introduction is a rumour. It decides neither who is a member nor which view holds.
 */
public interface Introductions extends AutoCloseable {
  /**
   * Begins to introduce, with the set known now. To be called once. May block while the first
   * contact is made; after it returns, the first set has been or is about to be delivered.
   *
   * @throws IllegalStateException when called twice, or when the cluster address cannot be used,
   *     with the address in the message
   */
  void start(Consumer<List<Candidate>> listener);

  /** Stops introducing and withdraws this process. Blocks for a bounded time. May be repeated. */
  @Override
  void close();
}
