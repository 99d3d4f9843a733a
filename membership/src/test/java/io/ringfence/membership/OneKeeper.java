package io.ringfence.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One keeper, told step by step what happens, with what it did and said. Times are milliseconds
 * since its start.
 */
abstract class OneKeeper {
  static final long MILLI = 1_000_000L;
  static final Introduction A = node("a", 1);
  static final Introduction B = node("b", 2);
  static final Introduction C = node("c", 3);
  static final Lineage LINEAGE = new Lineage(1, 100);

  final List<String> done = new ArrayList<>();
  final List<ViewWord> said = new ArrayList<>();
  Runnable whenDropped = () -> {};

  final ViewActions actions =
      new ViewActions() {
        @Override
        public void say(ViewWord word, Collection<MemberId> to) {
          said.add(word);
          if (!(word instanceof ViewWord.Ping || word instanceof ViewWord.Pong)) {
            done.add(word.getClass().getSimpleName().toLowerCase(Locale.ROOT) + " to " + names(to));
          }
        }

        @Override
        public void publish(View view, Collection<MemberId> to) {
          done.add("publish " + view.epoch() + " to " + names(to));
        }

        @Override
        public void fetch(MemberId from) {
          done.add("fetch from " + from.name());
        }

        @Override
        public void announceLeave(Collection<MemberId> to) {
          done.add("leave to " + names(to));
        }

        @Override
        public void installed(View view) {
          done.add("install " + view.epoch() + " " + brief(view));
        }

        @Override
        public void overheard(View view) {
          done.add("overhear " + view.epoch());
        }

        @Override
        public void diedIn(View held, MemberId member) {
          done.add(member.name() + " died in " + held.epoch());
        }

        @Override
        public void leaseGained() {}

        @Override
        public void dropped(View last, @Nullable View successor, String reason) {
          done.add("drop " + last.epoch());
          whenDropped.run();
        }
      };

  static Introduction node(String name, long incarnation) {
    int port = 7_000 + name.charAt(0);
    return new Introduction(
        new MemberId(name, incarnation),
        new Address("127.0.0.1", port),
        new Address("127.0.0.1", port + 1_000),
        1);
  }

  static String names(Collection<MemberId> ids) {
    return String.join(",", ids.stream().map(MemberId::name).toList());
  }

  /** Members by name; ACTIVE ones stand as they are, others with their state's first letter. */
  static String brief(View view) {
    return String.join(
        ",",
        view.members().stream()
            .map(m -> m.name() + (m.state() == MemberState.ACTIVE ? "" : "-" + m.state()))
            .toList());
  }

  ViewKeeper keeper(Introduction self) {
    Lease lease = new Lease(self.id(), LeaseSettings.DEFAULT, 0);
    return new ViewKeeper(self, ViewKeeperSettings.defaults(), lease, actions, () -> 500);
  }

  static void introduce(ViewKeeper keeper, Introduction... nodes) {
    keeper.candidates(Stream.of(nodes).map(n -> new Candidate(n.id(), n.peer())).toList());
  }

  static void tick(ViewKeeper keeper, long millis) {
    keeper.tick(millis * MILLI);
  }

  /** Ticks as a node does, so that no gap looks like a process that was stopped. */
  static void run(ViewKeeper keeper, long fromMillis, long toMillis) {
    for (long at = fromMillis; at <= toMillis; at += 10) {
      tick(keeper, at);
    }
  }

  static View view(Lineage lineage, long epoch, Introduction... nodes) {
    List<Member> members = Stream.of(nodes).map(n -> n.as(MemberState.ACTIVE, true)).toList();
    return new View(lineage, ViewName.proposed(epoch, 0, nodes[0].id()), members, true);
  }

  /** A keeper of `self` that holds epoch 5 of all these, who have all proved themselves. */
  ViewKeeper holding(Introduction self, Introduction... nodes) {
    ViewKeeper keeper = keeper(self);
    introduce(keeper, nodes);
    for (Introduction node : nodes) {
      keeper.authenticated(node, null);
      keeper.received(node.id(), view(LINEAGE, 5, nodes));
    }
    assertEquals(5, held(keeper).epoch());
    done.clear();
    return keeper;
  }

  static View held(ViewKeeper keeper) {
    View view = keeper.current();
    assertNotNull(view);
    return view;
  }

  void expect(String... expected) {
    assertEquals(List.of(expected), done);
    done.clear();
  }

  static ViewWord.Ping ping(@Nullable View view, boolean leased, int... silent) {
    BitSet places = new BitSet();
    for (int place : silent) {
      places.set(place);
    }
    ViewStamp stamp = view == null ? null : view.stamp();
    return new ViewWord.Ping(stamp, leased, 500 * MILLI, 1, places, new BitSet(), 1);
  }

  /** Says of the members at those places that they are done with the view. */
  static ViewWord.Ping doneWith(View view, boolean leased, int... places) {
    BitSet done = new BitSet();
    IntStream.of(places).forEach(done::set);
    return new ViewWord.Ping(view.stamp(), leased, 500 * MILLI, 1, new BitSet(), done, 1);
  }

  static void report(ViewKeeper keeper) {
    keeper.slotsAreDone(held(keeper).stamp());
  }

  ViewWord.Pong lastPong() {
    return (ViewWord.Pong)
        said.stream().filter(w -> w instanceof ViewWord.Pong).reduce((a, b) -> b).orElseThrow();
  }

  ViewWord.Ping lastPing() {
    return (ViewWord.Ping)
        said.stream().filter(w -> w instanceof ViewWord.Ping).reduce((a, b) -> b).orElseThrow();
  }

  /** Has the keeper hold a lease, by the answers of its peers to pings sent now. */
  static void lease(ViewKeeper keeper, Introduction peer, long millis) {
    run(keeper, millis, millis + 600);
    ViewWord.Pong answer = new ViewWord.Pong(held(keeper).stamp(), true, (millis + 600) * MILLI);
    keeper.heard(peer.id(), answer);
    tick(keeper, millis + 600);
    assertTrue(keeper.lease().isHeldAt((millis + 600) * MILLI));
  }
}
