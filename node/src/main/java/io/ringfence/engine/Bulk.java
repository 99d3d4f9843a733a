package io.ringfence.engine;

import io.ringfence.rules.Ask;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Several checks that behave as if one were asked after the other.
 *
 * <p>Only checks that share a counter can tell in which order they were asked. So the list falls
 * apart into chains: two checks are of one chain if they share a counter, or are both linked to a
 * third. The checks of a chain follow each other, each started when the one before has its verdict;
 * chains run side by side. A chain whose verdicts come at once is walked in a loop, not by
 * recursion, so a long list takes no deep stack.
 *
 * <p>Verdicts may come on any thread; thread-safe.
 */
final class Bulk {
  private final List<Check> checks;
  private final BiConsumer<Check, VerdictListener> ask;
  private final Consumer<List<Verdict>> listener;
  private final AtomicReferenceArray<Verdict> verdicts;
  private final AtomicInteger missing;

  private Bulk(
      List<Check> checks,
      BiConsumer<Check, VerdictListener> ask,
      Consumer<List<Verdict>> listener) {
    this.checks = List.copyOf(checks);
    this.ask = ask;
    this.listener = listener;
    this.verdicts = new AtomicReferenceArray<>(this.checks.size());
    this.missing = new AtomicInteger(this.checks.size());
  }

  /** One limit of one list of values. */
  private record CounterName(long limitId, List<String> values) {}

  /** The counters that a check would meet. */
  interface Meets {
    List<Ask> counters(Check check);
  }

  /** Asks all, and tells the verdicts in the order of the checks. */
  static void ask(
      List<Check> checks,
      Meets meets,
      BiConsumer<Check, VerdictListener> ask,
      Consumer<List<Verdict>> listener) {
    if (checks.isEmpty()) {
      listener.accept(List.of());
      return;
    }
    Bulk bulk = new Bulk(checks, ask, listener);
    for (List<Integer> chain : chains(checks, meets)) {
      bulk.new Chain(chain).proceed();
    }
  }

  private static List<List<Integer>> chains(List<Check> checks, Meets meets) {
    int[] linkedTo = new int[checks.size()]; // union-find; a root is linked to itself
    Map<CounterName, Integer> firstOf = new HashMap<>();
    for (int i = 0; i < linkedTo.length; i++) {
      linkedTo[i] = i;
      for (Ask counter : meets.counters(checks.get(i))) {
        CounterName name = new CounterName(counter.limit().id(), counter.values());
        Integer earlier = firstOf.putIfAbsent(name, i);
        if (earlier != null) {
          linkedTo[root(linkedTo, i)] = root(linkedTo, earlier);
        }
      }
    }
    Map<Integer, List<Integer>> chains = new HashMap<>();
    for (int i = 0; i < linkedTo.length; i++) {
      chains.computeIfAbsent(root(linkedTo, i), root -> new ArrayList<>()).add(i);
    }
    return List.copyOf(chains.values());
  }

  private static int root(int[] linkedTo, int start) {
    int at = start;
    while (linkedTo[at] != at) {
      linkedTo[at] = linkedTo[linkedTo[at]];
      at = linkedTo[at];
    }
    return at;
  }

  private void told(int index, Verdict verdict) {
    verdicts.set(index, verdict);
    if (missing.decrementAndGet() == 0) {
      List<Verdict> all = new ArrayList<>(checks.size());
      for (int i = 0; i < checks.size(); i++) {
        all.add(verdicts.get(i));
      }
      listener.accept(all);
    }
  }

  /** Checks that follow each other. */
  private final class Chain {
    private final List<Integer> indexes;

    // guarded by this
    private int next; // indexes[0..next) have been asked
    private boolean walking; // a thread is in the loop of proceed()
    private boolean waiting; // the latest check has no verdict yet

    Chain(List<Integer> indexes) {
      this.indexes = indexes;
    }

    /** Asks on, until a check does not answer at once. Whoever finds the loop walked leaves. */
    void proceed() {
      synchronized (this) {
        if (walking) {
          return;
        }
        walking = true;
      }
      while (true) {
        int index;
        synchronized (this) {
          if (waiting || next == indexes.size()) {
            walking = false;
            return;
          }
          waiting = true;
          index = indexes.get(next++);
        }
        ask.accept(checks.get(index), verdict -> answered(index, verdict));
      }
    }

    private void answered(int index, Verdict verdict) {
      synchronized (this) {
        waiting = false;
      }
      told(index, verdict);
      proceed();
    }
  }
}
