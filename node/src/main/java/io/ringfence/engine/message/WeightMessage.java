package io.ringfence.engine.message;

import io.ringfence.membership.Member;

/**
 * The receiver is to have that weight from now on, until its process ends. That it has taken it
 * shows in its pings.
 *
 * @param weight 1 to {@link Member#MAX_WEIGHT}
 */
public record WeightMessage(int weight) implements PeerMessage {
  /**
   * @throws IllegalArgumentException when the weight is outside its range
   */
  public WeightMessage {
    Member.requireWeight(weight);
  }
}
