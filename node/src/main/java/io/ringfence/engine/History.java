package io.ringfence.engine;

import io.ringfence.engine.message.Ledger;
import io.ringfence.engine.message.Ledger.ChargedIn;
import io.ringfence.engine.message.RequestKey;
import io.ringfence.engine.message.Term;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a counter has from others: the charges of earlier terms that are in its state, and the
 * debits that it has taken. Both move, and are copied, with the counter.
 *
 * <p>Whoever decided for a slot and was replaced claims late what was perhaps not copied. How far
 * its charges were copied is written here, on the count of its own term, so that the claim is cut
 * to the unit, whichever acknowledgement was lost on the way. Of {@link Ledger#MAX_EARLIER} terms
 * the count is remembered; of a term before those nobody is expected to come.
 *
 * <p>Guarded by its counter's lock.
 */
final class History {
  private static final Comparator<ChargedIn> LATEST_FIRST =
      Comparator.comparing(ChargedIn::term).reversed();

  private List<ChargedIn> earlier = List.of(); // the latest term first; at most MAX_EARLIER
  private @Nullable Debits debits; // null while there are none

  /** As another process tells it of its counter, which it charged in that term; null if nothing. */
  static @Nullable History of(Ledger ledger, Term term, long nowNanos) {
    if (ledger.charged() == 0 && ledger.earlier().isEmpty() && ledger.debits().isEmpty()) {
      return null;
    }
    History history = new History();
    history.earlier = ledger.earlier();
    if (ledger.charged() > 0) {
      history.know(term, ledger.charged());
    }
    if (!ledger.debits().isEmpty()) {
      history.debits = Debits.of(ledger.debits(), nowNanos);
    }
    return history;
  }

  /** As it is told to another process, with what was charged in this term. */
  Ledger told(long charged, long nowNanos) {
    return new Ledger(charged, earlier, debits == null ? List.of() : debits.told(nowNanos));
  }

  /** How far the count of a term is known here; -1 if that is not remembered. */
  long knows(Term term) {
    for (ChargedIn charged : earlier) {
      if (charged.term().equals(term)) {
        return charged.units();
      }
    }
    return -1;
  }

  /** Units charged in all the terms that are remembered. */
  long charged() {
    return earlier.stream().mapToLong(ChargedIn::units).reduce(0, History::sum);
  }

  private static long sum(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }

  /** The charges of a term up to that count are in the state. */
  void know(Term term, long units) {
    List<ChargedIn> known = new ArrayList<>(earlier);
    known.removeIf(charged -> charged.term().equals(term));
    known.add(new ChargedIn(term, units));
    known.sort(LATEST_FIRST);
    earlier = List.copyOf(known.subList(0, Math.min(known.size(), Ledger.MAX_EARLIER)));
  }

  /** Nobody will claim anything of that term. */
  void forget(Term term) {
    earlier = earlier.stream().filter(charged -> !charged.term().equals(term)).toList();
  }

  boolean wasDebited(RequestKey request, long nowNanos) {
    return debits != null && debits.has(request, nowNanos);
  }

  void debited(RequestKey request, long nowNanos) {
    if (debits == null) {
      debits = new Debits();
    }
    debits.add(request, nowNanos);
  }
}
