package io.ringfence.membership;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * What members say to each other to agree on views and to hold leases. Delivery is best effort: a
 * word may be lost, repeated, overtaken, or heard long after it was said. Whatever has effect in
 * one view only names that view, lineage and all.
 */
public sealed interface ViewWord {

  /**
   * Asks for a share of a lease, and tells on the way how the sender stands.
   *
   * @param view the view that the sender holds, or null
   * @param leased whether the sender holds a lease as it says this
   * @param leaseNanos how long an answer counts at the sender; above 0
   * @param token when this was said, on the sender's own clock; nobody else reads it
   * @param silent whom the sender has not heard lately, by place in the view; empty without one.
   *     Not to be changed
   * @param done who is done with the view, by place in it: the sender, if it is, and of whom it has
   *     heard so; so this is known also where one link is down. Not to be changed
   * @param weight the weight that the sender is to have, 1 to 100, whatever the view says
   */
  record Ping(
      @Nullable ViewStamp view,
      boolean leased,
      long leaseNanos,
      long token,
      BitSet silent,
      BitSet done,
      int weight)
      implements ViewWord {
    /**
     * @throws IllegalArgumentException when leaseNanos is below 1, the weight outside 1..100, or a
     *     place outside every view
     */
    public Ping {
      if (leaseNanos < 1) {
        throw new IllegalArgumentException("leaseNanos is at least 1, not " + leaseNanos);
      }
      Member.requireWeight(weight);
      int places = Math.max(silent.length(), done.length());
      if (places > View.MAX_MEMBERS) {
        throw new IllegalArgumentException(
            "places are below " + View.MAX_MEMBERS + ", not " + (places - 1));
      }
    }
  }

  /**
   * Answers a ping.
   *
   * @param view the view that the sender holds, or null
   * @param granted whether the ping named that view, the sender votes in it and has accepted no
   *     later one
   * @param token that of the ping
   */
  record Pong(@Nullable ViewStamp view, boolean granted, long token) implements ViewWord {}

  /**
   * Asks whether a view after {@code base} was accepted already, and to accept none of a lower
   * ballot from now on.
   *
   * @param base the view that the sender holds
   * @param ballot at least 0
   */
  record Prepare(ViewStamp base, long ballot) implements ViewWord {
    /**
     * @throws IllegalArgumentException when the ballot is below 0
     */
    public Prepare {
      requireBallot(ballot);
    }
  }

  /**
   * Agrees to a {@link Prepare}.
   *
   * @param accepted the view after {@code base} that the sender has accepted last, or null
   */
  record Promise(ViewStamp base, long ballot, @Nullable View accepted) implements ViewWord {
    /**
     * @throws IllegalArgumentException when the ballot is below 0
     */
    public Promise {
      requireBallot(ballot);
    }
  }

  /** Asks to accept that view as the one after {@code base}. */
  record Propose(ViewStamp base, View view) implements ViewWord {}

  /** Tells that the sender has accepted the view of that name as the one after {@code base}. */
  record Accepted(ViewStamp base, ViewName name) implements ViewWord {}

  private static void requireBallot(long ballot) {
    if (ballot < 0) {
      throw new IllegalArgumentException("a ballot is at least 0, not " + ballot);
    }
  }
}
