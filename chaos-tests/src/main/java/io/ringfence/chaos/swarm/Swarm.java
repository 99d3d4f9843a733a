package io.ringfence.chaos.swarm;

import io.ringfence.chaos.virtual.Agenda;
import io.ringfence.chaos.virtual.Findings;
import io.ringfence.chaos.virtual.Story;
import io.ringfence.engine.Check;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.View;
import io.ringfence.rules.RuleSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The world of one run: processes, hosts, network, discovery and the checker, in one thread on
 * virtual time.
 *
 * <p>Whatever enters a process does so in a turn. A stopped process takes none: what comes for it
 * waits, and is served when it goes on. After every turn the {@link Watch} looks at what it did.
 *
 * <p>The same seed and the same verbs give the same run, message by message.
 */
final class Swarm {
  private static final long FIRST_INCARNATION = 0x1000;
  private static final long STEP_NANOS = 10_000_000;

  final Setup setup;
  final RuleSet rules;
  final Agenda agenda = new Agenda();
  final Story story;
  final Findings findings;
  final SplittableRandom chance;
  final Network network;
  final Ledger ledger;
  final Chronicle chronicle;
  private final Watch watch;
  private final Discovery discovery;
  private final List<Node> nodes = new ArrayList<>(); // every process ever, by number
  private final Map<MemberId, Node> byId = new HashMap<>();
  private final List<Consumer<ClusterState>> lookouts = new ArrayList<>();

  Swarm(Setup setup, boolean told) {
    this.setup = setup;
    this.rules = setup.rules();
    this.story = new Story(agenda, told);
    this.findings = new Findings(agenda, story);
    this.chance = new SplittableRandom(~setup.seed());
    this.network = new Network(this, chance.split());
    this.discovery = new Discovery(this, chance.split());
    this.ledger = new Ledger(this);
    this.chronicle = new Chronicle(this);
    this.watch = new Watch(this);
  }

  // Processes.

  /** Starts a process on a host where none runs. */
  Node start(int host) {
    int number = nodes.size();
    MemberId id = new MemberId("n" + (host + 1), FIRST_INCARNATION + number);
    Node node = new Node(this, id, number, host, chance.split());
    nodes.add(node);
    byId.put(id, node);
    story.add(() -> "**  %s starts".formatted(node));
    turn(node, node::start);
    discovery.started(node);
    return node;
  }

  /** kill -9. */
  void crash(Node node) {
    story.add(() -> "**  %s is killed".formatted(node));
    chronicle.struck(node, Chronicle.Blow.KILL);
    finish(node, true);
  }

  /** The process of a node that has left comes to its end. */
  void end(Node node) {
    story.add(() -> "**  %s ends".formatted(node));
    if (node.glue.isLast()) {
      chronicle.struck(node, Chronicle.Blow.KILL); // nobody has what it knew
    }
    finish(node, false);
  }

  private void finish(Node node, boolean byKill) {
    node.end(byKill);
    network.ended(node, !byKill);
    discovery.ended(node);
  }

  /** SIGSTOP, until {@link #thaw}. */
  void freeze(Node node) {
    story.add(() -> "**  %s is stopped".formatted(node));
    chronicle.struck(node, Chronicle.Blow.STOP);
    node.stop();
    network.review();
  }

  void thaw(Node node) {
    if (!node.goOn()) {
      return;
    }
    story.add(() -> "**  %s goes on".formatted(node));
    chronicle.relieved(node, Chronicle.Blow.STOP);
    node.wokeNanos = agenda.now();
    network.review();
    node.waiting.takeAll(chance).forEach(task -> enter(node, Waiting.TIMERS, task));
  }

  /** Lets nothing pass from one host to the other, until {@link #heal}. */
  void cut(int from, int to) {
    network.cut(from, to);
    for (Node node : living()) {
      if (node.host == from || node.host == to) {
        chronicle.struck(node, Chronicle.Blow.CUT);
      }
    }
  }

  void heal(int from, int to) {
    network.heal(from, to);
    for (Node node : living()) {
      if (node.host == from || node.host == to) {
        chronicle.relieved(node, Chronicle.Blow.CUT);
      }
    }
    discovery.healed();
  }

  /** What goes between two hosts takes that much longer from now on. */
  void slow(int one, int other, long byNanos) {
    network.slow(one, other, byNanos);
    network.slow(other, one, byNanos);
    for (Node node : living()) {
      if (node.host == one || node.host == other) {
        if (byNanos > 0) {
          chronicle.struck(node, Chronicle.Blow.SLOW);
        } else {
          chronicle.relieved(node, Chronicle.Blow.SLOW);
        }
      }
    }
  }

