package io.ringfence.membership;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Many keepers in one thread on a virtual clock, over a network and a discovery that run from a
 * seed. Messages are delayed and so overtake each other, some are lost and some repeated; links can
 * be cut one way or both; processes can be frozen, killed and started anew. A seed replays exactly.
 *
 * <p>Each node tries again and again to reach whom it knows of. It finds a process that is not
 * there any more to be dead only if the machine is still there to refuse; a process that is frozen
 * or cut off is silent.
 *
 * <p>There are no slots. Each node says that its own are where they belong some time after it
 * installed a view, or not before it is told to.
 *
 * <p>What must hold at every instant is {@link ViewInvariants}; it is asked after every step.
 */
final class SimulatedCluster {
  static final long MILLI = 1_000_000L;
  private static final int TICK_MILLIS = 20;
  private static final int DIAL_MILLIS = 250;
  private static final int KEEPALIVE_MILLIS = 5_000;

  /** How a process that does not know the secret behaves when it is asked to prove itself. */
  enum Stranger {
    REFUSED,
    MUTE
  }

  private record Event(long atMillis, long order, Runnable what) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(atMillis, other.atMillis);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private static final class Listing {
    final Candidate candidate;
    final @Nullable Stranger stranger;
    int island;

    Listing(Candidate candidate, @Nullable Stranger stranger, int island) {
      this.candidate = candidate;
      this.stranger = stranger;
      this.island = island;
    }
  }

  private record Link(MemberId from, MemberId to) {}

  /** One process. */
  final class Node implements ViewActions {
    final Introduction facts;
    final ViewKeeper keeper;
    final Map<MemberId, Long> connected = new LinkedHashMap<>(); // to when it was last reached
    final Set<MemberId> met = new HashSet<>(); // everybody ever connected with
    final List<Runnable> waiting = new ArrayList<>(); // what arrives while it is frozen
    final Set<MemberId> introduced = new HashSet<>();
    int island;
    boolean frozen;
    boolean leaving;
    @Nullable View overheard; // by which it goes once it has left
    final Map<ViewStamp, Set<MemberId>> deaths = new HashMap<>(); // of which it knew, by view

    Node(Introduction facts, int island) {
      this.facts = facts;
      this.island = island;
      Lease lease = new Lease(facts.id(), rules, LeaseSettings.DEFAULT, nowNanos());
      this.keeper =
          new ViewKeeper(facts, ViewKeeperSettings.defaults(), lease, this, random::nextLong);
    }

    MemberId id() {
      return facts.id();
    }

    @Override
    public void say(ViewWord word, Collection<MemberId> to) {
      invariants.said(word);
      for (MemberId id : to) {
        if (!lost.loses(facts.id(), id, word)) {
          transmit(this, id, node -> node.keeper.heard(facts.id(), word));
        }
      }
    }

    @Override
    public void publish(View view, Collection<MemberId> to) {
      if (!mutedPublishers.contains(facts.id())) {
        to.forEach(id -> transmit(this, id, node -> node.keeper.received(facts.id(), view)));
      }
    }

    @Override
    public void fetch(MemberId from) {
      transmit(
          this,
          from,
          node -> {
            View theirs = node.keeper.current();
            if (theirs != null) {
              node.publish(theirs, List.of(facts.id()));
            }
          });
    }

    @Override
    public void announceLeave(Collection<MemberId> to) {
      to.forEach(id -> transmit(this, id, node -> node.keeper.left(facts.id())));
    }

    @Override
    public void installed(View view) {
      tell(() -> facts.id() + " installs " + view);
      invariants.installed(this, view);
      installations++;
      after(1 + random.nextInt(mostHandoffMillis), () -> unfrozen(this, () -> done(view)));
    }

    private void done(View view) {
      if (!heldUp.contains(facts.id())) {
        invariants.reports(this, view);
        keeper.slotsAreDone(view.stamp());
      }
    }

    @Override
    public void overheard(View view) {
      overheard = view;
    }

