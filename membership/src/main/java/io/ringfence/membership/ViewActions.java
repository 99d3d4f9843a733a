package io.ringfence.membership;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * What the keeper of a node's view asks the rest of the node to do.
 *
 * <p>Every method is called on the thread that called the keeper, in the middle of its step: it
 * must return at once and must not call back into the keeper. Sending is best effort. A message may
 * be lost, repeated or overtaken; the keeper sends again what matters. Members that cannot be
 * reached now are skipped without an error. Views, words and collections are not changed any more.
 */
public interface ViewActions {
  /** Say this to each of these; never contains this node, never empty. */
  void say(ViewWord word, Collection<MemberId> to);

  /** Send the view to each of these; never contains this node, never empty. */
  void publish(View view, Collection<MemberId> to);

  /** Ask this peer for the view that it holds; its answer comes back as a received view. */
  void fetch(MemberId from);

  /** Tell each of these that this node is leaving; never contains this node, never empty. */
  void announceLeave(Collection<MemberId> to);

  /**
   * This node now holds the view, which lists it. It replaces whatever it held before. A node that
   * the view lists as AWAY owns nothing by it. Once this node's slots are where they belong in it,
   * the keeper is to be told ({@link ViewKeeper#slotsAreDone}), or else no settled view follows.
   */
  void installed(View view);

  /**
   * This node has left and holds no view, and the others go on with this one, which does not list
   * it: it owns nothing by it, and sends to the members what is for them.
   */
  void overheard(View view);

  /**
   * A member that is present in the settled view held is dead, and no later view was decided while
   * it lived: what it had ended in this view. Told once of each.
   */
  void diedIn(View held, MemberId member);

  /** This node holds a lease again, or for the first time: it may decide. */
  void leaseGained();

  /**
   * This node holds no view any more, and must decide nothing until the next one is installed.
   *
   * @param last the view that it held
   * @param successor the view that goes on without this node, or null where none is known
   * @param reason for the log, one line
   */
  void dropped(View last, @Nullable View successor, String reason);
}