  /** Has a process leave in order; it serves until it is out of its view, and ends by itself. */
  void leave(Node node) {
    story.add(() -> "**  %s leaves".formatted(node));
    node.toLeave = true;
    enter(node, Waiting.TIMERS, node.glue::leave);
  }

  /** An operator gives a node another weight. */
  void weigh(Node node, int weight) {
    story.add(() -> "**  %s is to have weight %d".formatted(node, weight));
    enter(node, Waiting.TIMERS, () -> node.glue.keeper.weigh(weight));
  }

  @Nullable Node process(MemberId id) {
    return byId.get(id);
  }

  /** The process that runs on a host, or null. */
  @Nullable Node at(int host) {
    for (int i = nodes.size() - 1; i >= 0; i--) {
      Node node = nodes.get(i);
      if (node.host == host && !node.hasEnded()) {
        return node;
      }
    }
    return null;
  }

  List<Node> all() {
    return nodes;
  }

  /** All processes that have not ended, stopped ones among them. */
  List<Node> living() {
    List<Node> living = new ArrayList<>(nodes.size());
    for (Node node : nodes) {
      if (!node.hasEnded()) {
        living.add(node);
      }
    }
    return living;
  }

  /** How all living processes stand, for people. */
  String tell() {
    StringBuilder text = new StringBuilder();
    for (Node node : living()) {
      text.append('\n').append(node.tell());
    }
    return text.toString();
  }

  // Turns.

  /** Has a process do something, now or when it goes on. */
  void enter(Node node, int source, Runnable task) {
    if (node.isStopped()) {
      node.waiting.add(source, task);
    } else {
      turn(node, task);
    }
  }

  private void turn(Node node, Runnable task) {
    if (node.hasEnded() || !findings.none()) {
      return;
    }
    try {
      task.run();
    } catch (RuntimeException | AssertionError thrown) {
      findings.broken(
          Invariant.NO_DEFECT,
          "%s threw %s at %s".formatted(node, thrown, List.of(thrown.getStackTrace()).get(0)));
    }
    watch.turnEnds(node);
    if (!lookouts.isEmpty()) {
      ClusterState state = ClusterState.of(this);
      lookouts.forEach(lookout -> lookout.accept(state));
    }
  }

  /** Has somebody told after every turn in which state the cluster is, until taken off. */
  void lookOut(Consumer<ClusterState> lookout) {
    lookouts.add(lookout);
  }

  /** Nobody looks out any more. */
  void endLookOut() {
    lookouts.clear();
  }

  void installed(Node node, View view) {
    story.add(() -> "%s holds %s".formatted(node, view));
    watch.installed(node, view);
    chronicle.installed(node, view);
  }

  /** Asks for a key at a process, now or when it goes on. */
  Asked ask(Node node, int key, int cost) {
    Asked asked = ledger.ask(node, key, cost);
    enter(
        node,
        Waiting.CALLERS,
        () -> {
          ledger.begins(asked);
          node.engine.check(
              new Check(Setup.request(key), cost), verdict -> ledger.answered(asked, verdict));
        });
    return asked;
  }

  // Time.

  /** Lets virtual time pass, unless something breaks. */
  void pass(long nanos) {
    long until = agenda.now() + nanos;
    boolean more = true;
    while (more && findings.none()) {
      more = agenda.runNext(until);
    }
  }

  /** Lets time pass until something holds; false if it does not for that long, or breaks. */
  boolean await(BooleanSupplier holds, long mostNanos) {
    long until = agenda.now() + mostNanos;
    while (findings.none() && agenda.now() < until) {
      if (holds.getAsBoolean()) {
        return true;
      }
      pass(STEP_NANOS);
    }
    return findings.none() && holds.getAsBoolean();
  }

  /** Whether all living processes have a lease in one settled view that lists them and no other. */
  boolean isSettled() {
    View common = null;
    Set<MemberId> living = new HashSet<>();
    for (Node node : living()) {
      View view = node.view();
      if (view == null
          || !view.settled()
          || node.isStopped()
          || !node.mayDecide()
          || (common != null && !common.equals(view))) {
        return false;
      }
      common = view;
      living.add(node.id);
    }
    return common != null
        && living.stream().allMatch(common::contains)
        && common.members().stream()
            .allMatch(member -> living.contains(member.id()) || !member.state().isPresent());
  }
}
