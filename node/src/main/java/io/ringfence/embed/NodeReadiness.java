package io.ringfence.embed;

import io.ringfence.http.Readiness;
import io.ringfence.http.ViewFacts;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a node wants traffic: it has once been active in a view, with a lease and connected with
 * all its members, is in a view now, has once seen as many members as it expects, and is not about
 * to leave or to stop. One bad peer does not make it unready.
 */
final class NodeReadiness implements Readiness {
  private final int expected;
  private volatile @Nullable ViewLoop views; // null while the node is being put together
  private volatile boolean draining; // never cleared

  NodeReadiness(int expected) {
    this.expected = expected;
  }

  void starting(ViewLoop loop) {
    views = loop;
  }

  /** The node is about to leave, and wants no more traffic. */
  void draining() {
    draining = true;
  }

  /** How the node stands in its cluster. */
  ViewFacts view() {
    ViewLoop loop = views;
    return loop == null ? ViewFacts.NONE : loop.facts();
  }

  @Override
  public List<String> reasonsAgainst() {
    List<String> reasons = new ArrayList<>(1);
    ViewLoop loop = views;
    if (draining) {
      return List.of("draining");
    }
    if (loop == null || loop.current() == null) {
      reasons.add("in no view yet");
    } else if (!loop.settledIn()) {
      reasons.add("joining: not active yet, or not connected with all members");
    }
    int seen = loop == null ? 0 : loop.mostMembersSeen();
    if (seen < expected) {
      reasons.add("expects " + expected + " members, has seen " + seen);
    }
    return reasons;
  }
}
