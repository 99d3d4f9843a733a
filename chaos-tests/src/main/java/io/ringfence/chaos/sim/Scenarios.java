package io.ringfence.chaos.sim;

import io.ringfence.engine.message.Deed;
import io.ringfence.ring.RingSettings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Makes a scenario from a seed. Runs are small and tight on purpose: few keys, low limits, bursts
 * of checks, so that a single unit counted wrongly shows.
 */
final class Scenarios {
  private static final long MICRO = 1_000;
  private static final long MILLI = 1_000_000;
  // Microseconds between calls on average.
  private static final long[] GAPS = {20, 200, 1_000, 5_000, 12_000};
  private static final int LAPSING = 3; // one in so many runs with faults of nodes has lapses too
  private static final int SLOTS = 32;
  private static final int POINTS = 6;

  private final SplittableRandom random;
  private final RunKind kind;
  private final int nodes;
  private long loadNanos; // from the first call to the last

  private Scenarios(long seed) {
    this.random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + 1);
    this.kind = RunKind.of(seed);
    this.nodes = 2 + random.nextInt(4);
  }

  static Scenario of(long seed) {
    return new Scenarios(seed).make(seed);
  }

  private Scenario make(long seed) {
    RingSettings ring = new RingSettings(SLOTS, POINTS, random.nextLong(), random.nextLong());
    GeneratedRules rules = new GeneratedRules(random, seed);
    List<PlannedCall> calls = calls(rules);
    List<Fault> faults = new ArrayList<>();
    if (kind == RunKind.NODES) {
      addNodeFaults(faults);
    }
    if (!faults.isEmpty() && seed % LAPSING == 1) {
      addLapses(faults, new SplittableRandom(seed));
    }
    faults.sort(Comparator.comparingLong(Fault::atNanos));
    return new Scenario(seed, kind, nodes, ring, rules.set(), rates(), calls, List.copyOf(faults));
  }

  private List<PlannedCall> calls(GeneratedRules rules) {
    int count = 30 + random.nextInt(90);
    long gapMicros = GAPS[random.nextInt(GAPS.length)];
    // Some runs have corrections, some have requests with names, some neither: what a correction
    // left of a charge that a repeat may or may not have made, nobody could tell from outside.
    int style = random.nextInt(3);
    List<PlannedCall> calls = new ArrayList<>(count);
    List<PlannedCall> named = new ArrayList<>();
    long at = MILLI;
    for (int i = 0; i < count; i++) {
      at += Scenario.CALL_GRID_NANOS + random.nextLong(2 * gapMicros * MICRO);
      int node = random.nextInt(nodes);
      if (!named.isEmpty() && random.nextInt(3) == 0) {
        PlannedCall earlier =
            named.get(named.size() - 1 - random.nextInt(Math.min(4, named.size())));
        calls.add(earlier.repeated(at, node));
        continue;
      }
      Deed.Mode mode = mode(style == 1);
      boolean hasName = style == 2 && mode == Deed.Mode.CHARGE && random.nextInt(3) > 0;
      String name = hasName ? "q" + i : null;
      calls.add(new PlannedCall(at, node, rules.request(), rules.cost(), mode, name));
      if (hasName) {
        named.add(calls.get(i));
      }
    }
    loadNanos = at;
    return List.copyOf(calls);
  }

  private Deed.Mode mode(boolean corrects) {
    int pick = random.nextInt(48);
    if (pick < 4) {
      return Deed.Mode.PEEK;
    }
    if (!corrects || pick > 9) {
      return Deed.Mode.CHARGE;
    }
    return pick < 8 ? Deed.Mode.REFUND : pick == 8 ? Deed.Mode.RESET : Deed.Mode.DEBIT;
  }

  private Rates rates() {
    long least = (50 + random.nextInt(400)) * MICRO;
    long spread = (10 + random.nextInt(600)) * MICRO;
    if (kind == RunKind.CALM) {
      return new Rates(0, 0, 0, 0, least, spread);
    }
    // Some runs suffer from one thing alone, some from all, some hardly.
    double scale = new double[] {0.01, 0.05, 0.2, 0.5}[random.nextInt(4)];
    int only = random.nextInt(6);
    double loss = only == 0 || only > 3 ? scale : 0;
    double duplicate = only == 1 || only > 3 ? scale : 0;
    double late = only == 2 || only > 3 ? scale / 2 : 0;
    double full = only == 3 || only > 4 ? scale / 4 : 0;
    boolean faultless = kind != RunKind.MESSAGES && random.nextInt(3) == 0;
    return faultless
        ? new Rates(0, 0, 0, 0, least, spread)
        : new Rates(loss, duplicate, late, full, least, spread);
  }

  private void addNodeFaults(List<Fault> faults) {
    int count = 1 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      long at = MILLI + random.nextLong(loadNanos);
      int one = random.nextInt(nodes);
      int other = (one + 1 + random.nextInt(nodes - 1)) % nodes;
      long span = random.nextBoolean() ? random.nextLong(15 * MILLI) : random.nextLong(400 * MILLI);
      faults.add(
          switch (random.nextInt(6)) {
            case 0, 1 -> new Fault.Freeze(at, one, span);
            case 2 -> new Fault.Reset(at, one, other, random.nextLong(60 * MILLI));
            case 3 -> new Fault.Cut(at, one, other, true, span);
            case 4 -> new Fault.Cut(at, one, other, false, span);
            default -> new Fault.ClockSet(at, one, random.nextLong(-200 * MILLI, 200 * MILLI));
          });
    }
  }

  private void addLapses(List<Fault> faults, SplittableRandom lapsing) {
    int count = 1 + lapsing.nextInt(4);
    for (int i = 0; i < count; i++) {
      long at = MILLI + lapsing.nextLong(loadNanos);
      long span =
          lapsing.nextBoolean() ? lapsing.nextLong(1, 15 * MILLI) : lapsing.nextLong(200 * MILLI);
      faults.add(new Fault.Lapse(at, lapsing.nextInt(nodes), span));
    }
  }
}
