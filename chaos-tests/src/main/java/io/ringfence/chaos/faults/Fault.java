package io.ringfence.chaos.faults;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Something that is done to a cluster in the middle of a window, and what then may be admitted of a
 * key. The row of the guarantees that it stands for is told with {@link #bound}.
 */
public interface Fault {
  /** The word that chooses it, such as kill-sync. */
  String name();

  /** What it is, for a table. */
  String title();

  /** The nodes that run before it. */
  List<String> nodes();

  /** Nodes that come later. */
  default List<String> spares() {
    return List.of();
  }

  /** Whether it needs a network of its own. */
  default boolean cutsLinks() {
    return false;
  }

  /** Whether its nodes have data directories. */
  default boolean keepsData() {
    return false;
  }

  /** The policies under which it is tried, all in one trial. */
  List<Policy> policies();

  /** How long it lasts at least, so that a load can be spread over it. */
  Duration lasts();

  /** Chooses whom it hits. */
  Target aim(Stage stage, Random random);

  /** Does it; what is done when this returns has happened. */
  void strike(Stage stage, Target target);

  /** Goes on until all that it takes is over and the nodes that are left are in one view. */
  void follow(Stage stage, Target target);

  /** Makes the cluster what it was before. */
  default void restore(Stage stage, Target target) {
    // most are over by themselves
  }

  /** What may be admitted of a key. */
  Bound bound(Case facts);

  /** What of the admissions the bound is about. */
  default long counted(Case facts) {
    return facts.story().admitted();
  }

  /** Whether no check may fail: each is answered, by an owner. */
  default boolean everyCheckIsDecided() {
    return false;
  }

  /** The nodes that may be set AWAY by it; any other that is, the machine has held up. */
  default Set<String> mayBeAway(Target target) {
    return target.victims();
  }

  /**
   * Whether slots lose their counters. In such a slot what is assumed of a window holds for new
   * keys as well, so another trial needs another cluster.
   */
  default boolean losesCounters() {
    return false;
  }

  /** Whether all that was admitted apart is known to the owners in the end. */
  default boolean everythingIsDebited(Policy policy) {
    return false;
  }
}
