package io.ringfence.engine;

import io.ringfence.engine.message.PeerMessage;
import io.ringfence.membership.Address;
import io.ringfence.membership.Lineage;
import io.ringfence.membership.Member;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.MemberState;
import io.ringfence.membership.View;
import io.ringfence.membership.ViewName;
import io.ringfence.ring.Placement;
import io.ringfence.ring.Ring;
import io.ringfence.ring.RingNode;
import io.ringfence.ring.RingSettings;
import io.ringfence.rules.Ask;
import io.ringfence.rules.Request;
import io.ringfence.rules.RuleSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Several engines in one thread, on one virtual clock, over a network in memory.
 *
 * <p>A message takes {@link #LATENCY}. A node can be killed (sends to it fail), frozen (messages
 * vanish into it), and messages can be lost by a rule of the test.
 */
final class Cluster {
  static final Duration LATENCY = Duration.ofMillis(1);
  static final Duration DEADLINE = Duration.ofMillis(20);

  /** A few slots are enough to spread some hundred keys, and quick to walk. */
  private static final RingSettings RING = new RingSettings(256, 256, 11, 12);

  final VirtualTime time = new VirtualTime();
  final Recorder metrics = new Recorder();

  private final Map<String, Engine> engines = new LinkedHashMap<>();
  private final Map<String, MemberId> ids = new LinkedHashMap<>();
  private final Set<String> killed = new HashSet<>();
  private final Set<Set<String>> unplugged = new HashSet<>();
  private final Set<String> frozen = new HashSet<>();
  private final Map<MemberId, Long> leaseUntil = new HashMap<>(); // for ever where not listed
  private final BoundsSettings bounds;
  private RuleSet rules;
  private BiPredicate<MemberId, PeerMessage> lost = (to, message) -> false;
  private final List<View> views = new ArrayList<>(); // all that were made
  private boolean departedMayDecide;
  private long epoch;
  private final Map<Class<?>, Integer> sentByType = new HashMap<>();

  Cluster(RuleSet rules) {
    this(rules, BoundsSettings.DEFAULT);
  }

  Cluster(RuleSet rules, BoundsSettings bounds) {
    this.rules = rules;
    this.bounds = bounds;
  }

  /** A cluster of the given nodes that agree on one view from the start. */
  static Cluster of(RuleSet rules, String... names) {
    Cluster cluster = new Cluster(rules);
    for (String name : names) {
      cluster.add(name);
    }
    cluster.founded(names);
    return cluster;
  }

  /** Three nodes that count each client in windows of a minute. */
  static Cluster fixedWindow(int limit) {
    return of(
        YamlRules.rules(
            "rules: [{name: fw, by: client, algorithm: fixed-window, limit: %d, window: 60s}]"
                .formatted(limit)),
        "n1",
        "n2",
        "n3");
  }

  /** Three nodes with a limit of each client, and the limit {@code all} of all of them, an hour. */
  static Cluster mineAndAll(int mine, int all) {
    return of(
        YamlRules.rules(
            """
            rules:
              - {name: mine, by: client, algorithm: fixed-window, limit: %d, window: 1h}
              - {name: all, by: global, algorithm: fixed-window, limit: %d, window: 1h}
            """
                .formatted(mine, all)),
        "n1",
        "n2",
        "n3");
  }

  /** A client of another owner, n1 or n2, than the global limit {@code all}. */
  String clientApartFromAll() {
    return clientOwnedBy(ownerOfGlobal("all").equals("n1") ? "n2" : "n1");
  }

  /** Adds an engine that is in no view. */
  void add(String name) {
    MemberId id = new MemberId(name, ids.size() + 1);
    ids.put(name, id);
    EngineSettings settings =
        new EngineSettings(id, RING, forward(), ReplicationSettings.DEFAULT, bounds);
    EnginePorts ports =
        new EnginePorts(
            time, time, (to, message) -> send(id, to, message), metrics, now -> mayDecide(id, now));
    Engine engine = new Engine(settings, rules, ports);
    engine.start();
    engines.put(name, engine);
    departuresAreOver(engine);
  }

  private static ForwardSettings forward() {
    return new ForwardSettings(DEADLINE, 5, Duration.ofSeconds(1));
  }

  /** All of them install the first view of a lineage at once, and know that nothing came before. */
  private void founded(String... names) {
    epoch = 1;
    View view = view(names);
    for (String name : names) {
      engine(name).install(view);
    }
  }

