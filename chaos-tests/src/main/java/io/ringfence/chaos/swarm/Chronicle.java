package io.ringfence.chaos.swarm;

import io.ringfence.membership.Lineage;
import io.ringfence.membership.Member;
import io.ringfence.membership.MemberState;
import io.ringfence.membership.View;
import io.ringfence.membership.ViewStamp;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What was done to processes, and what views came of it. From both follows which processes were
 * lost, the ground of every {@link Allowance}.
 *
 * <p>A process is lost when a view lists it no more, or as AWAY, that follows on one by which it
 * was present, unless it had drained; and when it is killed and nobody is left to say so. A view
 * that parts with a process to which nothing was done is no loss, and allows nothing.
 */
final class Chronicle {
  /** A departure follows its cause within that time: silence, its agreement, and what is late. */
  private static final long FOLLOWS_NANOS = 2_500_000_000L;

  /** What can be done to a process. */
  enum Blow {
    /** It is killed, or ends while nobody goes on. */
    KILL,
    /** It is stopped for a while. */
    STOP,
    /** A link of its host is cut, one way or both. */
    CUT,
    /** A link of its host is slow. */
    SLOW
  }

  /** What was done to a process, and how long it lasted. */
  static final class Strike {
    final Node node;
    final Blow blow;
    final long fromNanos;
    long untilNanos = Long.MAX_VALUE; // until it is over
    int times = 1; // how many of its kind are in force at once

    Strike(Node node, Blow blow, long fromNanos) {
      this.node = node;
      this.blow = blow;
      this.fromNanos = fromNanos;
    }
  }

  /** When a view was held for the first time. */
  private record Held(View view, long atNanos) {}

  private final Swarm swarm;
  private final List<Strike> strikes = new ArrayList<>();
  private final List<Held> held = new ArrayList<>();
  private final Set<ViewStamp> known = new HashSet<>();
  private final Set<Node> holders = new HashSet<>(); // who has held any view
  private boolean beganFromNothing;
  private int lineagesWhenFormed;
  private @Nullable Places places; // by the latest view; null until asked for

  Chronicle(Swarm swarm) {
    this.swarm = swarm;
  }

  void struck(Node node, Blow blow) {
    for (Strike strike : strikes) {
      if (strike.node == node && strike.blow == blow && strike.untilNanos == Long.MAX_VALUE) {
        strike.times++;
        return;
      }
    }
    strikes.add(new Strike(node, blow, swarm.agenda.now()));
  }

  void relieved(Node node, Blow blow) {
    for (Strike strike : strikes) {
      if (strike.node == node && strike.blow == blow && strike.untilNanos == Long.MAX_VALUE) {
        strike.times--;
        if (strike.times == 0) {
          strike.untilNanos = swarm.agenda.now();
        }
      }
    }
  }

  void installed(Node node, View view) {
    boolean first = holders.add(node);
    beganFromNothing |= first && view.epoch() == 1 && holders.size() > 1;
    if (known.add(view.stamp())) {
      held.add(new Held(view, swarm.agenda.now()));
      places = null;
    }
  }

  /** The cluster stands: lineages begun from now on are more than there should be. */
  void formed() {
    lineagesWhenFormed = lineages();
  }

  private int lineages() {
    return (int) held.stream().map(each -> each.view().lineage()).distinct().count();
  }

  /** How many lineages began since the cluster stood. */
  int laterLineages() {
    return lineages() - lineagesWhenFormed;
  }

  /**
   * Whether a process that had held no view began a lineage after others. Without a data directory
   * it cannot know of them, and takes its start for the first one.
   */
  boolean beganFromNothing() {
    return beganFromNothing;
  }

  /** When the first process was struck. */
  long firstBlowNanos() {
    return strikes.isEmpty() ? Long.MAX_VALUE : strikes.get(0).fromNanos;
  }

  /** The view that came into force last, or null. */
  @Nullable View latest() {
    return held.isEmpty() ? null : held.get(held.size() - 1).view();
  }

  /** Where slots are by that view, which there must be. */
  Places places() {
    View view = latest();
    if (view == null) {
      throw new IllegalStateException("there is no view yet");
    }
    Places known = places;
    if (known == null) {
      known = new Places(view, swarm.setup.ring());
      places = known;
    }
    return known;
  }

