package io.ringfence.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls to one member that wait for an answer: a ring of a fixed size.
 *
 * <p>An id is a running number; its place in the ring is its remainder, so finding a call takes no
 * hashing and the size bounds the calls under way. When the place of the next number is still
 * taken, the member has too many calls under way.
 *
 * <p>Thread-safe; holds its monitor for a few instructions.
 */
final class InFlight {
  private final @Nullable Call[] ring;
  private final int mask;

  // head <= next, next - head <= ring.length; calls of numbers outside head..next-1 are gone
  private long head;
  private long next;

  /** Numbers calls from the given one on. */
  InFlight(int capacity, long firstId) {
    this.head = firstId;
    this.next = firstId;
    if (Integer.bitCount(capacity) != 1) {
      throw new IllegalArgumentException("capacity must be a power of two, not " + capacity);
    }
    this.ring = new Call[capacity];
    this.mask = capacity - 1;
  }

  /**
   * A call under way.
   *
   * @param id its number
   * @param startNanos when it began
   * @param deadlineNanos when it is overdue
   * @param outcome who waits
   */
  record Call(long id, long startNanos, long deadlineNanos, CallOutcome outcome) {}

  /** Takes a number for a new call; negative if there are too many under way. */
  synchronized long begin(long startNanos, long deadlineNanos, CallOutcome outcome) {
    skipGone();
    if (next - head == ring.length) {
      return -1;
    }
    long id = next++;
    ring[(int) id & mask] = new Call(id, startNanos, deadlineNanos, outcome);
    return id;
  }

  /** Ends the call of that number; null if it is not under way any more. */
  synchronized @Nullable Call end(long id) {
    if (id < head || id >= next) {
      return null;
    }
    int place = (int) id & mask;
    Call call = ring[place];
    ring[place] = null;
    return call;
  }

  /** Ends all calls that are overdue, in the order of their numbers. */
  synchronized List<Call> endOverdue(long nowNanos) {
    List<Call> overdue = new ArrayList<>();
    for (long id = head; id < next; id++) {
      int place = (int) id & mask;
      Call call = ring[place];
      if (call != null && call.deadlineNanos() <= nowNanos) {
        ring[place] = null;
        overdue.add(call);
      }
    }
    return overdue;
  }

  /** Ends all calls. */
  List<Call> endAll() {
    return endOverdue(Long.MAX_VALUE);
  }

  /** When the next call is overdue; {@link Long#MAX_VALUE} where none is under way. */
  synchronized long nextDeadlineNanos() {
    long earliest = Long.MAX_VALUE;
    for (long id = head; id < next; id++) {
      Call call = ring[(int) id & mask];
      if (call != null) {
        earliest = Math.min(earliest, call.deadlineNanos());
      }
    }
    return earliest;
  }

  /** How many calls are under way. */
  synchronized int size() {
    int size = 0;
    for (long id = head; id < next; id++) {
      size += ring[(int) id & mask] == null ? 0 : 1;
    }
    return size;
  }

  private void skipGone() {
    while (head < next && ring[(int) head & mask] == null) {
      head++;
    }
  }
}
