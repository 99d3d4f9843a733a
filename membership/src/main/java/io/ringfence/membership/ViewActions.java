package io.ringfence.membership;

import java.util.Collection;

/**
 * What the keeper of a node's view asks the rest of the node to do.
 *
 * <p>Every method is called on the thread that called the keeper, in the middle of its step: it
 * must return at once and must not call back into the keeper. Sending is best effort. A message may
 * be lost, repeated or overtaken; the keeper sends again what matters. Members that cannot be
 * reached now are skipped without an error. Views and collections are immutable.
 */
public interface ViewActions {
  /** Send the view to each of these; never contains this node, never empty. */
  void publish(View view, Collection<MemberId> to);

  /** Ask this peer for the view that it holds; its answer comes back as a received view. */
  void fetch(MemberId from);

  /** Tell each of these that this node is leaving; never contains this node, never empty. */
  void announceLeave(Collection<MemberId> to);

  /** This node now holds the view, which lists it. It replaces whatever it held before. */
  void installed(View view);

  /**
   * This node holds no view any more, and must decide nothing until the next one is installed.
   *
   * @param last the view that it held
   * @param reason for the log, one line
   */
  void dropped(View last, String reason);
}