  /**
   * What was done to whomever, a kill aside, that was in force while a process was being lost, or
   * until shortly before.
   */
  List<Strike> disturbances(Loss loss, long shortlyNanos) {
    return strikes.stream()
        .filter(strike -> strike.blow != Blow.KILL && strike.fromNanos <= loss.untilNanos())
        .filter(strike -> strike.untilNanos >= loss.fromNanos() - shortlyNanos)
        .toList();
  }

  /** All losses, in the order in which they were struck. */
  List<Loss> losses() {
    List<Loss> losses = new ArrayList<>();
    for (Held each : held) {
      View before = before(each);
      if (before != null) {
        for (Member member : before.members()) {
          addDeparture(member, each, losses);
        }
      }
    }
    for (Strike strike : strikes) {
      if (strike.blow == Blow.KILL
          && wasPresent(strike.node)
          && losses.stream().noneMatch(loss -> loss.node() == strike.node)) {
        losses.add(loss(strike.node, strike.fromNanos, strike.fromNanos, null));
      }
    }
    losses.sort((a, b) -> Long.compare(a.fromNanos(), b.fromNanos()));
    return losses;
  }

  private @Nullable View before(Held after) {
    View before = null;
    for (Held each : held) {
      View view = each.view();
      if (view.lineage().equals(after.view().lineage())
          && after.view().name().isAfter(view.name())
          && view.epoch() < after.view().epoch()
          && (before == null || view.name().isAfter(before.name()))) {
        before = view;
      }
    }
    return before;
  }

  private void addDeparture(Member member, Held after, List<Loss> losses) {
    Node node = swarm.process(member.id());
    if (node == null || !member.state().isPresent() || isPresent(after.view(), node)) {
      return;
    }
    Strike cause = causeOf(node, after.atNanos());
    boolean drained =
        member.state() == MemberState.DRAINING
            && after.view().settled()
            && (cause == null || cause.blow != Blow.KILL);
    if (cause != null && !drained) {
      boolean killed = cause.blow == Blow.KILL;
      long from = killed ? cause.fromNanos : beginOf(cause);
      losses.add(loss(node, from, killed ? from : after.atNanos(), after.view().stamp()));
    }
  }

  private static boolean isPresent(View view, Node node) {
    Member member = view.member(node.id);
    return member != null && member.state().isPresent();
  }

  private boolean wasPresent(Node node) {
    return held.stream().anyMatch(each -> isPresent(each.view(), node));
  }

  /** What was done last to a process before that time, if it was not long ago. */
  private @Nullable Strike causeOf(Node node, long atNanos) {
    Strike cause = null;
    for (Strike strike : strikes) {
      boolean fits =
          strike.node == node
              && strike.fromNanos <= atNanos
              && (strike.untilNanos == Long.MAX_VALUE
                  || strike.untilNanos + FOLLOWS_NANOS >= atNanos);
      if (fits && (cause == null || strike.blow == Blow.KILL)) {
        cause = strike;
      }
    }
    return cause;
  }

  /** Where several blows follow on each other, when the first of them fell. */
  private long beginOf(Strike last) {
    long begin = last.fromNanos;
    for (int i = strikes.size() - 1; i >= 0; i--) {
      Strike strike = strikes.get(i);
      if (strike.node == last.node
          && strike.fromNanos < begin
          && strike.untilNanos + FOLLOWS_NANOS >= begin) {
        begin = strike.fromNanos;
      }
    }
    return begin;
  }

  private Loss loss(Node node, long from, long until, @Nullable ViewStamp departure) {
    return new Loss(node, from, until, refilledNanos(node, until), departure, isAlone(node, from));
  }

  private long refilledNanos(Node node, long sinceNanos) {
    return held.stream()
        .filter(each -> each.atNanos() >= sinceNanos && each.view().settled())
        .filter(each -> !isPresent(each.view(), node))
        .mapToLong(Held::atNanos)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /** Whether in the last settled view before that time there was but one to own and to keep. */
  private boolean isAlone(Node node, long atNanos) {
    Held settled = null;
    Lineage lineage = null;
    for (Held each : held) {
      if (each.atNanos() <= atNanos && isPresent(each.view(), node)) {
        lineage = each.view().lineage();
      }
    }
    for (Held each : held) {
      boolean own = each.view().lineage().equals(lineage);
      if (own && each.atNanos() <= atNanos && each.view().settled()) {
        settled = each;
      }
    }
    return settled == null || settled.view().base().size() == 1;
  }
}
