package io.ringfence.chaos.faults;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * kill -9 of one node, any of them.
 *
 * <pre>
 *   sync            L
 *   async           L + what the dead owner admitted within max_lag and an interval before
 *   none            what it had admitted + what on_state_lost leaves
 *   local           + a local bucket a survivor
 * </pre>
 *
 * <p>Keys of the other owners are admitted L times.
 */
record Kill(String name, List<String> nodes, List<Policy> policies) implements Fault {
  @Override
  public String title() {
    return "kill -9 of one of " + nodes.size();
  }

  @Override
  public Duration lasts() {
    return Duration.ofMillis(2_500);
  }

  @Override
  public Target aim(Stage stage, Random random) {
    String victim = Nodes.any(nodes, random);
    return new Target(Set.of(victim), victim, Set.copyOf(Nodes.without(nodes, victim)));
  }

  @Override
  public void strike(Stage stage, Target target) {
    stage.cluster().node(target.only()).kill();
    stage.doors().shut(target.only());
  }

  @Override
  public void follow(Stage stage, Target target) {
    stage.awaitView(Nodes.without(nodes, target.only()));
  }

  @Override
  public void restore(Stage stage, Target target) {
    stage.start(target.only());
    stage.awaitView(nodes);
  }

  @Override
  public boolean losesCounters() {
    return policies.stream().anyMatch(policy -> policy.durability().equals("none"));
  }

  @Override
  public Bound bound(Case facts) {
    KeyStory story = facts.story();
    long buckets = facts.localBuckets(nodes.size() - 1);
    if (!facts.ownerHit() || facts.policy().durability().equals("sync")) {
      return new Bound(facts.floor(), facts.limit() + buckets);
    }
    if (facts.policy().isAsync()) {
      return new Bound(facts.floor(), facts.limit() + story.admittedJustBefore() + buckets);
    }
    Bound lost = facts.lostWithItsBackup();
    long left = facts.leftOfLost().allowed();
    return new Bound(lost.floor(), story.admittedBefore() + left);
  }
}
