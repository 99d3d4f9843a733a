package io.ringfence.chaos.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * The changes of members of one run: nodes join, leave, crash, come back as a new process, or are
 * left out while they live and taken in again. One change follows another by 30 ms at least; a node
 * may learn of a view after it has been replaced.
 */
final class ViewPlan {
  private static final long MILLI = 1_000_000;

  private final SplittableRandom random;
  private final int nodes;
  private List<Integer> members;
  private final TreeSet<Integer> dead = new TreeSet<>();
  private final TreeSet<Integer> outside = new TreeSet<>(); // alive, and in no view

  ViewPlan(SplittableRandom random, int founders, int nodes) {
    this.random = random;
    this.nodes = nodes;
    this.members = Scenarios.firstNodes(founders);
    for (int node = founders; node < nodes; node++) {
      outside.add(node);
    }
  }

  void addTo(List<Fault> faults, long loadNanos) {
    int changes = 1 + random.nextInt(4);
    long at = MILLI;
    for (int i = 0; i < changes; i++) {
      at += 30 * MILLI + random.nextLong(Math.max(1, loadNanos / changes));
      addChange(at, faults);
      if (members.size() > 1 && random.nextInt(3) > 0) {
        addMishap(at + random.nextLong(50 * MILLI), faults);
      }
    }
  }

  /** Something else that goes wrong while views change. */
  private void addMishap(long at, List<Fault> faults) {
    int one = members.get(0);
    int other = members.get(1 + random.nextInt(members.size() - 1));
    boolean swap = random.nextBoolean();
    int from = swap ? other : one;
    int to = swap ? one : other;
    long span = random.nextLong(30 * MILLI);
    faults.add(
        switch (random.nextInt(5)) {
          case 0 -> new Fault.Freeze(at, from, span);
          case 1 -> new Fault.Reset(at, from, to, span);
          case 2 -> new Fault.Cut(at, from, to, true, span);
          case 3 -> new Fault.Cut(at, from, to, false, span);
          default -> new Fault.ClockSet(at, from, random.nextLong(-100 * MILLI, 100 * MILLI));
        });
  }

  private void addChange(long at, List<Fault> faults) {
    int pick = random.nextInt(4);
    if (pick == 0 && members.size() > 1) {
      int node = any(members);
      members = Scenarios.without(members, node);
      dead.add(node);
      faults.add(new Fault.Crash(at, node));
      faults.add(change(at + random.nextLong(20 * MILLI), -1));
    } else if (pick == 1 && members.size() > 1) {
      int node = any(members);
      members = Scenarios.without(members, node);
      outside.add(node);
      faults.add(change(at, -1));
    } else if (!dead.isEmpty() && (pick == 2 || outside.isEmpty())) {
      int node = any(new ArrayList<>(dead));
      dead.remove(node);
      members = with(node);
      faults.add(change(at, node));
    } else if (!outside.isEmpty()) {
      int node = any(new ArrayList<>(outside));
      outside.remove(node);
      members = with(node);
      faults.add(change(at, -1));
    }
  }

  private int any(List<Integer> nodesToPick) {
    return nodesToPick.get(random.nextInt(nodesToPick.size()));
  }

  private List<Integer> with(int node) {
    List<Integer> more = new ArrayList<>(members);
    more.add(node);
    return List.copyOf(more);
  }

  private Fault.ViewChange change(long at, int reborn) {
    List<Long> lateness = new ArrayList<>(nodes);
    boolean quick = random.nextInt(3) == 0;
    for (int node = 0; node < nodes; node++) {
      lateness.add(random.nextLong((quick ? 2 : 60) * MILLI));
    }
    return new Fault.ViewChange(at, members, reborn, lateness);
  }
}
