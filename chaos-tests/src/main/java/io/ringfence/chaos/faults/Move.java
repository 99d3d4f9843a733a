package io.ringfence.chaos.faults;

import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.cluster.NodeProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Nodes come and go in good order under load. Exactly L is admitted of each key and no check fails.
 * Clients leave a node before it is told to end, as behind a load balancer, and ask a new one once
 * it is ready.
 */
record Move(String name, Kind kind, List<Policy> policies) implements Fault {
  private static final String NEWCOMER = "n4";

  /** What is done. */
  enum Kind {
    /** A fourth node joins. */
    JOIN("a node joins three", Duration.ofSeconds(9)),
    /** One of three is told to end. */
    DRAIN("SIGTERM to one of three", Duration.ofSeconds(4)),
    /** All three are restarted, one after another. */
    ROLLING("rolling restart of three", Duration.ofSeconds(40));

    private final String title;
    private final Duration lasts;

    Kind(String title, Duration lasts) {
      this.title = title;
      this.lasts = lasts;
    }
  }

  @Override
  public List<String> nodes() {
    return Nodes.first(3);
  }

  @Override
  public List<String> spares() {
    return kind == Kind.JOIN ? List.of(NEWCOMER) : List.of();
  }

  @Override
  public String title() {
    return kind.title;
  }

  @Override
  public Duration lasts() {
    return kind.lasts;
  }

  @Override
  public Target aim(Stage stage, Random random) {
    return switch (kind) {
      case JOIN -> Target.calm(Set.of(NEWCOMER));
      case DRAIN -> Target.calm(Set.of(Nodes.any(nodes(), random)));
      case ROLLING -> Target.calm(Set.copyOf(nodes()));
    };
  }

  @Override
  public void strike(Stage stage, Target target) {
    switch (kind) {
      case JOIN -> stage.cluster().launch(NEWCOMER);
      case DRAIN -> tellToEnd(stage, target.only());
      case ROLLING -> {} // all of it follows
    }
  }

  private static void tellToEnd(Stage stage, String name) {
    stage.doors().shut(name);
    stage.cluster().node(name).terminate();
  }

  @Override
  public void follow(Stage stage, Target target) {
    switch (kind) {
      case JOIN -> {
        stage.cluster().node(NEWCOMER).awaitReady(Cluster.PATIENCE);
        stage.letIn(NEWCOMER);
        stage.awaitView(Nodes.first(4));
      }
      case DRAIN -> awaitEnd(stage, target.only());
      case ROLLING -> {
        List<String> order = new ArrayList<>(nodes());
        Collections.reverse(order);
        for (String name : order) {
          tellToEnd(stage, name);
          awaitEnd(stage, name);
          restart(stage, name);
        }
      }
    }
  }

  private void awaitEnd(Stage stage, String name) {
    NodeProcess leaving = stage.cluster().node(name);
    int code = leaving.awaitExit(Cluster.PATIENCE);
    if (code != 0) {
      throw new IllegalStateException(name + " was told to end, and ended with " + code);
    }
    stage.awaitView(Nodes.without(nodes(), name));
  }

  private void restart(Stage stage, String name) {
    stage.start(name);
    stage.awaitView(nodes());
  }

  @Override
  public void restore(Stage stage, Target target) {
    switch (kind) {
      case JOIN -> {
        tellToEnd(stage, NEWCOMER);
        awaitEnd(stage, NEWCOMER);
      }
      case DRAIN -> restart(stage, target.only());
      case ROLLING -> {}
    }
  }

  @Override
  public Bound bound(Case facts) {
    // A check that failed is told by itself; its charge, if there is one, is not missed twice.
    return new Bound(facts.limit() - facts.story().late(), facts.limit());
  }

  @Override
  public Set<String> mayBeAway(Target target) {
    return Set.of();
  }

  @Override
  public boolean everyCheckIsDecided() {
    return true;
  }
}
