package io.ringfence.chaos.swarm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Introduces all processes to each other, in the order in which they started, a while after one has
 * started or ended.
 *
 * <p>No introduction crosses a cut; who was introduced before stays so. A newcomer that cannot
 * reach everybody hears of nobody until it can: a start waits for the addresses that it was given.
 * (Otherwise it would begin a lineage of its own, of which there is nothing to learn here.)
 */
final class Discovery {
  private static final long MILLI = 1_000_000;
  private static final long NEWS_NANOS = 60 * MILLI;
  private static final long LEAST_MISSED_NANOS = 300 * MILLI;
  private static final long MORE_MISSED_NANOS = 200 * MILLI;

  private final Swarm swarm;
  private final SplittableRandom chance;
  private final List<Node> listed = new ArrayList<>();
  private final Map<Node, Set<Node>> seen = new HashMap<>();

  Discovery(Swarm swarm, SplittableRandom chance) {
    this.swarm = swarm;
    this.chance = chance;
  }

  void started(Node node) {
    listed.add(node);
    spread();
  }

  void ended(Node node) {
    swarm.agenda.after(
        LEAST_MISSED_NANOS + chance.nextLong(MORE_MISSED_NANOS),
        () -> {
          listed.remove(node);
          spread();
        });
  }

  /** A cut is over. */
  void healed() {
    spread();
  }

  private void spread() {
    for (Node node : swarm.living()) {
      swarm.agenda.after(
          1 + chance.nextLong(NEWS_NANOS),
          () -> swarm.enter(node, Waiting.TIMERS, () -> introduce(node)));
    }
  }

  private void introduce(Node node) {
    Set<Node> known = seen.get(node);
    boolean cutOff =
        listed.stream()
            .anyMatch(
                other -> !other.hasEnded() && swarm.network.isCutEitherWay(node.host, other.host));
    if (known == null) {
      if (cutOff) {
        return;
      }
      known = new HashSet<>();
      seen.put(node, known);
    }
    for (Node other : listed) {
      if (!swarm.network.isCutEitherWay(node.host, other.host)) {
        known.add(other);
      }
    }
    node.glue.introduced(listed.stream().filter(known::contains).map(Node::asCandidate).toList());
  }
}