    @Override
    public void diedIn(View held, MemberId member) {
      tell(() -> facts.id() + " knows that " + member + " died in " + held.stamp());
      invariants.diedIn(this, held, member);
      deaths.computeIfAbsent(held.stamp(), stamp -> new HashSet<>()).add(member);
    }

    @Override
    public void leaseGained() {}

    @Override
    public void dropped(View last, @Nullable View successor, String reason) {
      tell(() -> facts.id() + " drops " + last.stamp() + ": " + reason);
      invariants.dropped(this);
      if (leaving) {
        after(100, () -> end(facts.id(), true));
      }
    }
  }

  private final long seed;
  final Random random;
  private final SafetyRules rules;
  final ViewInvariants invariants;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final Map<MemberId, Node> live = new LinkedHashMap<>();
  private final Map<MemberId, Introduction> ended = new HashMap<>(); // whose machine refuses
  private final Map<MemberId, Address> addresses = new HashMap<>(); // of all that ever started
  private final Set<MemberId> vanished = new HashSet<>(); // of which nothing will be heard
  private final List<Listing> listings = new ArrayList<>(); // in order of introduction
  private final Set<Link> cuts = new HashSet<>();
  private final Set<MemberId> mutedPublishers = new HashSet<>();
  private final Set<MemberId> heldUp = new HashSet<>(); // whose slots are nowhere done
  private final List<String> story = new ArrayList<>();
  private long nowMillis = 1_000;
  private long healedMillis; // when links came back or a process went on for the last time
  private long nextOrder;
  private int nextPort = 7_000;
  private int lossPercent = 5;
  private int mostDelayMillis = 40;
  private int mostHandoffMillis = 50;
  private boolean storyTold;
  private int installations;

  // Planted faults of the world around the keepers.
  private boolean silenceKills;
  private boolean incarnationsIgnored;
  private LossRule lost = (from, to, word) -> false;

  SimulatedCluster(long seed) {
    this(seed, new SafetyRules());
  }

  SimulatedCluster(long seed, SafetyRules rules) {
    this.seed = seed;
    this.random = new Random(seed);
    this.rules = rules;
    this.invariants = new ViewInvariants(this);
  }

  /** Of each hundred messages, how many are lost. */
  SimulatedCluster losing(int percent) {
    lossPercent = percent;
    return this;
  }

  /** A message takes 1 ms to that many. */
  SimulatedCluster delaying(int mostMillis) {
    mostDelayMillis = mostMillis;
    return this;
  }

  /** A node is done with a view after 1 ms to that many. */
  SimulatedCluster handingOverFor(int mostMillis) {
    mostHandoffMillis = mostMillis;
    return this;
  }

  /** Which words are lost from now on, beside those lost at random; the rule before is gone. */
  void losing(LossRule rule) {
    lost = rule;
  }

  /** Says which words are lost. */
  interface LossRule {
    boolean loses(MemberId from, MemberId to, ViewWord word);
  }

  /** Keeps the story of what happens; it costs time. */
  SimulatedCluster telling() {
    storyTold = true;
    return this;
  }

  SimulatedCluster takingSilenceForDeath() {
    silenceKills = true;
    return this;
  }

  SimulatedCluster ignoringIncarnations() {
    incarnationsIgnored = true;
    return this;
  }

  long nowNanos() {
    return nowMillis * MILLI;
  }

  MemberId start(String name) {
    return start(name, 0, new Address("127.0.0.1", nextPort++));
  }

  MemberId startOnIsland(String name, int island) {
    invariants.allowSeveralLineages();
    return start(name, island, new Address("127.0.0.1", nextPort++));
  }

  MemberId start(String name, int island, Address peer) {
    MemberId id = new MemberId(name, incarnationsIgnored ? 0 : random.nextLong());
    Introduction facts = new Introduction(id, peer, new Address("127.0.0.1", 8_000), 1);
    Node node = new Node(facts, island);
    live.put(id, node);
    addresses.put(id, peer);
    ended.values().removeIf(f -> f.peer().equals(peer) && f.id().equals(id));
    tell(() -> id + " starts");
    listings.add(new Listing(new Candidate(id, peer), null, island));
    spreadListings();
    every(TICK_MILLIS, node, () -> node.keeper.tick(nowMillis * MILLI));
    every(DIAL_MILLIS, node, () -> dialAll(node));
    return id;
  }

