package io.ringfence.peer;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.Kind;
import io.ringfence.engine.message.CopiedMessage;
import io.ringfence.engine.message.CopyMessage;
import io.ringfence.engine.message.CounterCopy;
import io.ringfence.engine.message.FetchMessage;
import io.ringfence.engine.message.InventoryMessage;
import io.ringfence.engine.message.InventoryRequest;
import io.ringfence.engine.message.Knowledge;
import io.ringfence.engine.message.Ledger;
import io.ringfence.engine.message.NotOwnerMessage;
import io.ringfence.engine.message.PassMessage;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.engine.message.RequestKey;
import io.ringfence.engine.message.SlotCopy;
import io.ringfence.engine.message.TakenMessage;
import io.ringfence.engine.message.Term;
import io.ringfence.engine.message.Version;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.ViewName;
import java.util.BitSet;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Any message by which slots change hands, and any that carries their copies. */
final class SlotMessages {
  private SlotMessages() {}

  static Arbitrary<PeerMessage> any() {
    Arbitrary<Long> longs = Arbitraries.longs();
    return Arbitraries.oneOf(
        copies(),
        Combinators.combine(longs, names(), moved().list().ofMaxSize(64)).as(NotOwnerMessage::new),
        Combinators.combine(longs, names(), untaken().list().ofMaxSize(30)).as(CopiedMessage::new),
        Combinators.combine(names(), passed().list().ofMinSize(1).ofMaxSize(30))
            .as(PassMessage::new),
        Combinators.combine(names(), sets()).as(TakenMessage::new),
        Combinators.combine(names(), sets()).as(FetchMessage::new),
        names().map(InventoryRequest::new),
        Combinators.combine(names(), Arbitraries.integers().between(0, 15), held())
            .as((view, part, held) -> new InventoryMessage(view, part, 16, held)));
  }

  static Arbitrary<ViewName> names() {
    return Combinators.combine(Arbitraries.longs().greaterOrEqual(1), notNegative())
        .as(ViewName::new);
  }

  private static Arbitrary<Long> notNegative() {
    return Arbitraries.longs().greaterOrEqual(0);
  }

  private static Arbitrary<Integer> slots() {
    return Arbitraries.integers().greaterOrEqual(0);
  }

  static Arbitrary<Version> versions() {
    return Combinators.combine(notNegative(), slots(), notNegative())
        .as((epoch, step, batch) -> new Version(new Term(epoch, step), batch));
  }

  private static Arbitrary<BitSet> sets() {
    return Arbitraries.bytes().array(byte[].class).ofMaxSize(300).map(BitSet::valueOf);
  }

  private static Arbitrary<NotOwnerMessage.Moved> moved() {
    Arbitrary<MemberId> ids =
        Combinators.combine(
                Arbitraries.strings().withCharRange('a', 'z').ofMinLength(1).ofMaxLength(64),
                Arbitraries.longs())
            .as(MemberId::new);
    return Combinators.combine(slots(), ids).as(NotOwnerMessage.Moved::new);
  }

  private static Arbitrary<CopiedMessage.Untaken> untaken() {
    return Combinators.combine(slots(), Arbitraries.of(CopiedMessage.Reason.class))
        .as(CopiedMessage.Untaken::new);
  }

  private static Arbitrary<PassMessage.Passed> passed() {
    return Combinators.combine(slots(), versions()).as(PassMessage.Passed::new);
  }

  private static Arbitrary<List<InventoryMessage.Held>> held() {
    return Combinators.combine(slots(), Arbitraries.of(true, false), versions())
        .as(InventoryMessage.Held::new)
        .list()
        .ofMaxSize(30);
  }

  private static Arbitrary<PeerMessage> copies() {
    return algorithms()
        .list()
        .ofMaxSize(8)
        .flatMap(
            algorithms ->
                Combinators.combine(
                        Arbitraries.longs(),
                        names(),
                        slotCopies(algorithms.size()).list().ofMinSize(1).ofMaxSize(8))
                    .as((number, view, slots) -> new CopyMessage(number, view, algorithms, slots)));
  }

  private static Arbitrary<Algorithm> algorithms() {
    return Combinators.combine(
            Arbitraries.of(Kind.class),
            Arbitraries.longs().between(0, 1_000_000),
            Arbitraries.longs().between(1_000_000, 1_000_000_000_000L))
        .as((kind, limit, window) -> Algorithm.of(kind, limit, window, kind.defaultBurst(limit)));
  }

  private static Arbitrary<SlotCopy> slotCopies(int algorithms) {
    Arbitrary<Knowledge> knowledge =
        Combinators.combine(Arbitraries.of(Knowledge.Kind.class), notNegative()).as(Knowledge::new);
    Arbitrary<List<CounterCopy>> counters =
        algorithms == 0
            ? Arbitraries.just(List.of())
            : counters(Arbitraries.integers().between(0, algorithms - 1)).list().ofMaxSize(8);
    return Combinators.combine(
            slots(),
            Arbitraries.of(SlotCopy.Kind.class),
            versions(),
            versions(),
            knowledge,
            counters)
        .as(
            (slot, kind, version, other, known, all) -> {
              Version base = kind == SlotCopy.Kind.CONFIRM ? other : version;
              return new SlotCopy(slot, kind, version, base, known, all);
            });
  }

  private static Arbitrary<Ledger.Debited> debits() {
    return Combinators.combine(Arbitraries.longs(), Arbitraries.longs(), notNegative())
        .as((high, low, age) -> new Ledger.Debited(new RequestKey(high, low), age));
  }

  private static Arbitrary<Ledger> ledgers() {
    Arbitrary<Ledger.ChargedIn> earlier =
        Combinators.combine(versions(), Arbitraries.longs().greaterOrEqual(1))
            .as((version, units) -> new Ledger.ChargedIn(version.term(), units));
    return Combinators.combine(
            notNegative(),
            earlier.list().ofMaxSize(Ledger.MAX_EARLIER),
            debits().list().ofMaxSize(3))
        .as(Ledger::new);
  }

  private static Arbitrary<CounterCopy> counters(Arbitrary<Integer> algorithms) {
    return Combinators.combine(
            Arbitraries.longs(),
            Arbitraries.bytes().array(byte[].class).ofMaxSize(60),
            algorithms,
            Arbitraries.integers().between(0, CounterCopy.MAX_ACCOUNT),
            notNegative(),
            Arbitraries.integers().between(0, CounterCopy.MAX_TOTAL - 20),
            Arbitraries.longs().array(long[].class).ofMaxSize(19),
            ledgers())
        .as(
            (limit, values, algorithm, account, told, from, words, ledger) ->
                new CounterCopy(
                    limit, values, algorithm, account, told, from, from + 20, words, ledger));
  }
}
