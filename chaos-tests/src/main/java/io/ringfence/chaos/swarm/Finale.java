package io.ringfence.chaos.swarm;

import io.ringfence.engine.Check;
import io.ringfence.engine.Verdict;
import io.ringfence.membership.View;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What happens once the last fault is over: the cluster comes to rest, every key is asked for until
 * it is denied, and the checker looks at what was admitted.
 */
final class Finale {
  private static final long MILLI = 1_000_000;

  /** A stranded survivor waits 5 s, and one that was away 2 s; then come views and leases. */
  private static final long REST_NANOS = 20_000 * MILLI;

  /** Longer than a lease: who was to be set AWAY is by then. */
  private static final long QUIET_NANOS = 700 * MILLI;

  private static final int MOST_LIMITS = 8; // that are ever admitted of a key

  private static final long ANSWER_NANOS = 100 * MILLI;

  private final Swarm swarm;

  Finale(Swarm swarm) {
    this.swarm = swarm;
  }

  void play() {
    if (!comesToRest()) {
      swarm.findings.require(
          !swarm.findings.none(), Invariant.COMES_TO_REST, () -> "no rest: " + swarm.tell());
      return;
    }
    requireSlotsInPlace();
    swarm.ledger.expectOwners(true);
    boolean begunAnew = new Allowance(swarm).isBegunAnew();
    for (int key = 0; key < swarm.setup.keys() && swarm.findings.none(); key++) {
      exhaust(key, begunAnew);
    }
    if (swarm.findings.none()) {
      swarm.ledger.requireAnswers();
      holdAgainstBounds(new Allowance(swarm));
    }
  }

  /** Waits until the cluster is settled, owners answer everywhere, and it stays so for a while. */
  private boolean comesToRest() {
    long until = swarm.agenda.now() + REST_NANOS;
    while (swarm.findings.none() && swarm.agenda.now() < until) {
      if (swarm.await(swarm::isSettled, until - swarm.agenda.now())) {
        View settled = swarm.chronicle.latest();
        swarm.pass(QUIET_NANOS);
        if (isWarm() && swarm.isSettled() && Objects.equals(settled, swarm.chronicle.latest())) {
          return swarm.findings.none();
        }
      }
    }
    return false;
  }

  /** Every slot is open at its owner, and nowhere else. */
  private void requireSlotsInPlace() {
    Places places = swarm.chronicle.places();
    for (Node node : swarm.living()) {
      swarm.findings.require(
          node.slotsHeld == places.of(node.id),
          Invariant.COMES_TO_REST,
          () ->
              "%s holds slots %s and owns %s"
                  .formatted(node, Watch.slots(node.slotsHeld), Watch.slots(places.of(node.id))));
    }
  }

  /** Whether owners answer every node for every key: breakers close when they are tried. */
  private boolean isWarm() {
    boolean warm = true;
    for (Node node : swarm.living()) {
      for (int key = 0; key < swarm.setup.keys() && swarm.findings.none(); key++) {
        Verdict verdict = peek(node, key);
        warm &= verdict != null && Asked.byOwner(verdict.certainty());
      }
    }
    return warm;
  }

  private @Nullable Verdict peek(Node node, int key) {
    AtomicReference<@Nullable Verdict> told = new AtomicReference<>();
    swarm.enter(
        node, Waiting.CALLERS, () -> node.engine.peek(new Check(Setup.request(key), 1), told::set));
    long until = swarm.agenda.now() + ANSWER_NANOS;
    while (told.get() == null && swarm.findings.none() && swarm.agenda.runNext(until)) {
      // what is due happens
    }
    return told.get();
  }

  /**
   * Asks for a key at one node after another until it is denied, and then once more at each: it is
   * denied everywhere. Only where counters may have begun anew, nodes that remember a denial from
   * before may deny what others still admit.
   */
  private void exhaust(int key, boolean begunAnew) {
    List<Node> nodes = swarm.living();
    int left = MOST_LIMITS * swarm.setup.limit();
    boolean admitted = true;
    while (admitted && left > 0) {
      while (left > 0 && check(nodes.get(swarm.chance.nextInt(nodes.size())), key)) {
        left--;
      }
      admitted = false;
      for (Node node : nodes) {
        boolean here = check(node, key);
        admitted |= here;
        swarm.findings.require(
            !here || begunAnew,
            Invariant.COMES_TO_REST,
            () -> "k%d is admitted at %s and was denied before".formatted(key, node));
      }
    }
    swarm.findings.require(
        !admitted, Invariant.COMES_TO_REST, () -> "k%d is never denied".formatted(key));
  }

  private boolean check(Node node, int key) {
    Asked asked = swarm.ask(node, key, 1);
    long until = swarm.agenda.now() + ANSWER_NANOS;
    while (!asked.isAnswered() && swarm.findings.none() && swarm.agenda.runNext(until)) {
      // what is due happens
    }
    return asked.isAllowed() && swarm.findings.none();
  }

  private void holdAgainstBounds(Allowance allowance) {
    for (Loss loss : allowance.losses()) {
      swarm.story.add(() -> "lost: " + loss);
    }
    for (int key = 0; key < swarm.setup.keys(); key++) {
      long units = swarm.ledger.byOwners(key);
      int named = key;
      swarm.findings.require(
          units <= allowance.most(key),
          Invariant.ADMITTED_WITHIN_BOUND,
          () ->
              "k%d: owners admitted %d, at most %d (%s)"
                  .formatted(named, units, allowance.most(named), allowance.tell(named)));
      swarm.findings.require(
          units >= allowance.least(key),
          Invariant.ADMITTED_WITHIN_BOUND,
          () ->
              "k%d: owners admitted %d, at least %d (%s)"
                  .formatted(named, units, allowance.least(named), allowance.tell(named)));
    }
  }
}
