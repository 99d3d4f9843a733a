package io.ringfence.chaos.sim;

import io.ringfence.engine.Engine;
import io.ringfence.engine.EngineMetrics;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.View;
import io.ringfence.ring.Placement;
import io.ringfence.ring.Ring;
import io.ringfence.ring.RingNode;
import io.ringfence.ring.RingSettings;
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
  final int process; // from 0 in the order of starting; no two processes of a run share it
  final NodeClock clock;
  private final RingSettings ringSettings;
  private final Placement placement;

  private @Nullable Engine engine; // set once, right after construction
  @Nullable View view; // the one that its engine goes by, or the last that it was told of
  private final long[] ownedSinceNanos; // by slot
  private @Nullable Ring ring; // of that view; null while it is in none

  boolean crashed; // once true, nothing runs here any more
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

  SimNode(MemberId id, int process, NodeClock clock, RingSettings ringSettings) {
    this.id = id;
    this.process = process;
    this.clock = clock;
    this.ringSettings = ringSettings;
    this.placement = new Placement(ringSettings);
    this.ownedSinceNanos = new long[ringSettings.slots()];
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

  boolean mayDecide(long nowNanos) {
    return lapses.stream().noneMatch(l -> l.fromNanos <= nowNanos && nowNanos < l.untilNanos);
  }

  /** Whether it had no lease at some time from one to the other. */
  boolean lapsedWithin(long fromNanos, long untilNanos) {
    return lapses.stream().anyMatch(l -> l.fromNanos <= untilNanos && fromNanos < l.untilNanos);
  }

  /** Whether it has a place in its view, and must not decide. */
  boolean isCutOff(long nowNanos) {
    return inView() && !mayDecide(nowNanos);
  }

  void goesBy(View installed, long nowNanos) {
    Ring before = ring;
    view = installed;
    ring =
        installed.contains(id)
            ? Ring.of(
                ringSettings,
                installed.base().stream().map(m -> new RingNode(m.name(), m.weight())).toList())
            : null;
    for (int slot = 0; slot < ownedSinceNanos.length; slot++) {
      if (!owns(before, slot) && owns(ring, slot)) {
        ownedSinceNanos[slot] = nowNanos;
      }
    }
  }

  /** Whether this node is in the view that it knows. */
  boolean inView() {
    return ring != null;
  }

  private boolean owns(@Nullable Ring by, int slot) {
    return by != null && id.name().equals(by.ownerOf(slot));
  }

  /** Whether, by the view that it goes by, this node decides for what is placed there. */
  boolean owns(Ask.Place place) {
    return owns(ring, slotOf(place));
  }

  /** Since when it does, in virtual time; of meaning only while it does. */
  long ownsSinceNanos(Ask.Place place) {
    return ownedSinceNanos[slotOf(place)];
  }

  private int slotOf(Ask.Place place) {
    return placement.slotOf(place.attribute(), place.value());
  }

  @Override
  public String toString() {
    return id.name() + "/" + process;
  }
}