  /** A process that joins discovery alone. */
  void startStranger(String name, Stranger behaviour) {
    Candidate claim =
        new Candidate(new MemberId(name, random.nextLong()), new Address("127.0.0.1", nextPort++));
    listings.add(new Listing(claim, behaviour, 0));
    tell(() -> claim.id() + " is a stranger, " + behaviour);
    spreadListings();
  }

  /** Kills a process; its machine lives on and refuses. */
  void kill(MemberId id) {
    tell(() -> id + " is killed");
    end(id, true);
  }

  /** A process vanishes with its machine: nothing proves that it is dead. */
  void vanish(MemberId id) {
    tell(() -> id + " vanishes");
    end(id, false);
  }

  private void end(MemberId id, boolean proof) {
    Node node = live.remove(id);
    if (node == null) {
      return;
    }
    if (proof) {
      ended.put(id, node.facts);
    } else {
      vanished.add(id);
    }
    invariants.ended(node);
    for (Node other : List.copyOf(live.values())) {
      after(1 + random.nextInt(80), () -> dial(other, id, node.facts.peer()));
    }
    after(
        300 + random.nextInt(200),
        () -> {
          listings.removeIf(l -> l.candidate.id().equals(id) && !live.containsKey(id));
          spreadListings();
        });
  }

  /** Ends a node in order: it says that it leaves, and ends once it is in no view, or after 5 s. */
  void stop(MemberId id) {
    Node node = node(id);
    node.leaving = true;
    tell(() -> id + " leaves");
    unfrozen(node, node.keeper::leave);
    after(node.keeper.current() == null ? 100 : 5_000, () -> end(id, true));
  }

  /** An operator gives a node another weight. */
  void weigh(MemberId id, int weight) {
    tell(() -> id + " is to have weight " + weight);
    unfrozen(node(id), () -> node(id).keeper.weigh(weight));
  }

  /** An operator takes a node out of its view; it goes on as a process. */
  void drain(MemberId id) {
    tell(() -> id + " is drained");
    String refusal = keeper(id).drain();
    check(refusal == null, () -> id + " is not drained: " + refusal);
  }

  /** Stops a process; what arrives waits. */
  void freeze(MemberId id) {
    node(id).frozen = true;
    tell(() -> id + " is frozen");
  }

  /** Lets a process go on, with all that has arrived meanwhile. */
  void thaw(MemberId id) {
    Node node = live.get(id);
    if (node != null && node.frozen) {
      node.frozen = false;
      healedMillis = nowMillis;
      tell(() -> id + " goes on");
      if (random.nextBoolean()) {
        node.keeper.tick(nowNanos());
      }
      List<Runnable> arrived = List.copyOf(node.waiting);
      node.waiting.clear();
      arrived.forEach(Runnable::run);
    }
  }

  /** Nothing gets from one to the other any more; the way back stays. */
  void cutOneWay(MemberId from, MemberId to) {
    cuts.add(new Link(from, to));
    tell(() -> from + " no longer reaches " + to);
  }

  void cut(MemberId one, MemberId other) {
    cutOneWay(one, other);
    cutOneWay(other, one);
  }

  /** Cuts every link between the two groups. */
  void split(Collection<MemberId> one, Collection<MemberId> other) {
    one.forEach(a -> other.forEach(b -> cut(a, b)));
  }

  void heal(MemberId one, MemberId other) {
    cuts.remove(new Link(one, other));
    cuts.remove(new Link(other, one));
    healedMillis = nowMillis;
  }

  void healAll() {
    cuts.clear();
    healedMillis = nowMillis;
    tell(() -> "all links are there");
  }

