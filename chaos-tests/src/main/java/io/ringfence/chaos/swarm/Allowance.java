package io.ringfence.chaos.swarm;

import io.ringfence.chaos.swarm.Chronicle.Strike;
import io.ringfence.rules.Durability;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How much of a key a run may admit, by the row of the guarantee table that its faults allow. L is
 * the limit. What local buckets admit is counted apart, and bounded by the share of each node.
 *
 * <table>
 * <caption>What owners may admit of one key</caption>
 * <tr><th>what happened</th><th>at most</th></tr>
 * <tr><td>nothing, joins, drains, restarts in turn, clocks set</td><td>L</td></tr>
 * <tr><td>a process lost that had a full backup: killed, or set AWAY while it was stopped or cut
 * off; sync</td><td>L</td></tr>
 * <tr><td>the same, async</td><td>L, and what it admitted that its backup had not acknowledged:
 * {@link #WINDOW_NANOS} before it was struck, which covers the interval and a round trip with room
 * to spare. Whoever was stopped, slow or cut off did not acknowledge since that began: then also
 * what it admitted until checks waited for the copy, {@link #MAX_LAG_NANOS} after the first charge
 * that was not copied</td></tr>
 * <tr><td>a process lost before the cluster had settled after the loss before, or while it was
 * alone: owner and backup are gone; or any process lost, durability none</td><td>once for all that
 * one view parted with: L more where what is lost counts as fresh, L(1-f) prorated, 0
 * spent</td></tr>
 * <tr><td>a lineage begun beside another, or after it</td><td>L more</td></tr>
 * </table>
 *
 * <p>And at least L, once every key was asked for often enough, but for checks of which no owner's
 * word came: an owner may have charged each of them, and the local bucket's debit may have charged
 * it a second time. One that was under way as its owner was lost may have been charged by that and
 * again by whoever answered it. What is lost may count as used: all of it where it is spent, a part
 * prorated.
 */
final class Allowance {
  /** Before a loss: an interval of 10 ms, a round trip of at most 6 ms, and much besides. */
  static final long WINDOW_NANOS = 60_000_000;

  /** By how much copies may be behind before checks wait for them. */
  static final long MAX_LAG_NANOS = Node.REPLICATION.maxLag().toNanos();

  private record Span(long fromNanos, long untilNanos) {
    boolean meets(Asked asked) {
      return asked.answeredNanos >= fromNanos && asked.begunNanos <= untilNanos;
    }
  }

  private final Swarm swarm;
  private final List<Loss> losses;
  private final int lineages; // begun beside others
  private final int forgotten; // how often counters may have been lost

  Allowance(Swarm swarm) {
    this.swarm = swarm;
    this.losses = swarm.chronicle.losses();
    this.lineages = swarm.chronicle.laterLineages();
    this.forgotten = forgotten();
  }

  private int forgotten() {
    Set<Object> departures = new HashSet<>();
    for (int i = 0; i < losses.size(); i++) {
      Loss loss = losses.get(i);
      boolean gone = loss.alone() || swarm.setup.durability() == Durability.NONE;
      for (int before = 0; before < i; before++) {
        gone |= losses.get(before).refilledNanos() > loss.fromNanos();
      }
      if (gone) {
        departures.add(loss.departure() == null ? "nobody left" : loss.departure());
      }
    }
    return departures.size();
  }

  List<Loss> losses() {
    return losses;
  }

  /** Whether any counter may have begun anew. */
  boolean isBegunAnew() {
    return forgotten > 0 || lineages > 0;
  }

  /** The most that owners may have admitted of a key. */
  long most(int key) {
    long limit = swarm.setup.limit();
    long most =
        limit + Math.max(lineages * limit, forgotten * (limit - swarm.setup.leastAssumed()));
    if (swarm.setup.durability() == Durability.ASYNC) {
      for (Loss loss : losses) {
        most += unacknowledged(loss, key);
      }
    }
    return most;
  }

  private long unacknowledged(Loss loss, int key) {
    List<Asked> its = swarm.ledger.all().stream().filter(one -> isOf(loss, key, one)).toList();
    List<Span> spans = spans(loss, its);
    return its.stream()
        .filter(asked -> spans.stream().anyMatch(span -> span.meets(asked)))
        .mapToLong(asked -> asked.cost)
        .sum();
  }

  private static boolean isOf(Loss loss, int key, Asked asked) {
    return asked.key == key
        && asked.isAllowed()
        && asked.isByOwner()
        && asked.verdict != null
        && loss.node().id.name().equals(asked.verdict.owner());
  }

  /** When what a lost process admitted may not have been acknowledged. */
  private List<Span> spans(Loss loss, List<Asked> its) {
    List<Span> spans = new ArrayList<>();
    List<Strike> disturbances = swarm.chronicle.disturbances(loss, WINDOW_NANOS + MAX_LAG_NANOS);
    long before = disturbances.isEmpty() ? WINDOW_NANOS : WINDOW_NANOS + MAX_LAG_NANOS;
    spans.add(new Span(loss.fromNanos() - before, loss.fromNanos()));
    for (Strike strike : disturbances) {
      long from = strike.fromNanos - WINDOW_NANOS;
      // A copy is behind from the first charge on that it lacks, of whichever key.
      long behind =
          its.stream()
              .filter(asked -> asked.answeredNanos >= strike.fromNanos)
              .mapToLong(asked -> asked.begunNanos)
              .min()
              .orElse(strike.fromNanos);
      long until = Math.max(strike.fromNanos, behind) + MAX_LAG_NANOS + WINDOW_NANOS;
      spans.add(new Span(from, Math.min(loss.untilNanos(), until)));
    }
    return spans;
  }

  /** The least that owners must have admitted of a key that was asked for often enough. */
  long least(int key) {
    long assumed = forgotten * swarm.setup.mostAssumed();
    return Math.max(
        0, swarm.setup.limit() - assumed - 2 * swarm.ledger.unsure(key) - inFlight(key));
  }

  /** Units of a key that an owner admitted, and that one lost meanwhile may have charged too. */
  private long inFlight(int key) {
    return swarm.ledger.all().stream()
        .filter(asked -> asked.key == key && asked.isByOwner() && asked.begunNanos >= 0)
        .filter(asked -> losses.stream().anyMatch(loss -> isUnderWayAt(asked, loss.fromNanos())))
        .mapToLong(asked -> asked.cost)
        .sum();
  }

  private static boolean isUnderWayAt(Asked asked, long nanos) {
    return asked.begunNanos <= nanos && asked.answeredNanos >= nanos;
  }

  /** The ground of the bound, in a line. */
  String tell(int key) {
    String losses = "L %d, lost %d times, %d lineages, %d processes lost";
    String checks = ", %d units without an owner's word, %d in flight";
    return losses.formatted(swarm.setup.limit(), forgotten, lineages, this.losses.size())
        + checks.formatted(swarm.ledger.unsure(key), inFlight(key));
  }
}
