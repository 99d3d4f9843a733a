package io.ringfence.chaos.faults;

import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.cluster.ClusterPage;
import io.ringfence.chaos.netns.Fabric;
import io.ringfence.chaos.wire.MachineClock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a fault acts on: the nodes, the doors that clients use, and the network between the nodes
 * where there is one to cut. For one thread, but for the doors. Closing it ends the nodes, then the
 * network.
 */
public final class Stage implements AutoCloseable {
  private static final Duration QUIET = Duration.ofSeconds(1);

  private static final Pattern VIEW = Pattern.compile(" holds view (\\S+) .*?: (.*); before");
  private static final Pattern AWAY = Pattern.compile("(\\w+)@\\w+ AWAY");

  private final Cluster cluster;
  private final @Nullable Fabric fabric;
  private final Doors doors = new Doors();

  /**
   * A stage whose nodes do not run yet.
   *
   * @param fabric the network of its nodes, or null where they are on loopback
   */
  public Stage(Cluster cluster, @Nullable Fabric fabric) {
    this.cluster = cluster;
    this.fabric = fabric;
  }

  Cluster cluster() {
    return cluster;
  }

  Doors doors() {
    return doors;
  }

  Fabric fabric() {
    if (fabric == null) {
      throw new IllegalStateException("nodes on loopback have no links to cut");
    }
    return fabric;
  }

  /** Starts those nodes one after another, and waits for their view. */
  void start(List<String> names) {
    names.forEach(this::start);
    awaitView(names);
  }

  /** Starts a node, again if it is gone, and lets clients in once it is ready. */
  void start(String name) {
    cluster.start(name);
    letIn(name);
  }

  void letIn(String name) {
    doors.open(name, cluster.node(name).http());
  }

  ClusterPage awaitView(Collection<String> names) {
    return cluster.awaitView(names.toArray(String[]::new));
  }

  /**
   * Every view in which a node was AWAY, with its name, as those nodes have logged it since they
   * were started.
   */
  Set<Absence> absences(Collection<String> names) {
    Set<Absence> absences = new HashSet<>();
    for (String name : names) {
      cluster.node(name).log().lines().forEach(line -> addAbsences(line, absences));
    }
    return absences;
  }

  private static void addAbsences(String line, Set<Absence> absences) {
    Matcher view = VIEW.matcher(line);
    if (view.find()) {
      Matcher away = AWAY.matcher(view.group(2));
      while (away.find()) {
        absences.add(new Absence(view.group(1), away.group(1)));
      }
    }
  }

  /** A node that a view set AWAY. */
  record Absence(String view, String node) {}

  /** Waits until no node has passed on for a while what it admitted apart. */
  void awaitDebitsPaid(Collection<String> names) {
    Quiet quiet = new Quiet();
    cluster.await("debits to be paid", Cluster.PATIENCE, () -> quiet.since(debits(names)));
  }

  private double debits(Collection<String> names) {
    return names.stream()
        .mapToDouble(name -> cluster.node(name).metric("ringfence_debits_total"))
        .sum();
  }

  /** Whether a figure stays what it is. */
  private static final class Quiet {
    private double last = -1;
    private long sinceNanos;

    boolean since(double now) {
      if (now != last) {
        last = now;
        sinceNanos = MachineClock.nanos();
      }
      return MachineClock.nanos() - sinceNanos >= QUIET.toNanos();
    }
  }

  /** Lets a fault last: returns after that time. */
  static void hold(Duration time) {
    long untilNanos = MachineClock.nanos() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = untilNanos - MachineClock.nanos()) {
      LockSupport.parkNanos(left);
    }
  }

  @Override
  public void close() {
    cluster.close();
    if (fabric != null) {
      fabric.close();
    }
  }
}
