package io.ringfence.membership;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * One run from a seed: a cluster of one to five starts, faults are mixed for some seconds, then all
 * links are there again and everybody goes on, and one view has to come of it.
 */
final class RandomSchedule {
  /**
   * Within this time after the last fault everybody is in one settled view, with a lease. It is
   * made of: the hold-down (2 s), a silence (1 s), giving up a view that is lost (5 s) and finding
   * the others (3 s), and a view or two for each node.
   */
  static final int CONVERGED_WITHIN_MILLIS = 20_000;

  private static final List<Integer> MOST_HANDOFF_MILLIS = List.of(1, 100, 1_000);

  private final SimulatedCluster cluster;
  private final Random dice;
  private int named;

  RandomSchedule(long seed) {
    this(seed, new SafetyRules());
  }

  RandomSchedule(long seed, SafetyRules rules) {
    this.cluster = new SimulatedCluster(seed, rules);
    this.dice = new Random(~seed);
    cluster.losing(dice.nextInt(3) == 0 ? 20 : dice.nextInt(6));
    cluster.handingOverFor(MOST_HANDOFF_MILLIS.get(dice.nextInt(MOST_HANDOFF_MILLIS.size())));
  }

  RandomSchedule with(Consumer<SimulatedCluster> fault) {
    fault.accept(cluster);
    return this;
  }

  /** Runs it; returns how far the epoch got. */
  int run() {
    int nodes = 1 + dice.nextInt(5);
    for (int i = 0; i < nodes; i++) {
      cluster.start("n" + ++named);
    }
    cluster.awaitOneView(CONVERGED_WITHIN_MILLIS);
    for (int step = 3 + dice.nextInt(10); step > 0; step--) {
      disturb();
      cluster.run(dice.nextInt(4) == 0 ? dice.nextInt(3_000) : dice.nextInt(500));
    }
    cluster.healAll();
    cluster.liveIds().forEach(cluster::thaw);
    View view = cluster.oneViewWithin(CONVERGED_WITHIN_MILLIS);
    if (view == null && !cluster.needsOperator()) {
      throw cluster.failure("no single view in time");
    }
    return view == null ? 0 : (int) view.epoch();
  }

  private void disturb() {
    List<MemberId> alive = cluster.liveIds();
    MemberId one = alive.get(dice.nextInt(alive.size()));
    switch (dice.nextInt(alive.size() > 1 ? 14 : 3)) {
      case 0, 1 -> cluster.start("n" + ++named);
      case 2 -> restart(one);
      case 3 -> cluster.kill(one);
      case 4 -> {
        MemberId other = alive.get(dice.nextInt(alive.size()));
        cluster.kill(one);
        if (!other.equals(one) && alive.size() > 2) {
          cluster.kill(other);
        }
      }
      case 5 -> {
        if (alive.size() > 2) {
          cluster.vanish(one);
        }
      }
      case 6 -> cluster.stop(one);
      case 7, 8 -> {
        cluster.freeze(one);
        cluster.after(dice.nextInt(dice.nextBoolean() ? 700 : 4_000), () -> cluster.thaw(one));
      }
      case 9 -> cluster.cutOneWay(one, alive.get(dice.nextInt(alive.size())));
      case 10 -> cluster.cut(one, alive.get(dice.nextInt(alive.size())));
      case 11 -> split(alive);
      case 12 -> cluster.weigh(one, 1 + dice.nextInt(3));
      default -> cluster.healAll();
    }
  }

  private void restart(MemberId one) {
    Address peer = cluster.peerOf(one);
    cluster.kill(one);
    cluster.after(dice.nextInt(600), () -> cluster.start(one.name(), 0, peer));
    cluster.run(600);
  }

  private void split(List<MemberId> alive) {
    List<MemberId> shuffled = new ArrayList<>(alive);
    Collections.shuffle(shuffled, dice);
    int at = 1 + dice.nextInt(shuffled.size() - 1);
    cluster.split(shuffled.subList(0, at), shuffled.subList(at, shuffled.size()));
  }
}
