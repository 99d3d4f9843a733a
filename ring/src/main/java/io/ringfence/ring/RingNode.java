package io.ringfence.ring;

/**
 * A node as the ring sees it: a stable name and a weight.
 *
 * @param name 1 to 64 characters; the same node keeps its name over restarts, and so gets its slots
 *     back
 * @param weight 1 to 100; a node of weight 2 owns about twice the slots of a node of weight 1
 */
public record RingNode(String name, int weight) {
  public static final int MAX_NAME_LENGTH = 64;
  public static final int MAX_WEIGHT = 100;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if one does not hold, naming the range
   */
  public RingNode {
    if (name.isEmpty() || name.length() > MAX_NAME_LENGTH) {
      throw new IllegalArgumentException(
          "name must have 1 to " + MAX_NAME_LENGTH + " characters, not " + name.length());
    }
    if (weight < 1 || weight > MAX_WEIGHT) {
      throw new IllegalArgumentException(
          "weight of " + name + " must be 1 to " + MAX_WEIGHT + ", not " + weight);
    }
  }
}
