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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Many keepers in one thread on a virtual clock, over a network and a discovery that run from a
 * seed. Messages are delayed and so overtake each other, some are lost and some repeated. Discovery
 * tells each node whole sets, each at its own time, and notices a killed process late. A seed
 * replays exactly.
 *
 * <p>Whatever happens, two things are checked at every installation: names within a lineage never
 * go back on a node, and two views of one name are the same view.
 */
final class SimulatedCluster {
  private static final long MILLI = 1_000_000L;
  private static final int TICK_MILLIS = 20;
  private static final int REPORT_MILLIS = 100;

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

  final class Node implements ViewActions {
    final Introduction facts;
    final ViewKeeper keeper;
    final Set<MemberId> connected = new HashSet<>();
    final Map<Lineage, ViewName> latest = new HashMap<>();
    int island;
    boolean leaving;

    Node(Introduction facts, int island) {
      this.facts = facts;
      this.island = island;
      this.keeper =
          new ViewKeeper(
              facts, ViewKeeperSettings.defaults(), this, random::nextLong, nowMillis * MILLI);
    }

    @Override
    public void publish(View view, Collection<MemberId> to) {
      to.forEach(id -> transmit(this, id, node -> node.keeper.received(view)));
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
      tell(facts.id() + " installs " + view);
      check(view.contains(facts.id()), facts.id() + " is not in its own " + view);
      ViewName before = latest.put(view.lineage(), view.name());
      check(
          before == null || !before.isAfter(view.name()),
          facts.id() + " goes back from " + before + " to " + view.name());
      View same = everInstalled.putIfAbsent(view.stamp(), view);
      check(same == null || same.equals(view), "two views of one name: " + same + " and " + view);
      installations++;
      for (Member member : view.members()) {
        if (!member.id().equals(facts.id())) {
          after(5 + random.nextInt(100), () -> dial(facts.id(), member.id()));
        }
      }
    }

    @Override
    public void dropped(View last, String reason) {
      tell(facts.id() + " drops " + last.stamp() + ": " + reason);
    }
  }

  private final long seed;
  private final Random random;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final Map<MemberId, Node> live = new LinkedHashMap<>();
  private final List<Listing> listings = new ArrayList<>(); // in order of introduction
  private final Map<ViewStamp, View> everInstalled = new HashMap<>();
  private final List<String> story = new ArrayList<>();
  private long nowMillis = 1_000;
  private long nextOrder;
  private int nextPort = 7_000;
  private int lossPercent = 10;
  private boolean deathsProven = true;
  private int installations;

  SimulatedCluster(long seed) {
    this.seed = seed;
    this.random = new Random(seed);
  }

  /** Of each hundred messages, how many are lost. */
  SimulatedCluster losing(int percent) {
    lossPercent = percent;
    return this;
  }

  /** Nobody gets proof of a death; discovery alone notices it. */
  SimulatedCluster withoutProofOfDeath() {
    deathsProven = false;
    return this;
  }

  MemberId start(String name) {
    return start(name, 0, new Address("127.0.0.1", nextPort++));
  }

  MemberId startOnIsland(String name, int island) {
    return start(name, island, new Address("127.0.0.1", nextPort++));
  }

  MemberId start(String name, int island, Address peer) {
    MemberId id = new MemberId(name, random.nextLong());
    Introduction facts = new Introduction(id, peer, new Address("127.0.0.1", 8_000), 1);
    Node node = new Node(facts, island);
    live.put(id, node);
    tell(id + " starts");
    listings.add(new Listing(new Candidate(id, peer), null, island));
    spreadListings();
    every(TICK_MILLIS, node, () -> node.keeper.tick(nowMillis * MILLI));
    every(REPORT_MILLIS, node, () -> report(node));
    return id;
  }

  /** A process that joins discovery alone. */
  void startStranger(String name, Stranger behaviour) {
    Candidate claim =
        new Candidate(new MemberId(name, random.nextLong()), new Address("127.0.0.1", nextPort++));
    listings.add(new Listing(claim, behaviour, 0));
    tell(claim.id() + " is a stranger, " + behaviour);
    spreadListings();
  }

  void kill(MemberId id) {
    Node killed = node(id);
    live.remove(id);
    tell(id + " is killed");
    live.values().forEach(other -> loseConnection(other, id));
    killed.connected.clear();
    unlistAfter(id, 300 + random.nextInt(200));
  }

