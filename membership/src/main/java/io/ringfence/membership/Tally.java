package io.ringfence.membership;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who has accepted which view, as heard from the acceptors themselves: the learner of Paxos. Every
 * member of the view held learns by itself, so a decision does not depend on its proposer to be
 * known.
 *
 * <p>At most {@value #MOST_NAMES} ballots are remembered; the lowest is forgotten first, which can
 * delay what this member learns and nothing else.
 */
final class Tally {
  private static final int MOST_NAMES = 16;

  private static final class Ballot {
    final Set<MemberId> acceptors = new HashSet<>(); // members of the view held, so at most 1,024
    @Nullable View view; // null until it is heard
  }

  private final TreeMap<ViewName, Ballot> ballots = new TreeMap<>();

  /** Another view is held. */
  void reset() {
    ballots.clear();
  }

  /** A view was proposed. */
  void proposed(View view) {
    ballot(view.name()).view = view;
  }

  /** A member has accepted the view of that name. */
  void accepted(MemberId by, ViewName name) {
    ballot(name).acceptors.add(by);
  }

  /** Whether that member is known to have accepted the view of that name. */
  boolean hasAccepted(MemberId by, ViewName name) {
    Ballot ballot = ballots.get(name);
    return ballot != null && ballot.acceptors.contains(by);
  }

  /** The view that a quorum of the voters of {@code held} has accepted, or null. */
  @Nullable View decided(View held, SafetyRules rules) {
    for (Map.Entry<ViewName, Ballot> each : ballots.descendingMap().entrySet()) {
      Ballot ballot = each.getValue();
      if (ballot.view != null && rules.agreed(held, ballot.acceptors::contains)) {
        return ballot.view;
      }
    }
    return null;
  }

  /** Whether anybody is known to have accepted anything. */
  boolean anything() {
    return ballots.values().stream().anyMatch(ballot -> !ballot.acceptors.isEmpty());
  }

  private Ballot ballot(ViewName name) {
    Ballot ballot = ballots.computeIfAbsent(name, absent -> new Ballot());
    if (ballots.size() > MOST_NAMES) {
      ballots.pollFirstEntry();
    }
    return ballot;
  }
}