  /** The next view, with these members; nobody has it yet. */
  View nextView(String... names) {
    epoch++;
    return view(names);
  }

  /** The first view of another lineage, with that node alone. */
  View foundedAnew(String name) {
    View next = nextView(name);
    View anew = new View(new Lineage(1, 8), new ViewName(1, 0), next.members(), true);
    views.add(anew);
    return anew;
  }

  /** The next view, in which one member is joining. */
  View joiningView(String joining, String... others) {
    return movingView(member(joining, MemberState.JOINING, false), others);
  }

  /** The next view, in which one member is draining. */
  View drainingView(String draining, String... others) {
    return movingView(member(draining, MemberState.DRAINING, true), others);
  }

  /** The next view, in which one member is away. */
  View awayView(String away, String... others) {
    return movingView(member(away, MemberState.AWAY, false), others);
  }

  private View movingView(Member moving, String... others) {
    epoch++;
    List<Member> members = new ArrayList<>(active(others));
    members.add(moving);
    return made(members, false);
  }

  /** The next view, right after a loss: slots are to be opened and copied by it. */
  View lossView(String... left) {
    epoch++;
    return made(active(left), false);
  }

  /** All of these install the view at once. */
  void install(View view, String... nodes) {
    for (String node : nodes) {
      engine(node).install(view);
    }
  }

  /** All of these install the view, and are done with it. */
  void installAndSettle(View view, String... nodes) {
    install(view, nodes);
    settle(view, nodes);
  }

  /** Lets time pass until all of these are done with the view; fails if that takes seconds. */
  void settle(View view, String... nodes) {
    for (int i = 0; i < 500; i++) {
      time.pass(Duration.ofMillis(10));
      if (Stream.of(nodes).allMatch(node -> engine(node).isDone(view.stamp()))) {
        return;
      }
    }
    throw new AssertionError("not done with " + view);
  }

  private View view(String... names) {
    return made(active(names), true);
  }

  private List<Member> active(String... names) {
    return Stream.of(names).map(name -> member(name, MemberState.ACTIVE, true)).toList();
  }

  private Member member(String name, MemberState state, boolean inBase) {
    Address address = new Address("127.0.0.1", 7000 + List.copyOf(ids.keySet()).indexOf(name));
    return new Member(id(name), address, address, 1, state, inBase);
  }

  private View made(List<Member> members, boolean settled) {
    View view = new View(new Lineage(1, 7), new ViewName(epoch, 0), members, settled);
    views.add(view);
    return view;
  }

  /** Nobody who departed decides any more, unless the test says otherwise. */
  private void departuresAreOver(Engine engine) {
    if (!departedMayDecide) {
      views.forEach(view -> engine.departuresOver(view.stamp()));
    }
    time.after(Duration.ofMillis(10).toNanos(), () -> departuresAreOver(engine));
  }

  /** Whether somebody who has departed may still be deciding, as far as all nodes know. */
  void departedMayDecide(boolean may) {
    departedMayDecide = may;
  }

  Engine engine(String name) {
    Engine engine = engines.get(name);
    if (engine == null) {
      throw new IllegalArgumentException("no node " + name);
    }
    return engine;
  }

  MemberId id(String name) {
    MemberId id = ids.get(name);
    if (id == null) {
      throw new IllegalArgumentException("no node " + name);
    }
    return id;
  }

  void kill(String name) {
    killed.add(name);
    for (Map.Entry<String, Engine> other : engines.entrySet()) {
      if (!killed.contains(other.getKey())) {
        other.getValue().disconnected(id(name));
      }
    }
  }

  /** Lets a node's lease lapse now. */
  void lapse(String name) {
    leaseFor(name, Duration.ZERO);
  }

  /** Lets a node's lease lapse after that time. */
  void leaseFor(String name, Duration rest) {
    leaseUntil.put(id(name), time.elapsedNanos() + rest.toNanos());
  }

  /** Gives a node a lease for ever again. */
  void renew(String name) {
    leaseUntil.remove(id(name));
    engine(name).leaseGained();
  }

  private boolean mayDecide(MemberId id, long nowNanos) {
    Long until = leaseUntil.get(id);
    return until == null || nowNanos < until;
  }

  void freeze(String name) {
    frozen.add(name);
  }

  void thaw(String name) {
    frozen.remove(name);
  }

