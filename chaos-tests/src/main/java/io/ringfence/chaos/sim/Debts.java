package io.ringfence.chaos.sim;

import io.ringfence.chaos.virtual.Findings;
import io.ringfence.engine.message.CounterAsk;
import io.ringfence.engine.message.RequestKey;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What nodes admitted without an owner, and what owners were debited for it.
 *
 * <p>A debit carries a key, and is applied once under it, however often it arrives. All that is
 * debited to a counter for one node is no more than what that node admitted by itself.
 */
final class Debts {
  private final Findings findings;
  private final Map<Debtor, Debt> debts = new LinkedHashMap<>();
  private final Map<Debtor, Long> debited = new LinkedHashMap<>();
  private final Set<Applied> applied = new HashSet<>();

  Debts(Findings findings) {
    this.findings = findings;
  }

  private record Debtor(SimNode node, CounterName name) {}

  private record Applied(SimNode holder, RequestKey key, CounterName name) {}

  /** What one node may owe to one counter. */
  static final class Debt {
    final Call sample; // a call that counts there
    final int index;
    long admitted;
    long possible; // what it may have admitted so far, calls under way included

    private Debt(Call sample, int index) {
      this.sample = sample;
      this.index = index;
    }
  }

  /** A node admitted a limit of a call by itself, whatever the call came to in the end. */
  void admitted(Call call, int index) {
    Debtor debtor = new Debtor(call.node, call.names.get(index));
    debts.computeIfAbsent(debtor, unused -> new Debt(call, index)).admitted +=
        call.asks.get(index).cost();
  }

  /** A node may have admitted a limit of a call by itself; the call goes on or has ended. */
  void mayHaveAdmitted(Call call, int index) {
    Debtor debtor = new Debtor(call.node, call.names.get(index));
    debts.computeIfAbsent(debtor, unused -> new Debt(call, index)).possible +=
        call.asks.get(index).cost();
  }

  /** A debit is decided; true if it is to be applied, false if it has been. */
  boolean applies(SimNode holder, Question question, CounterAsk ask) {
    RequestKey key = question.message.deed().request();
    CounterName name = CounterName.of(ask);
    if (key == null || !applied.add(new Applied(holder, key, name))) {
      return false;
    }
    debited.merge(new Debtor(question.caller, name), ask.cost(), Long::sum);
    return true;
  }

  /** Whether a node may ever have owed something to that counter. */
  boolean owes(SimNode node, CounterName name) {
    return debts.containsKey(new Debtor(node, name));
  }

  /** What a node may owe, by counter. */
  void owedBy(SimNode node, Consumer<Debt> each) {
    debts.forEach(
        (debtor, debt) -> {
          if (debtor.node() == node) {
            each.accept(debt);
          }
        });
  }

  /** Nobody was debited more than was admitted. */
  void noneIsDebitedMoreThanWasAdmitted() {
    debited.forEach(
        (debtor, units) -> {
          Debt debt = debts.get(debtor);
          long admitted = debt == null ? 0 : debt.admitted;
          findings.require(
              units <= admitted,
              Invariant.TRUE_AMOUNTS,
              () ->
                  "%s admitted %d by itself and debited %d"
                      .formatted(debtor.node(), admitted, units));
        });
  }
}