  /** From now on nobody is sent a view by this node, decided or asked for. */
  void mute(MemberId publisher) {
    mutedPublishers.add(publisher);
  }

  void unmute(MemberId publisher) {
    mutedPublishers.remove(publisher);
  }

  /** From now on this node is done with no view. */
  void holdUp(MemberId id) {
    heldUp.add(id);
  }

  /** This node is done with the view that it holds, and goes on as the others. */
  void letFinish(MemberId id) {
    heldUp.remove(id);
    Node node = node(id);
    unfrozen(node, () -> node.done(held(id)));
  }

  /** Discovery loses a process that lives on, and finds it again. */
  void forgetFor(MemberId id, int millis) {
    Listing listing = listing(id);
    listings.remove(listing);
    spreadListings();
    after(
        millis,
        () -> {
          if (live.containsKey(id)) {
            listings.add(listing);
            spreadListings();
          }
        });
  }

  /** Discovery and network of all islands become one. */
  void joinIslands() {
    tell(() -> "the islands meet");
    invariants.allowSeveralLineages();
    healedMillis = nowMillis;
    listings.forEach(l -> l.island = 0);
    live.values().forEach(n -> n.island = 0);
    spreadListings();
  }

  void run(int millis) {
    long end = nowMillis + millis;
    while (!events.isEmpty() && events.peek().atMillis <= end) {
      Event next = events.remove();
      nowMillis = next.atMillis;
      next.what.run();
    }
    nowMillis = end;
  }

  /** Runs until that is so. */
  void runUntil(String what, int atMostMillis, Predicate<SimulatedCluster> holds) {
    for (long end = nowMillis + atMostMillis; !holds.test(this); run(1)) {
      if (nowMillis >= end) {
        throw failure("not within " + atMostMillis + " ms: " + what);
      }
    }
  }

  /**
   * Waits until all who live hold one settled view that lists exactly them, all with a lease, and
   * for it to last.
   */
  View awaitOneView(int atMostMillis) {
    View agreed = oneViewWithin(atMostMillis);
    if (agreed == null) {
      throw failure("no single view after " + atMostMillis + " ms");
    }
    return agreed;
  }

  /** The same; null where it does not come. */
  @Nullable View oneViewWithin(int atMostMillis) {
    for (long end = nowMillis + atMostMillis; nowMillis < end; run(50)) {
      View agreed = agreed();
      if (agreed != null) {
        int before = installations;
        run(1_500);
        live.values().forEach(n -> check(n.keeper.conflictingViews() == 0, "conflicting views"));
        if (agreed.equals(agreed()) && installations == before) {
          return agreed;
        }
      }
    }
    return null;
  }

  ViewKeeper keeper(MemberId id) {
    return node(id).keeper;
  }

  /** Whose death in that view a node is sure of. */
  Set<MemberId> knownDeaths(MemberId id, View view) {
    return node(id).deaths.getOrDefault(view.stamp(), Set.of());
  }

  boolean leased(MemberId id) {
    return keeper(id).lease().isHeldAt(nowNanos());
  }

  View held(MemberId id) {
    View view = keeper(id).current();
    if (view == null) {
      throw failure(id + " holds no view");
    }
    return view;
  }

  /** Whether the two can talk to each other, and have had the time to find that out. */
  boolean reaches(Node one, Node other) {
    return nowMillis - healedMillis > 2 * DIAL_MILLIS
        && one.island == other.island
        && !one.frozen
        && !other.frozen
        && !cuts.contains(new Link(one.id(), other.id()))
        && !cuts.contains(new Link(other.id(), one.id()));
  }

  Address peerOf(MemberId id) {
    return node(id).facts.peer();
  }

  Collection<Node> nodes() {
    return live.values();
  }

  List<MemberId> liveIds() {
    return live.values().stream().filter(n -> !n.leaving).map(n -> n.facts.id()).toList();
  }

  /** The view by which a node goes that has left. */
  @Nullable View overheard(MemberId id) {
    return node(id).overheard;
  }

