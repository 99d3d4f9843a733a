package io.ringfence.chaos.faults;

import io.ringfence.chaos.cluster.Cluster;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * kill -9 of all three nodes at once, and all three are started again, before anybody may ask them.
 * Without a data directory every start is a first one, whatever on_state_lost says: what was
 * admitted, and another L. With one, L and what was admitted since the last checkpoint.
 */
record RestartAll(boolean keepsData, List<Policy> policies) implements Fault {
  /** A checkpoint is written every second; and what a busy machine takes for it. */
  private static final Duration SINCE_CHECKPOINT = Duration.ofMillis(1_500);

  @Override
  public String name() {
    return keepsData ? "restart-all-data" : "restart-all";
  }

  @Override
  public String title() {
    return "kill -9 of all three, started again "
        + (keepsData ? "with their data directories" : "without a data directory");
  }

  @Override
  public List<String> nodes() {
    return Nodes.first(3);
  }

  @Override
  public Duration lasts() {
    return Duration.ofSeconds(1); // offers wait for a node anyway
  }

  @Override
  public Target aim(Stage stage, Random random) {
    return Target.calm(Set.copyOf(nodes()));
  }

  @Override
  public void strike(Stage stage, Target target) {
    for (String name : nodes()) {
      stage.cluster().node(name).kill();
      stage.doors().shut(name);
    }
  }

  @Override
  public void follow(Stage stage, Target target) {
    nodes().forEach(name -> stage.cluster().launch(name));
    nodes().forEach(name -> stage.cluster().node(name).awaitReady(Cluster.PATIENCE));
    nodes().forEach(stage::letIn);
    stage.awaitView(nodes());
  }

  @Override
  public Bound bound(Case facts) {
    KeyStory story = facts.story();
    long unknown = keepsData ? story.admittedWithin(SINCE_CHECKPOINT) : story.admittedBefore();
    return new Bound(facts.floor(), facts.limit() + unknown);
  }
}
