package io.ringfence.chaos.swarm;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Does to a swarm what a plan says, and knows when all of it is over. */
final class Faults {
  private static final long MILLI = 1_000_000;
  private static final long LOOK_NANOS = 20 * MILLI;
  private static final long IN_WAIT_NANOS = 4_000 * MILLI;
  private static final long PATIENCE_NANOS = 30_000 * MILLI;

  private final Swarm swarm;
  private final Coverage coverage;
  private int underWay; // begun, and not over
  private final List<Ambush> inWait = new ArrayList<>();

  Faults(Swarm swarm, Coverage coverage) {
    this.swarm = swarm;
    this.coverage = coverage;
    swarm.lookOut(this::look);
  }

  /** A fault that lies in wait. */
  private static final class Ambush {
    final Fault.Ambush fault;
    boolean sawOther; // whether the cluster was in another state since

    Ambush(Fault.Ambush fault) {
      this.fault = fault;
    }
  }

  /** Has all of it happen, each at its time from now. */
  void plan(List<Fault> faults) {
    for (Fault fault : faults) {
      underWay++;
      swarm.agenda.after(
          fault.atNanos(),
          () -> {
            begin(fault);
            underWay--;
          });
    }
  }

  boolean areOver() {
    return underWay == 0;
  }

  private void begin(Fault fault) {
    if (fault instanceof Fault.Ambush ambush) {
      lieInWait(ambush);
      return;
    }
    ClusterState state = ClusterState.of(swarm);
    if (happens(fault)) {
      swarm.story.add(() -> "**  %s, while %s".formatted(fault, state.text()));
      coverage.met(fault.kind(), state);
    } else {
      swarm.story.add(() -> "**  left out: " + fault);
    }
  }

  private void lieInWait(Fault.Ambush fault) {
    underWay++;
    Ambush ambush = new Ambush(fault);
    inWait.add(ambush);
    swarm.agenda.after(
        IN_WAIT_NANOS,
        () -> {
          if (inWait.remove(ambush)) {
            underWay--;
            swarm.story.add(() -> "**  in vain waited for: " + fault);
          }
        });
  }

  /** A turn of some process has ended. */
  private void look(ClusterState state) {
    if (!inWait.isEmpty()) {
      inWait.removeIf(ambush -> falls(ambush, state));
    }
  }

  private boolean falls(Ambush ambush, ClusterState state) {
    boolean enters = ambush.sawOther && state == ambush.fault.state();
    ambush.sawOther |= state != ambush.fault.state();
    if (enters) {
      swarm.agenda.after(
          ambush.fault.afterNanos(),
          () -> {
            underWay--;
            begin(ambush.fault.fault());
          });
    }
    return enters;
  }

  private boolean happens(Fault fault) {
    if (fault instanceof Fault.Crash crash) {
      return crash(swarm.at(crash.host()), crash.restartNanos());
    } else if (fault instanceof Fault.CrashAll all) {
      swarm.living().forEach(node -> crash(node, all.restartNanos()));
      return true;
    } else if (fault instanceof Fault.Freeze freeze) {
      return freeze(swarm.at(freeze.host()), freeze.forNanos());
    } else if (fault instanceof Fault.Cut cut) {
      cut(cut.from(), cut.to(), cut.forNanos());
      if (cut.bothWays()) {
        cut(cut.to(), cut.from(), cut.forNanos());
      }
      return true;
    } else if (fault instanceof Fault.Partition partition) {
      return partition(partition);
    } else if (fault instanceof Fault.Slow slow) {
      slow(slow);
      return true;
    } else if (fault instanceof Fault.Join join) {
      return start(join.host());
    } else if (fault instanceof Fault.Drain drain) {
      return drain(swarm.at(drain.host()), drain.restartNanos());
    } else if (fault instanceof Fault.Rolling) {
      restartFrom(0);
      return true;
    } else if (fault instanceof Fault.Weigh weigh) {
      Node node = swarm.at(weigh.host());
      if (node != null) {
        swarm.weigh(node, weigh.weight());
      }
      return node != null;
    } else if (fault instanceof Fault.ClockSet set) {
      Node node = swarm.at(set.host());
      if (node != null) {
        node.clock.systemClockSet(set.byNanos());
      }
      return node != null;
    }
    throw new IllegalArgumentException("nothing is known of " + fault);
  }

