package io.ringfence.chaos.sim;

import io.ringfence.engine.Engine;
import io.ringfence.engine.EngineMetrics;
import io.ringfence.membership.MemberId;
import io.ringfence.ring.Placement;
import io.ringfence.ring.Ring;
import io.ringfence.rules.Ask;
import io.ringfence.rules.Rule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One simulated process: its engine, its clock, and what the world does to it. */
final class SimNode {
  final MemberId id;
  final int number; // from 0
  final NodeClock clock;
  private final Placement placement;
  private final Ring ring;

  private @Nullable Engine engine; // set once, right after construction

  long frozenUntilNanos; // virtual; not frozen once that has passed
  long wokeNanos; // virtual; when it last woke up and served what had waited
  boolean probed; // whether its counters are looked at by the checker, who needs no lease
  private final List<Lapse> lapses = new ArrayList<>();
  int timers; // set and not yet run
  final Set<Rule> byPolicy = new HashSet<>(); // answered by their failure policies in this turn
  EngineMetrics.Path lastPath = EngineMetrics.Path.LOCAL; // of the check answered last
  // What waits while this node is frozen, each in its order.
  final Deque<Runnable> frames = new ArrayDeque<>();
  final Deque<Runnable> dueTimers = new ArrayDeque<>();
  final Deque<Runnable> calls = new ArrayDeque<>();

  /** A node without an engine yet. */
  SimNode(MemberId id, int number, NodeClock clock, Placement placement, Ring ring) {
    this.id = id;
    this.number = number;
    this.clock = clock;
    this.placement = placement;
    this.ring = ring;
  }

  void runs(Engine made) {
    engine = made;
  }

  Engine engine() {
    if (engine == null) {
      throw new IllegalStateException(this + " has no engine yet");
    }
    return engine;
  }

  boolean isFrozen(long nowNanos) {
    return nowNanos < frozenUntilNanos;
  }

  private record Lapse(long fromNanos, long untilNanos) {}

  /** From now on until then it has no lease. */
  void lapses(long nowNanos, long untilNanos) {
    lapses.add(new Lapse(nowNanos, untilNanos));
  }

  /** Whether it has a lease. */
  boolean mayDecide(long nowNanos) {
    return lapses.stream().noneMatch(l -> l.fromNanos <= nowNanos && nowNanos < l.untilNanos);
  }

  /** Whether it had no lease at some time from one to the other. */
  boolean lapsedWithin(long fromNanos, long untilNanos) {
    return lapses.stream().anyMatch(l -> l.fromNanos <= untilNanos && fromNanos < l.untilNanos);
  }

  /** Whether this node decides for what is placed there. */
  boolean owns(Ask.Place place) {
    return id.name().equals(ring.ownerOf(slotOf(place)));
  }

  /** Whether this node keeps copies of what is placed there. */
  boolean backsUp(Ask.Place place) {
    return id.name().equals(ring.backupOf(slotOf(place)));
  }

  private int slotOf(Ask.Place place) {
    return placement.slotOf(place.attribute(), place.value());
  }

  @Override
  public String toString() {
    return id.name();
  }
}
