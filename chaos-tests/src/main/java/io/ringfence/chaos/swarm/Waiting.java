package io.ringfence.chaos.swarm;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * What waits for a process that is stopped: each link's frames, the timers and the callers, each in
 * its own order. On waking they are served one after another, mixed as threads might mix them.
 */
final class Waiting {
  /** Where timers come from; links have the number of the other process, 0 or more. */
  static final int TIMERS = -1;

  /** Where callers come from. */
  static final int CALLERS = -2;

  /** Where the keeper's own thread finds what it has to do. */
  static final int LOOP = -3;

  private final Map<Integer, Deque<Runnable>> queues = new LinkedHashMap<>();

  void add(int source, Runnable task) {
    queues.computeIfAbsent(source, unused -> new ArrayDeque<>()).add(task);
  }

  /** Takes everything, in an order that chance picks. */
  List<Runnable> takeAll(SplittableRandom chance) {
    List<Deque<Runnable>> left = new ArrayList<>(queues.values());
    queues.clear();
    List<Runnable> all = new ArrayList<>();
    while (!left.isEmpty()) {
      int pick = chance.nextInt(left.size());
      Deque<Runnable> queue = left.get(pick);
      all.add(queue.remove());
      if (queue.isEmpty()) {
        left.remove(pick);
      }
    }
    return all;
  }
}