  private boolean crash(@Nullable Node node, long restartNanos) {
    if (node == null || (restartNanos < 0 && isLastToStay(node))) {
      return false;
    }
    swarm.crash(node);
    if (restartNanos >= 0) {
      restart(node.host, restartNanos);
    }
    return true;
  }

  private boolean isLastToStay(Node node) {
    return swarm.living().stream()
        .noneMatch(other -> other != node && !other.toLeave && other.glue.isReady());
  }

  /** Starts the next process of a host after a while, and not before every cut is over. */
  private void restart(int host, long afterNanos) {
    underWay++;
    swarm.agenda.after(
        afterNanos,
        () -> {
          underWay--;
          if (swarm.network.anyCut()) {
            restart(host, LOOK_NANOS);
          } else if (swarm.at(host) == null) {
            swarm.start(host);
          }
        });
  }

  private boolean start(int host) {
    if (swarm.at(host) != null || swarm.network.anyCut()) {
      return false;
    }
    swarm.start(host);
    return true;
  }

  private boolean freeze(@Nullable Node node, long forNanos) {
    if (node == null) {
      return false;
    }
    swarm.freeze(node);
    lasts(forNanos, () -> swarm.thaw(node));
    return true;
  }

  private void cut(int from, int to, long forNanos) {
    swarm.cut(from, to);
    lasts(forNanos, () -> swarm.heal(from, to));
  }

  private boolean partition(Fault.Partition partition) {
    if (partition.part().size() == Plans.HOSTS) {
      return false;
    }
    for (int one : partition.part()) {
      for (int other = 0; other < Plans.HOSTS; other++) {
        if (!partition.part().contains(other)) {
          cut(one, other, partition.forNanos());
          cut(other, one, partition.forNanos());
        }
      }
    }
    return true;
  }

  private void slow(Fault.Slow slow) {
    swarm.slow(slow.one(), slow.other(), slow.byNanos());
    lasts(slow.forNanos(), () -> swarm.slow(slow.one(), slow.other(), 0));
  }

  private void lasts(long nanos, Runnable end) {
    underWay++;
    swarm.agenda.after(
        nanos,
        () -> {
          underWay--;
          end.run();
        });
  }

  private boolean drain(@Nullable Node node, long restartNanos) {
    if (node == null || node.toLeave || isLastToStay(node)) {
      return false;
    }
    drain(
        node,
        () -> {
          if (restartNanos >= 0) {
            restart(node.host, restartNanos);
          }
        });
    return true;
  }

  /** Has a node leave, serve until it is out, and end once its callers have their answers. */
  private void drain(Node node, Runnable then) {
    swarm.leave(node);
    long linger = swarm.chance.nextLong(300 * MILLI);
    when(
        () -> node.hasEnded() || node.glue.isOut(),
        () ->
            lasts(
                linger,
                () ->
                    when(
                        () -> node.hasEnded() || !swarm.ledger.hasPending(node),
                        () -> {
                          if (!node.hasEnded()) {
                            swarm.end(node);
                          }
                          then.run();
                        })));
  }

  private void restartFrom(int host) {
    if (host == Plans.HOSTS) {
      return;
    }
    Node node = swarm.at(host);
    if (node == null || node.toLeave || isLastToStay(node)) {
      restartFrom(host + 1);
      return;
    }
    drain(
        node,
        () ->
            when(
                () -> !swarm.network.anyCut(),
                () -> {
                  if (swarm.at(host) == null) {
                    swarm.start(host);
                  }
                  when(swarm::isSettled, () -> restartFrom(host + 1));
                }));
  }

  /** Goes on when something holds. */
  private void when(BooleanSupplier holds, Runnable then) {
    underWay++;
    look(holds, then, swarm.agenda.now() + PATIENCE_NANOS);
  }

  private void look(BooleanSupplier holds, Runnable then, long untilNanos) {
    if (holds.getAsBoolean()) {
      underWay--;
      then.run();
    } else if (swarm.agenda.now() >= untilNanos) {
      swarm.findings.broken(
          Invariant.COMES_TO_REST, "a node waits in vain to leave or to go on: " + swarm.tell());
    } else {
      swarm.agenda.after(LOOK_NANOS, () -> look(holds, then, untilNanos));
    }
  }
}
