package io.ringfence.chaos.faults;

import io.ringfence.chaos.cluster.Cluster;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * kill -9 of all three nodes at once, and all three are started again. Without a data directory
 * every start is a first one, whatever on_state_lost says: what was admitted, and another L.
 */
record RestartAll(List<Policy> policies) implements Fault {
  @Override
  public String name() {
    return "restart-all";
  }

  @Override
  public String title() {
    return "kill -9 of all three, started again without a data directory";
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
    return new Bound(facts.floor(), facts.story().admittedBefore() + facts.limit());
  }
}