  boolean lives(MemberId id) {
    return live.containsKey(id);
  }

  long seed() {
    return seed;
  }

  AssertionError failure(String what) {
    String views =
        live.values().stream()
            .map(
                n ->
                    "  "
                        + n.facts.id()
                        + (n.frozen ? " frozen" : "")
                        + " lease "
                        + (n.keeper.lease().heldUntilNanos() / MILLI - nowMillis)
                        + " ms: "
                        + n.keeper.current())
            .collect(Collectors.joining("\n"));
    List<String> end = story.subList(Math.max(0, story.size() - 120), story.size());
    return new AssertionError(
        what
            + "\nseed "
            + seed
            + " at "
            + nowMillis
            + " ms, cuts "
            + cuts
            + "\n"
            + String.join("\n", end)
            + "\nviews now:\n"
            + views);
  }

  void check(boolean holds, String otherwise) {
    check(holds, () -> otherwise);
  }

  void check(boolean holds, Supplier<String> otherwise) {
    if (!holds) {
      throw failure(otherwise.get());
    }
  }

  private @Nullable View agreed() {
    View first = null;
    for (Node node : live.values()) {
      View view = node.keeper.current();
      if (node.leaving
          || view == null
          || !view.settled()
          || (first != null && !view.equals(first))) {
        return null;
      }
      if (!leased(node.facts.id())) {
        return null;
      }
      first = view;
    }
    if (first == null) {
      return null;
    }
    Set<MemberId> listed = new TreeSet<>();
    View view = first;
    view.members().stream()
        .filter(m -> m.state() != MemberState.AWAY || !isLost(view, m.id()))
        .forEach(m -> listed.add(m.id()));
    return listed.equals(new TreeSet<>(live.keySet())) ? first : null;
  }

  /** Whether the senior of a view cannot prove that this process, which does not live, is dead. */
  private boolean isLost(View view, MemberId id) {
    Node senior = live.get(view.senior().id());
    return !live.containsKey(id)
        && (vanished.contains(id) || senior == null || !senior.met.contains(id));
  }

  /**
   * Whether only an operator can help: somebody holds a view without a quorum of living voters, and
   * cannot prove that all the others are dead.
   */
  boolean needsOperator() {
    return live.values().stream().anyMatch(this::needsOperator);
  }

  private boolean needsOperator(Node node) {
    View view = node.keeper.current();
    return view != null
        && !new SafetyRules().agreed(view, live::containsKey)
        && view.voters().stream()
            .map(Member::id)
            .anyMatch(
                id -> !live.containsKey(id) && (vanished.contains(id) || !node.met.contains(id)));
  }

