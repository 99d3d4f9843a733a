package io.ringfence.chaos.faults;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * What one of three nodes sends to another is lost, in one direction or in both, while both still
 * reach the third; then it is healed.
 *
 * <pre>
 *   sync      L
 *   async     L + what an owner admitted within a lease, max_lag and an interval, if a view sets it
 *             AWAY
 *   local     + a local bucket a node
 * </pre>
 */
record CutLink(String name, boolean bothWays, List<Policy> policies) implements Fault {
  private static final Duration CUT = Duration.ofSeconds(6);

  @Override
  public String title() {
    return bothWays ? "one link of three cut, then healed" : "one way of a link cut, then healed";
  }

  @Override
  public List<String> nodes() {
    return Nodes.first(3);
  }

  @Override
  public boolean cutsLinks() {
    return true;
  }

  @Override
  public Duration lasts() {
    return CUT.plusSeconds(5);
  }

  @Override
  public Target aim(Stage stage, Random random) {
    List<String> ends = Nodes.some(nodes(), 2, random);
    return new Target(Set.copyOf(ends), ends.get(0), Set.of(ends.get(1)));
  }

  @Override
  public void strike(Stage stage, Target target) {
    String from = target.asked();
    String to = target.askers().iterator().next();
    stage.fabric().cut(from, to);
    if (bothWays) {
      stage.fabric().cut(to, from);
    }
  }

  @Override
  public void follow(Stage stage, Target target) {
    Stage.hold(CUT);
    stage.fabric().heal();
    stage.awaitView(nodes());
  }

  @Override
  public boolean everythingIsDebited(Policy policy) {
    return true;
  }

  @Override
  public Bound bound(Case facts) {
    long unknown = facts.policy().isAsync() ? facts.story().admittedInBusiestLease() : 0;
    long buckets = facts.localBuckets(nodes().size());
    return new Bound(facts.floor(), facts.limit() + unknown + buckets);
  }
}
