package io.ringfence.ring;

import java.util.Arrays;

/**
 * Finds, for every slot, the first two different nodes that are met on the way clockwise from where
 * the slot begins.
 *
 * <p>The plain way sorts all points and searches the sorted list for each slot. But only the ends
 * of the search matter, so this keeps two points for each arc (the first, and the first of any
 * other node), lets every other point go, and then walks the arcs backwards once to hand on what an
 * emptier arc lacks. Time grows with the number of points and memory with the number of slots;
 * nothing is sorted, so a ring of many heavy nodes is no larger than one of few.
 *
 * <p>Points at one position are ordered by the index of their node. The result is then a function
 * of the set of points alone, whatever the order in which they are added.
 *
 * <p>Filled and read by one thread, then dropped.
 */
final class Successors {
  static final short NONE = -1;

  private final int slots;
  // Per arc: the least (position, node), and the least of all other nodes. second != first unless
  // both are NONE.
  private final short[] first;
  private final long[] firstPosition;
  private final short[] second;
  private final long[] secondPosition;

  Successors(int slots) {
    this.slots = slots;
    this.first = new short[slots];
    this.firstPosition = new long[slots];
    this.second = new short[slots];
    this.secondPosition = new long[slots];
    Arrays.fill(first, NONE);
    Arrays.fill(second, NONE);
  }

  void add(long position, short node) {
    int arc = Circle.slotAt(position, slots);
    if (first[arc] == NONE || precedes(position, node, firstPosition[arc], first[arc])) {
      if (first[arc] != node) {
        second[arc] = first[arc];
        secondPosition[arc] = firstPosition[arc];
      }
      first[arc] = node;
      firstPosition[arc] = position;
    } else if (node != first[arc]
        && (second[arc] == NONE || precedes(position, node, secondPosition[arc], second[arc]))) {
      second[arc] = node;
      secondPosition[arc] = position;
    }
  }

  private static boolean precedes(long position, short node, long thatPosition, short thatNode) {
    int order = Long.compareUnsigned(position, thatPosition);
    return order < 0 || (order == 0 && node < thatNode);
  }

  /**
   * Fills in the first and the second node of every slot; {@link #NONE} where the circle has none.
   *
   * @param owners receives the first node of each slot
   * @param backups receives the first node after it that is another one
   */
  void resolve(short[] owners, short[] backups) {
    short next = NONE;
    short afterNext = NONE;
    // The first lap finds what lies beyond the last arc, which is what lies at the start; the
    // second lap is the answer.
    for (int step = 2 * slots - 1; step >= 0; step--) {
      int arc = step % slots;
      if (second[arc] != NONE) {
        afterNext = second[arc];
      } else if (first[arc] != NONE && first[arc] != next) {
        afterNext = next;
      }
      if (first[arc] != NONE) {
        next = first[arc];
      }
      owners[arc] = next;
      backups[arc] = afterNext;
    }
  }
}