  private void transmit(Node from, MemberId to, Consumer<Node> arrival) {
    if (random.nextInt(100) < lossPercent) {
      return;
    }
    int copies = random.nextInt(25) == 0 ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      after(1 + random.nextInt(mostDelayMillis), () -> arrive(from, to, arrival));
    }
  }

  private void arrive(Node from, MemberId to, Consumer<Node> arrival) {
    Node target = live.get(to);
    if (target != null
        && target.island == from.island
        && !cuts.contains(new Link(from.id(), to))
        && target.met.contains(from.id())) {
      unfrozen(target, () -> arrival.accept(target));
    }
  }

  private void unfrozen(Node node, Runnable what) {
    if (node.frozen) {
      node.waiting.add(() -> unfrozen(node, what));
    } else {
      what.run();
      if (live.get(node.id()) == node) {
        invariants.check(node);
      }
    }
  }

  private void spreadListings() {
    for (Node node : List.copyOf(live.values())) {
      after(
          random.nextInt(100),
          () -> {
            if (live.get(node.id()) == node) {
              unfrozen(node, () -> introduce(node));
            }
          });
    }
  }

  private void introduce(Node node) {
    List<Listing> seen = listings.stream().filter(l -> l.island == node.island).toList();
    node.introduced.clear();
    seen.stream()
        .filter(l -> l.stranger == null)
        .forEach(l -> node.introduced.add(l.candidate.id()));
    node.keeper.candidates(seen.stream().map(l -> l.candidate).toList());
    for (Listing listing : seen) {
      MemberId id = listing.candidate.id();
      if (listing.stranger == Stranger.REFUSED) {
        after(5 + random.nextInt(40), () -> unfrozen(node, () -> node.keeper.refused(id)));
      } else if (listing.stranger == null && !id.equals(node.facts.id())) {
        after(5 + random.nextInt(60), () -> dial(node, id, listing.candidate.peer()));
      }
    }
  }

  /** Whom a node knows of: what discovery names, and the members of its view. */
  private void dialAll(Node node) {
    Map<MemberId, Address> wanted = new LinkedHashMap<>();
    for (Listing listing : listings) {
      if (listing.stranger == null && node.introduced.contains(listing.candidate.id())) {
        wanted.put(listing.candidate.id(), listing.candidate.peer());
      }
    }
    View view = node.keeper.current();
    if (view != null) {
      view.members().forEach(member -> wanted.put(member.id(), member.peer()));
    }
    node.connected.keySet().forEach(id -> wanted.putIfAbsent(id, addressOf(id)));
    wanted.remove(node.id());
    wanted.forEach((id, address) -> dial(node, id, address));
  }

  private void dial(Node node, MemberId id, Address address) {
    if (live.get(node.id()) != node || node.frozen) {
      return;
    }
    boolean cut = cuts.contains(new Link(node.id(), id)) || cuts.contains(new Link(id, node.id()));
    Node there = live.get(id);
    Node another = another(id, address);
    if (cut || (there != null && (there.frozen || there.island != node.island))) {
      silent(node, id);
    } else if (there != null) {
      connect(node, there);
    } else if (another != null && another.island == node.island && !another.frozen) {
      node.connected.remove(id);
      node.keeper.died(id);
    } else if (ended.containsKey(id) && node.met.contains(id)) {
      node.connected.remove(id);
      node.keeper.died(id);
    } else {
      silent(node, id);
    }
    invariants.check(node);
  }

  private Address addressOf(MemberId id) {
    Address address = addresses.get(id);
    if (address == null) {
      throw failure(id + " was never started");
    }
    return address;
  }

  private @Nullable Node another(MemberId id, Address address) {
    return live.values().stream()
        .filter(n -> n.facts.peer().equals(address) && !n.id().equals(id))
        .findFirst()
        .orElse(null);
  }

  private void silent(Node node, MemberId id) {
    Long reached = node.connected.get(id);
    if (reached != null && nowMillis - reached > KEEPALIVE_MILLIS) {
      node.connected.remove(id);
      node.keeper.unreachable(id);
    } else if (reached == null) {
      node.keeper.unreachable(id);
    }
    if (silenceKills) {
      node.keeper.died(id);
    }
  }

  private void connect(Node one, Node other) {
    if (one.connected.put(other.id(), nowMillis) == null) {
      one.met.add(other.id());
      other.met.add(one.id());
      one.keeper.authenticated(other.facts, other.keeper.current());
    }
  }

  private void every(int millis, Node node, Runnable what) {
    after(
        1 + random.nextInt(millis),
        new Runnable() {
          @Override
          public void run() {
            if (live.get(node.id()) == node) {
              if (!node.frozen) {
                what.run();
                invariants.check(node);
              }
              after(millis, this);
            }
          }
        });
  }

  void after(int millis, Runnable what) {
    events.add(new Event(nowMillis + millis, nextOrder++, what));
  }

  private Node node(MemberId id) {
    Node node = live.get(id);
    if (node == null) {
      throw failure(id + " does not live");
    }
    return node;
  }

  private Listing listing(MemberId id) {
    return listings.stream().filter(l -> l.candidate.id().equals(id)).findFirst().orElseThrow();
  }

  private void tell(Supplier<String> what) {
    if (storyTold) {
      story.add("  " + nowMillis + " ms: " + what.get());
    }
  }
}