  /** Ends a node in order: it says that it leaves, and is gone half a second later. */
  void stop(MemberId id) {
    Node node = node(id);
    node.leaving = true;
    tell(id + " leaves");
    node.keeper.leave();
    after(
        500,
        () -> {
          live.remove(id);
          live.values().forEach(other -> loseConnection(other, id));
          unlistAfter(id, 50);
        });
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
    tell("the islands meet");
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

  /** Waits until all who live hold one view that lists exactly them, and for it to last. */
  View awaitOneView(int atMostMillis) {
    for (long end = nowMillis + atMostMillis; nowMillis < end; run(50)) {
      View agreed = agreed();
      if (agreed != null) {
        int before = installations;
        run(2_000);
        check(agreed.equals(agreed()) && installations == before, "the view did not last");
        live.values().forEach(n -> check(n.keeper.conflictingViews() == 0, "conflicting views"));
        return agreed;
      }
    }
    throw failure("no single view after " + atMostMillis + " ms");
  }

  ViewKeeper keeper(MemberId id) {
    return node(id).keeper;
  }

  Address peerOf(MemberId id) {
    return node(id).facts.peer();
  }

  List<MemberId> liveIds() {
    return live.values().stream().filter(n -> !n.leaving).map(n -> n.facts.id()).toList();
  }

  AssertionError failure(String what) {
    String views =
        live.values().stream()
            .map(n -> "  " + n.facts.id() + ": " + n.keeper.current())
            .collect(Collectors.joining("\n"));
    List<String> end = story.subList(Math.max(0, story.size() - 80), story.size());
    return new AssertionError(
        what + "\nseed " + seed + "\n" + String.join("\n", end) + "\nviews now:\n" + views);
  }

  void check(boolean holds, String otherwise) {
    if (!holds) {
      throw failure(otherwise);
    }
  }

  private @Nullable View agreed() {
    View first = null;
    for (Node node : live.values()) {
      View view = node.keeper.current();
      if (view == null || (first != null && !view.equals(first))) {
        return null;
      }
      first = view;
    }
    if (first == null) {
      return null;
    }
    Set<MemberId> listed = new TreeSet<>();
    first.members().forEach(m -> listed.add(m.id()));
    return listed.equals(new TreeSet<>(live.keySet())) ? first : null;
  }

  private void report(Node from) {
    View view = from.keeper.current();
    ViewName name = view == null ? null : view.name();
    for (MemberId to : List.copyOf(from.connected)) {
      transmit(from, to, node -> node.keeper.reported(from.facts.id(), name));
    }
  }

  private interface Arrival {
    void at(Node node);
  }

  private void transmit(Node from, MemberId to, Arrival arrival) {
    if (random.nextInt(100) < lossPercent) {
      return;
    }
    int copies = random.nextInt(20) == 0 ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      after(
          1 + random.nextInt(80),
          () -> {
            Node target = live.get(to);
            if (target != null && target.connected.contains(from.facts.id())) {
              arrival.at(target);
            }
          });
    }
  }

  private void unlistAfter(MemberId id, int millis) {
    after(
        millis,
        () -> {
          listings.removeIf(l -> l.candidate.id().equals(id));
          spreadListings();
        });
  }

  private void spreadListings() {
    for (Node node : List.copyOf(live.values())) {
      after(
          random.nextInt(100),
          () -> {
            if (live.containsKey(node.facts.id())) {
              introduce(node);
            }
          });
    }
  }

  private void introduce(Node node) {
    List<Listing> seen = listings.stream().filter(l -> l.island == node.island).toList();
    node.keeper.candidates(seen.stream().map(l -> l.candidate).toList());
    for (Listing listing : seen) {
      MemberId id = listing.candidate.id();
      if (listing.stranger == Stranger.REFUSED) {
        after(5 + random.nextInt(40), () -> node.keeper.refused(id));
      } else if (listing.stranger == null && !id.equals(node.facts.id())) {
        after(5 + random.nextInt(100), () -> dial(node.facts.id(), id));
      }
    }
  }

  private void dial(MemberId a, MemberId b) {
    Node one = live.get(a);
    Node other = live.get(b);
    if (one != null && other == null) {
      foundGone(one, b);
    } else if (one != null && other != null && one.connected.add(b)) {
      other.connected.add(a);
      View viewOfOne = one.keeper.current();
      one.keeper.authenticated(other.facts, other.keeper.current());
      other.keeper.authenticated(one.facts, viewOfOne);
    }
  }

  private void loseConnection(Node other, MemberId id) {
    if (other.connected.remove(id)) {
      after(1 + random.nextInt(50), () -> foundGone(other, id));
    }
  }

  private void foundGone(Node node, MemberId id) {
    if (deathsProven) {
      node.keeper.died(id);
    } else {
      node.keeper.unreachable(id);
    }
  }

  private void every(int millis, Node node, Runnable what) {
    after(
        1 + random.nextInt(millis),
        new Runnable() {
          @Override
          public void run() {
            if (live.containsKey(node.facts.id())) {
              what.run();
              after(millis, this);
            }
          }
        });
  }

  private void after(int millis, Runnable what) {
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

  private void tell(String what) {
    story.add("  " + nowMillis + " ms: " + what);
  }
}
