package io.ringfence.chaos.swarm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.algorithms.Kind;
import io.ringfence.engine.Certainty;
import io.ringfence.membership.Member;
import io.ringfence.membership.View;
import io.ringfence.rules.FailurePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A directed scenario: a swarm, and verbs that wait. Nothing is left to chance but the time that
 * messages take, which follows from the seed.
 */
final class Script {
  static final long MILLI = 1_000_000;
  static final long SECOND = 1_000 * MILLI;
  static final int LIMIT = 10;
  static final int KEYS = 24;

  final Swarm swarm;

  private Script(long seed, FailurePolicy policy) {
    this.swarm =
        new Swarm(
            new Setup(
                seed, Kind.FIXED_WINDOW, LIMIT, KEYS, policy, Setup.ring(64, seed), Tempo.DEFAULT),
            true);
  }

  /** A cluster of that many nodes that has come to rest, with a rule that states no policy. */
  static Script of(int nodes, long seed) {
    return of(nodes, seed, FailurePolicy.DEFAULT);
  }

  /** The same with a policy of its own. */
  static Script of(int nodes, long seed, FailurePolicy policy) {
    Script script = new Script(seed, policy);
    for (int host = 0; host < nodes; host++) {
      script.swarm.start(host);
      script.pass(20);
    }
    script.settles();
    script.swarm.chronicle.formed();
    return script;
  }

  void pass(long millis) {
    swarm.pass(millis * MILLI);
    noneBroken();
  }

  void await(String what, BooleanSupplier holds) {
    boolean comes = swarm.await(holds, 20 * SECOND);
    noneBroken();
    assertTrue(comes, () -> "in vain waited until " + what + "\n" + story());
  }

  /** Waits until all live nodes are in one settled view, have leases and take callers. */
  void settles() {
    await(
        "it settles",
        () -> swarm.isSettled() && swarm.living().stream().allMatch(n -> n.glue.isReady()));
  }

  Node node(int host) {
    Node node = swarm.at(host);
    if (node == null) {
      throw new AssertionError("nothing runs on host " + host);
    }
    return node;
  }

  /** The process that decides for a key, as the first live node sees it. */
  Node ownerOf(int key) {
    return named(swarm.living().get(0).engine.place(Setup.request(key)).owner());
  }

  Node backupOf(int key) {
    return named(swarm.living().get(0).engine.place(Setup.request(key)).backup());
  }

  /** The weight that a process has in the base, as the first live node sees it. */
  int weightOf(Node of) {
    View view = swarm.living().get(0).view();
    Member member = view == null ? null : view.member(of.id);
    return member == null ? 0 : member.baseWeight();
  }

  private Node named(@Nullable String name) {
    return swarm.living().stream()
        .filter(node -> node.id.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + name + "\n" + story()));
  }

  /** Keys of which that process is the owner. */
  List<Integer> keysOf(Node owner) {
    List<Integer> keys = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      if (ownerOf(key) == owner) {
        keys.add(key);
      }
    }
    assertTrue(!keys.isEmpty(), () -> owner + " owns no key; take another seed");
    return keys;
  }

  /** Asks once, and waits for the answer. */
  Asked ask(Node node, int key) {
    Asked asked = swarm.ask(node, key, 1);
    await(asked + " is answered", asked::isAnswered);
    return asked;
  }

  /** Uses that many units of every key, at one node after another. */
  void useOfEveryKey(int units) {
    for (int key = 0; key < KEYS; key++) {
      List<Node> nodes = swarm.living();
      for (int unit = 0; unit < units; unit++) {
        Asked asked = ask(nodes.get(unit % nodes.size()), key);
        assertTrue(asked.isAllowed() && asked.isByOwner(), () -> asked + "\n" + story());
      }
    }
  }

  /** What is left of a key, with the certainty of all answers. */
  int left(int key, Certainty... expected) {
    int left = 0;
    Asked asked;
    do {
      asked = ask(swarm.living().get(left % swarm.living().size()), key);
      Asked last = asked;
      assertTrue(
          List.of(expected).contains(certainty(asked)), () -> certainty(last) + "\n" + story());
      left += asked.isAllowed() ? 1 : 0;
    } while (asked.isAllowed());
    return left;
  }

  static Certainty certainty(Asked asked) {
    if (asked.verdict == null) {
      throw new AssertionError(asked + " has no answer");
    }
    return asked.verdict.certainty();
  }

  /** Has a node leave in order, and its process end. */
  void drain(Node leaver) {
    swarm.leave(leaver);
    await(leaver + " is out", () -> leaver.glue.isOut());
    swarm.end(leaver);
  }

  /** Asks for random keys at random live nodes while time passes, about every half millisecond. */
  void load(long millis) {
    for (long i = 0; i < 2 * millis; i++) {
      List<Node> ready = swarm.living().stream().filter(n -> n.glue.isReady()).toList();
      if (!ready.isEmpty()) {
        swarm.ask(ready.get(swarm.chance.nextInt(ready.size())), swarm.chance.nextInt(KEYS), 1);
      }
      swarm.pass(MILLI / 2);
    }
    noneBroken();
  }

  /** Comes to rest, spends every key, and holds what was admitted against what is allowed. */
  void ends() {
    new Finale(swarm).play();
    noneBroken();
  }

  /** Comes to rest with nothing lost and nothing admitted beyond: exactly the limit of each key. */
  void endsExactly() {
    ends();
    for (int key = 0; key < KEYS; key++) {
      assertEquals(LIMIT, swarm.ledger.byOwners(key) + swarm.ledger.byPolicy(key), story());
    }
  }

  void noneBroken() {
    assertTrue(swarm.findings.none(), () -> swarm.findings.all() + "\n" + story());
  }

  String story() {
    return String.join("\n", swarm.story.lines());
  }
}
