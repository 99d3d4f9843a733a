package io.ringfence.peer;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.Kind;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.LimitVerdict;
import io.ringfence.engine.message.CheckMessage;
import io.ringfence.engine.message.CopyMessage;
import io.ringfence.engine.message.CounterAsk;
import io.ringfence.engine.message.CounterCopy;
import io.ringfence.engine.message.Deed;
import io.ringfence.engine.message.Knowledge;
import io.ringfence.engine.message.Ledger;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.engine.message.RelayMessage;
import io.ringfence.engine.message.RelayedMessage;
import io.ringfence.engine.message.SlotCopy;
import io.ringfence.engine.message.Term;
import io.ringfence.engine.message.Version;
import io.ringfence.membership.Address;
import io.ringfence.membership.Lineage;
import io.ringfence.membership.Member;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.MemberState;
import io.ringfence.membership.View;
import io.ringfence.membership.ViewName;
import java.util.Arrays;
import java.util.List;

/** Messages for tests that do not care much what is in them. */
final class Messages {
  static final ViewName VIEW = new ViewName(3, 1);

  private Messages() {}

  static View view(long epoch, MemberId id, Address peer) {
    Member only = new Member(id, peer, new Address("::1", 8080), 1, MemberState.ACTIVE, true);
    return new View(new Lineage(1, 42), new ViewName(epoch, 1), List.of(only), true);
  }

  /** A check of one counter whose frame has about that many bytes, up to 16 KiB. */
  static CheckMessage check(long id, int valuesBytes) {
    CounterAsk ask = new CounterAsk(1, false, 5, new byte[valuesBytes], 1);
    return new CheckMessage(id, VIEW, Deed.of(Deed.Mode.CHARGE), 20_000, List.of(ask));
  }

  /** A copy of one slot with one counter of so many words. */
  static CopyMessage copy(long number, int words) {
    CounterCopy counter =
        new CounterCopy(1, new byte[] {1, 7}, 0, 2, 0, 0, words, new long[words], Ledger.EMPTY);
    Version version = new Version(new Term(3, 0), 4);
    SlotCopy slot =
        new SlotCopy(5, SlotCopy.Kind.WHOLE, version, version, Knowledge.WHOLE, List.of(counter));
    Algorithm window = Algorithm.of(Kind.FIXED_WINDOW, 5, 1_000_000_000, 0);
    return new CopyMessage(number, VIEW, List.of(window), List.of(slot));
  }

  static LimitVerdict.Answer answer(long remaining) {
    return new LimitVerdict.Answer(
        true, 100, remaining, 0, LimitVerdict.Answer.NO_RESET, 0, Certainty.EXACT);
  }

  /** What equals that of every message of the same content; a copy itself equals no other. */
  static Object comparable(PeerMessage message) {
    if (message instanceof RelayMessage relay) {
      return List.of(relay.to(), relay.path(), comparable(relay.message()));
    }
    if (message instanceof RelayedMessage relayed) {
      return List.of(relayed.from(), relayed.path(), comparable(relayed.message()));
    }
    return message instanceof CopyMessage copy
        ? List.of(
            copy.number(),
            copy.view(),
            copy.algorithms(),
            copy.slots().stream().map(Messages::comparable).toList())
        : message;
  }

  private static Object comparable(SlotCopy slot) {
    return List.of(
        slot.slot(),
        slot.kind(),
        slot.version(),
        slot.base(),
        slot.knowledge(),
        slot.counters().stream().map(Messages::comparable).toList());
  }

  private static Object comparable(CounterCopy counter) {
    return List.of(
        counter.limitId(),
        Arrays.toString(counter.values()),
        counter.algorithm(),
        counter.account(),
        counter.toldNanos(),
        counter.from(),
        counter.total(),
        Arrays.toString(counter.words()),
        counter.ledger());
  }
}
