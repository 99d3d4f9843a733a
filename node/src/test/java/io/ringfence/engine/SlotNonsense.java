package io.ringfence.engine;

import io.ringfence.Fuzz;
import io.ringfence.algorithms.Algorithm;
import io.ringfence.engine.message.CopiedMessage;
import io.ringfence.engine.message.CopyMessage;
import io.ringfence.engine.message.CounterCopy;
import io.ringfence.engine.message.FetchMessage;
import io.ringfence.engine.message.InventoryMessage;
import io.ringfence.engine.message.InventoryRequest;
import io.ringfence.engine.message.Knowledge;
import io.ringfence.engine.message.Ledger;
import io.ringfence.engine.message.PassMessage;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.engine.message.RequestKey;
import io.ringfence.engine.message.SlotCopy;
import io.ringfence.engine.message.TakenMessage;
import io.ringfence.engine.message.Term;
import io.ringfence.engine.message.Version;
import io.ringfence.membership.ViewName;
import io.ringfence.rules.Limit;
import io.ringfence.rules.RuleSet;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Messages about slots of which nothing is true: slots that do not exist or are named twice, and
 * copies whose words mean nothing. Only what the wire lets through, so no number is negative where
 * it must not be, and each counter's algorithm is in the list.
 */
final class SlotNonsense {
  private final Fuzz fuzz;
  private final Random random;
  private final List<Limit> limits;
  private final LongSupplier numbers;

  SlotNonsense(Fuzz fuzz, RuleSet rules, LongSupplier numbers) {
    this.fuzz = fuzz;
    this.random = fuzz.random();
    this.limits = rules.rules().stream().flatMap(rule -> rule.effect().limits().stream()).toList();
    this.numbers = numbers;
  }

  /** Anything about slots but what is in them. */
  PeerMessage aboutSlots(ViewName view) {
    int parts = 1 + random.nextInt(InventoryMessage.MAX_PARTS);
    return switch (random.nextInt(6)) {
      case 0 -> new InventoryRequest(view);
      case 1 -> new InventoryMessage(view, random.nextInt(parts), parts, some(0, this::held));
      case 2 -> new FetchMessage(view, set());
      case 3 -> new PassMessage(view, some(1, this::passed));
      case 4 -> new TakenMessage(view, set());
      default -> new CopiedMessage(number(), view, some(0, this::untaken));
    };
  }

  /**
   * Copies of counters.
   *
   * @param limitsThatExist whether they are of limits that the rules have
   */
  CopyMessage copies(ViewName view, boolean limitsThatExist) {
    List<Algorithm> algorithms = limits.stream().map(Limit::algorithm).toList();
    return new CopyMessage(number(), view, algorithms, some(1, () -> copy(limitsThatExist)));
  }

  private SlotCopy copy(boolean limitsThatExist) {
    SlotCopy.Kind kind = fuzz.oneOf(List.of(SlotCopy.Kind.values()));
    Version version = version();
    return new SlotCopy(
        slot(),
        kind,
        version,
        kind == SlotCopy.Kind.CONFIRM ? version() : version,
        new Knowledge(fuzz.oneOf(List.of(Knowledge.Kind.values())), notNegative()),
        some(0, () -> counter(limitsThatExist)));
  }

  private CounterCopy counter(boolean limitsThatExist) {
    int place = random.nextInt(limits.size());
    long[] words = IntStream.range(0, random.nextInt(6)).mapToLong(i -> number()).toArray();
    int from = random.nextBoolean() ? 0 : random.nextInt(1_000);
    int after = random.nextBoolean() ? 0 : random.nextInt(CounterCopy.MAX_TOTAL - 2_000);
    return new CounterCopy(
        limitsThatExist ? fuzz.oneOf(limits).id() : random.nextLong(),
        fuzz.noise(40),
        place,
        random.nextInt(CounterCopy.MAX_ACCOUNT + 1),
        notNegative(),
        from,
        Math.max(1, from + words.length + after),
        words,
        ledger());
  }

  private Ledger ledger() {
    return new Ledger(
        notNegative(),
        some(0, () -> new Ledger.ChargedIn(version().term(), 1 + random.nextInt(9))).stream()
            .limit(Ledger.MAX_EARLIER)
            .toList(),
        List.of(new Ledger.Debited(new RequestKey(random.nextLong(), 1), notNegative())));
  }

  private InventoryMessage.Held held() {
    return new InventoryMessage.Held(slot(), random.nextBoolean(), version());
  }

  private PassMessage.Passed passed() {
    return new PassMessage.Passed(slot(), version());
  }

  private CopiedMessage.Untaken untaken() {
    return new CopiedMessage.Untaken(slot(), fuzz.oneOf(List.of(CopiedMessage.Reason.values())));
  }

  private BitSet set() {
    BitSet slots = BitSet.valueOf(new long[] {number(), number(), number(), number()});
    slots.set(random.nextInt(65_536), random.nextBoolean());
    return slots;
  }

  private Version version() {
    return new Version(new Term(notNegative(), slot()), notNegative());
  }

  private int slot() {
    return random.nextInt(8) == 0
        ? (int) Math.min(Integer.MAX_VALUE, notNegative())
        : random.nextInt(256);
  }

  private long number() {
    return numbers.getAsLong();
  }

  private long notNegative() {
    return number() & Long.MAX_VALUE;
  }

  private <T> List<T> some(int least, Supplier<T> one) {
    return Stream.generate(one).limit(least + random.nextInt(4)).toList();
  }
}
