package io.ringfence.chaos.faults;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * SIGSTOP of one node, and SIGCONT.
 *
 * <pre>
 *   shorter than a lease   L
 *   longer, sync           L
 *   longer, async          L + what the owner admitted within max_lag and an interval before
 *   local                  + a local bucket a node
 *   share                  + the share of the one that wakes up without a lease
 * </pre>
 */
record Stop(String name, Duration time, List<Policy> policies) implements Fault {
  private static final Duration LONG = Duration.ofSeconds(1); // clients look elsewhere

  @Override
  public List<String> nodes() {
    return Nodes.first(3);
  }

  @Override
  public String title() {
    String length = isLong() ? time.toSeconds() + " s" : time.toMillis() + " ms";
    return "SIGSTOP " + length + ", SIGCONT";
  }

  private boolean isLong() {
    return time.compareTo(LONG) > 0;
  }

  @Override
  public Duration lasts() {
    return time.plusSeconds(isLong() ? 6 : 2);
  }

  @Override
  public Target aim(Stage stage, Random random) {
    String victim = Nodes.any(nodes(), random);
    return new Target(Set.of(victim), victim, Set.copyOf(Nodes.without(nodes(), victim)));
  }

  @Override
  public void strike(Stage stage, Target target) {
    stage.cluster().node(target.only()).freeze();
    if (isLong()) {
      stage.doors().shut(target.only());
    }
  }

  @Override
  public void follow(Stage stage, Target target) {
    Stage.hold(time);
    stage.cluster().node(target.only()).thaw();
    stage.letIn(target.only());
    stage.awaitView(nodes());
  }

  @Override
  public boolean everythingIsDebited(Policy policy) {
    return true;
  }

  @Override
  public Bound bound(Case facts) {
    long unknown =
        isLong() && facts.ownerHit() && facts.policy().isAsync()
            ? facts.story().admittedJustBefore()
            : 0;
    long buckets = facts.localBuckets(nodes().size());
    return new Bound(facts.floor(), facts.limit() + unknown + facts.shares() + buckets);
  }
}