  void lose(BiPredicate<MemberId, PeerMessage> which) {
    lost = which;
  }

  void install(RuleSet newRules) {
    rules = newRules;
    engines.values().forEach(engine -> engine.install(newRules));
  }

  /** Asks one node and waits for the answer; fails if none comes within its deadline. */
  Verdict check(String node, Request request, long cost) {
    Answered answered = begin(node, request, cost);
    time.pass(DEADLINE);
    return answered.verdict();
  }

  Verdict check(String node, String client) {
    return check(node, Request.of(client), 1);
  }

  Verdict peek(String node, Request request, long cost) {
    Answered answered = new Answered();
    engine(node).peek(new Check(request, cost), answered);
    time.pass(DEADLINE);
    return answered.verdict();
  }

  /** Asks one node something else than a check, and waits for the answer. */
  Verdict ask(Call call, String node, Check check) {
    Answered answered = new Answered();
    call.of(engine(node), check, answered);
    time.pass(DEADLINE);
    return answered.verdict();
  }

  Verdict refund(String node, String client, long amount) {
    return ask(Engine::refund, node, new Check(Request.of(client), amount));
  }

  /** One of the engine's calls. */
  interface Call {
    void of(Engine engine, Check check, VerdictListener listener);
  }

  /** Messages of that type that were handed to the network so far. */
  int sent(Class<? extends PeerMessage> type) {
    return sentByType.getOrDefault(type, 0);
  }

  /** Asks one node; time does not pass. */
  Answered begin(String node, Request request, long cost) {
    Answered answered = new Answered();
    engine(node).check(new Check(request, cost), answered);
    return answered;
  }

  /** A client of which the given node owns the place. */
  String clientOwnedBy(String node) {
    return client(node, placed -> true);
  }

  /** A client of which one node owns the place, and another has a copy. */
  String clientAt(String owner, String backup) {
    return client(owner, placed -> backup.equals(placed.backup()));
  }

  private String client(String owner, Predicate<Placed> which) {
    for (int i = 0; i < 10_000; i++) {
      String client = "client-" + owner + "-" + i;
      Placed placed = anyEngine().place(Request.of(client));
      if (owner.equals(placed.owner()) && which.test(placed)) {
        return client;
      }
    }
    throw new AssertionError("no such client found that " + owner + " owns");
  }

  /** The node that owns the counter of a global rule. */
  String ownerOfGlobal(String rule) {
    int slot = new Placement(RING).slotOf(Ask.Place.RULE, rule);
    List<RingNode> nodes = engines.keySet().stream().map(n -> new RingNode(n, 1)).toList();
    return Ring.of(RING, nodes).ownerOf(slot);
  }

  /** Cuts one link: nothing can be sent over it, either way. */
  void unplug(String a, String b) {
    unplugged.add(Set.of(a, b));
  }

  void plugIn(String a, String b) {
    unplugged.remove(Set.of(a, b));
  }

  private Engine anyEngine() {
    return engines.entrySet().stream()
        .filter(e -> !killed.contains(e.getKey()))
        .findFirst()
        .orElseThrow()
        .getValue();
  }

  private boolean send(MemberId from, MemberId to, PeerMessage message) {
    if (killed.contains(to.name())
        || killed.contains(from.name())
        || unplugged.contains(Set.of(from.name(), to.name()))) {
      return false;
    }
    sentByType.merge(message.getClass(), 1, Integer::sum);
    if (lost.test(to, message)) {
      return true;
    }
    time.after(LATENCY.toNanos(), () -> deliver(from, to, message));
    return true;
  }

  private void deliver(MemberId from, MemberId to, PeerMessage message) {
    boolean gone = killed.contains(to.name()) || frozen.contains(to.name());
    if (!gone && !(message instanceof io.ringfence.engine.message.ViewRequest)) {
      engine(to.name()).received(from, message);
    }
  }

  /** Receives one verdict, and fails on a second. */
  static final class Answered implements VerdictListener {
    private @Nullable Verdict verdict;

    @Override
    public void verdict(Verdict answer) {
      if (verdict != null) {
        throw new AssertionError("answered twice: " + verdict + ", then " + answer);
      }
      verdict = answer;
    }

    boolean isPending() {
      return verdict == null;
    }

    Verdict verdict() {
      if (verdict == null) {
        throw new AssertionError("no answer within the deadline");
      }
      return verdict;
    }
  }
}
