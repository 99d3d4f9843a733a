package io.ringfence.engine;

import io.ringfence.engine.message.LiftMessage;
import io.ringfence.engine.message.LiftMessage.Lifted;
import io.ringfence.membership.Member;
import io.ringfence.membership.MemberId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tells the other members that a denial which this node stated has ended before its time.
 *
 * <p>Each lift goes to every member of the view and is repeated, first after {@link #REPEAT_NANOS}
 * and then at twice the distance each time, up to {@link #LONGEST_PAUSE_NANOS}, until it is
 * acknowledged, the member has left the view, or {@link #PATIENCE_NANOS} are over, after which a
 * member that never answered is left to its own clock. Whoever gave back something waits for the
 * members that can be reached, within the time that its caller waits: once it has its answer, no
 * member denies on the old word.
 *
 * <p>Bounded: more than {@link #CAPACITY} lifts under way are not waited for nor repeated, which is
 * counted. Thread-safe; what waits runs outside the monitor.
 */
final class Lifting {
  static final long REPEAT_NANOS = 50_000_000L;
  static final long LONGEST_PAUSE_NANOS = 1_000_000_000L;
  static final long PATIENCE_NANOS = 60_000_000_000L;
  static final int CAPACITY = 10_000;

  private final MemberId self;
  private final EnginePorts ports;
  private final Map<Long, Lift> lifts = new HashMap<>(); // guarded by this; size <= CAPACITY

  private long lastId; // guarded by this
  private boolean repeating; // guarded by this; whether a timer is set

  Lifting(MemberId self, EnginePorts ports) {
    this.self = self;
    this.ports = ports;
  }

  /** A lift under way; guarded by the monitor of the whole. */
  private static final class Lift {
    private final LiftMessage message;
    private final long startNanos;
    private final Set<MemberId> missing; // have not acknowledged
    private final Set<MemberId> awaited; // those of them that somebody waits for
    private @Nullable Runnable then; // null once it has run
    private long pauseNanos = REPEAT_NANOS; // how long after the latest sending the next comes
    private long repeatAtNanos; // when

    Lift(LiftMessage message, long startNanos, Set<MemberId> missing, Runnable then) {
      this.message = message;
      this.startNanos = startNanos;
      this.missing = missing;
      this.awaited = new HashSet<>(missing);
      this.then = then;
      this.repeatAtNanos = startNanos + pauseNanos;
    }

    /** Whether it is to be sent again now; if so, the next time is set. */
    boolean isDue(long nowNanos) {
      if (nowNanos < repeatAtNanos) {
        return false;
      }
      pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
      repeatAtNanos = nowNanos + pauseNanos;
      return true;
    }

    /** What waited, if it waits no longer. */
    @Nullable Runnable released() {
      Runnable released = awaited.isEmpty() ? then : null;
      if (released != null) {
        then = null;
      }
      return released;
    }
  }

  /**
   * Lifts, and runs the task once all members that can be reached have acknowledged, or at the
   * deadline.
   *
   * @param reachable whether it is worth waiting for a member
   */
  void lift(
      List<Lifted> lifted,
      @Nullable Topology topology,
      Predicate<MemberId> reachable,
      long deadlineNanos,
      Runnable then) {
    Set<MemberId> others = othersOf(topology);
    if (lifted.isEmpty() || others.isEmpty()) {
      then.run();
      return;
    }
    long now = ports.clock().elapsedNanos();
    Lift lift = begin(lifted, others, now, then);
    if (lift == null) {
      ports.metrics().overflow("lifts");
      then.run();
      return;
    }
    for (MemberId other : others) {
      boolean sent = ports.transport().send(other, lift.message);
      if (!sent || !reachable.test(other)) {
        notAwaited(lift, other);
      }
    }
    ports
        .timers()
        .after(Math.max(0, deadlineNanos - now), () -> others.forEach(o -> notAwaited(lift, o)));
    repeatLater();
  }

  /** A member has acknowledged. */
  void lifted(MemberId from, long id) {
    Runnable then;
    synchronized (this) {
      Lift lift = lifts.get(id);
      if (lift == null) {
        return;
      }
      lift.missing.remove(from);
      lift.awaited.remove(from);
      then = lift.released();
      if (lift.missing.isEmpty()) {
        lifts.remove(id);
      }
    }
    if (then != null) {
      then.run();
    }
  }

  /** How many lifts some member has not acknowledged. */
  synchronized int underWay() {
    return lifts.size();
  }

  /** Who is not in the view is told nothing more; nobody is where there is no view. */
  void installed(@Nullable Topology topology) {
    Set<MemberId> others = othersOf(topology);
    List<Runnable> released = new ArrayList<>();
    synchronized (this) {
      for (Iterator<Lift> all = lifts.values().iterator(); all.hasNext(); ) {
        Lift lift = all.next();
        lift.missing.retainAll(others);
        lift.awaited.retainAll(others);
        Runnable then = lift.released();
        if (then != null) {
          released.add(then);
        }
        if (lift.missing.isEmpty()) {
          all.remove();
        }
      }
    }
    released.forEach(Runnable::run);
  }

  private synchronized @Nullable Lift begin(
      List<Lifted> lifted, Set<MemberId> others, long now, Runnable then) {
    if (lifts.size() >= CAPACITY) {
      return null;
    }
    long id = ++lastId;
    Lift lift = new Lift(new LiftMessage(id, lifted), now, new HashSet<>(others), then);
    lifts.put(id, lift);
    return lift;
  }

  private void notAwaited(Lift lift, MemberId member) {
    Runnable then;
    synchronized (this) {
      lift.awaited.remove(member);
      then = lift.released();
    }
    if (then != null) {
      then.run();
    }
  }

  private Set<MemberId> othersOf(@Nullable Topology topology) {
    Set<MemberId> others = new HashSet<>();
    if (topology != null) {
      topology.view().members().stream().map(Member::id).forEach(others::add);
      others.remove(self);
    }
    return others;
  }

  private void repeatLater() {
    synchronized (this) {
      if (repeating || lifts.isEmpty()) {
        return;
      }
      repeating = true;
    }
    ports.timers().after(REPEAT_NANOS, this::repeat);
  }

  private void repeat() {
    long now = ports.clock().elapsedNanos();
    record Again(MemberId to, LiftMessage message) {}
    List<Again> again = new ArrayList<>();
    synchronized (this) {
      repeating = false;
      lifts.values().removeIf(lift -> now - lift.startNanos >= PATIENCE_NANOS);
      for (Lift lift : lifts.values()) {
        if (lift.isDue(now)) {
          lift.missing.forEach(member -> again.add(new Again(member, lift.message)));
        }
      }
    }
    again.forEach(one -> ports.transport().send(one.to(), one.message()));
    repeatLater();
  }
}
