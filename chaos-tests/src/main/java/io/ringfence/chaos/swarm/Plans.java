package io.ringfence.chaos.swarm;

import io.ringfence.algorithms.Kind;
import io.ringfence.rules.Durability;
import io.ringfence.rules.FailurePolicy;
import io.ringfence.rules.OnPartition;
import io.ringfence.rules.OnStateLost;
import io.ringfence.rules.OnUnavailable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** Makes the plan of a seed. */
final class Plans {
  static final int HOSTS = 5;

  private static final int NOBODY = -1;
  private static final long MILLI = 1_000_000;
  private static final long MOST_UNITS = 160; // of all keys together, so that a run stays short
  private static final List<Kind> KINDS =
      List.of(
          Kind.FIXED_WINDOW,
          Kind.TOKEN_BUCKET,
          Kind.GCRA,
          Kind.SLIDING_WINDOW_LOG,
          Kind.SLIDING_WINDOW_COUNTER);

  private static final ClusterState[] MOVING = {
    ClusterState.JOINING,
    ClusterState.DRAINING,
    ClusterState.PASSING,
    ClusterState.HALF_WAY,
    ClusterState.HALF_WAY,
    ClusterState.SETTLED
  };

  private final SplittableRandom random;
  private final RunKind kind;
  private final long seed;
  private final int founders;
  private final long spanNanos; // in which faults begin
  private int mover = NOBODY; // the host that joins or drains while a fault lies in wait

  private Plans(long seed) {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    RunKind[] kinds = RunKind.values();
    // Calm runs find little: one in fifteen, the others alike.
    int pick = (int) Math.floorMod(seed, 15L);
    this.kind = pick == 0 ? RunKind.CALM : kinds[1 + (pick - 1) % (kinds.length - 1)];
    this.founders = 1 + random.nextInt(kind == RunKind.STALLS ? 4 : 5);
    this.spanNanos = (200 + random.nextInt(2_000)) * MILLI;
  }

  static Plan of(long seed) {
    return new Plans(seed).plan();
  }

  private Plan plan() {
    Setup setup = setup();
    List<Fault> faults = faults();
    boolean often = random.nextBoolean();
    double share = 2 * random.nextDouble();
    return new Plan(
        kind,
        setup,
        founders,
        faults,
        load(setup, faults, often ? share / 2 : share),
        often ? load(setup, faults, share / 2) : List.of());
  }

  private Setup setup() {
    int limit = 3 + random.nextInt(28);
    int most = (int) Math.max(5, Math.min(40, MOST_UNITS / limit));
    int keys = 5 + random.nextInt(most - 4);
    int slots = 4 << random.nextInt(5); // 4 to 64
    FailurePolicy policy = policy();
    return new Setup(
        seed,
        KINDS.get(random.nextInt(KINDS.size())),
        limit,
        keys,
        policy,
        Setup.ring(slots, seed),
        tempo(policy.durability() == Durability.SYNC));
  }

  /** Mostly what a rule has that says nothing; else each durability, and each way to begin anew. */
  private FailurePolicy policy() {
    Durability durability =
        switch (random.nextInt(6)) {
          case 0, 1 -> Durability.SYNC;
          case 2 -> Durability.NONE;
          default -> Durability.ASYNC;
        };
    OnStateLost lost =
        switch (random.nextInt(5)) {
          case 0 -> OnStateLost.SPENT;
          case 1 -> OnStateLost.PRORATED;
          default -> OnStateLost.FRESH;
        };
    boolean strict = durability == Durability.SYNC && lost == OnStateLost.SPENT;
    OnPartition cutOff =
        strict
            ? OnPartition.STRICT
            : random.nextInt(5) == 0 ? OnPartition.CLOSED : OnPartition.SHARE;
    return new FailurePolicy(OnUnavailable.LOCAL, 200_000, null, cutOff, durability, lost);
  }

  private Tempo tempo(boolean sync) {
    // A synchronous answer takes six ways and an interval, and must not take longer than the
    // deadline where nothing goes wrong.
    boolean quick = random.nextBoolean() || sync;
    return new Tempo(
        MILLI / 10,
        quick ? MILLI / 2 : 3 * MILLI,
        random.nextInt(3) == 0 ? 5_000 * MILLI : 1_000 * MILLI,
        random.nextInt(4) > 0,
        random.nextInt(3) == 0 ? MILLI / 2 : 0);
  }

  private List<Fault> faults() {
    List<Fault> faults = new ArrayList<>();
    int count = kind == RunKind.CALM ? 0 : 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      faults.add(fault(random.nextLong(spanNanos)));
    }
    if (kind != RunKind.CALM && random.nextInt(3) > 0) {
      addAmbush(faults);
    }
    faults.sort(Comparator.comparingLong(Fault::atNanos));
    return faults;
  }

  /**
   * Something happens to the cluster, and something else lies in wait for what comes of it: often
   * for the node that moves. Sometimes a link is down all the while, so that what goes over it is
   * late.
   */
  private void addAmbush(List<Fault> faults) {
    long at = random.nextLong(spanNanos);
    if (kind == RunKind.STALLS || kind == RunKind.MIXED) {
      addBadLink(at, faults);
    }
    boolean afterLoss = kind != RunKind.MOVES && random.nextInt(3) == 0;
    Fault first = afterLoss ? (kind == RunKind.STALLS ? freezeForLong(at) : kill(at)) : move(at);
    faults.add(first);
    if (first instanceof Fault.Join join) {
      mover = join.host();
    } else if (first instanceof Fault.Drain drain) {
      mover = drain.host();
    }
    ClusterState state =
        !afterLoss
            ? MOVING[random.nextInt(MOVING.length)]
            : random.nextInt(3) == 0 ? ClusterState.SETTLED : ClusterState.REFILLING;
    long after = random.nextInt(3) == 0 ? random.nextLong(100 * MILLI) : random.nextLong(4 * MILLI);
    faults.add(new Fault.Ambush(at, state, after, fault(at)));
    mover = NOBODY;
  }

  private void addBadLink(long at, List<Fault> faults) {
    int one = busyHost();
    int other = (one + 1 + random.nextInt(HOSTS - 1)) % HOSTS;
    long begin = Math.max(0, at - random.nextLong(100 * MILLI));
    long lasts = (500 + random.nextInt(2_500)) * MILLI;
    switch (random.nextInt(4)) {
      case 0 -> faults.add(new Fault.Cut(begin, one, other, random.nextBoolean(), lasts));
      case 1 -> faults.add(new Fault.Slow(begin, one, other, random.nextLong(50 * MILLI), lasts));
      default -> {
        // none
      }
    }
  }

  private Fault freezeForLong(long at) {
    return new Fault.Freeze(at, busyHost(), (1_000 + random.nextInt(2_000)) * MILLI);
  }

  private Fault fault(long at) {
    return switch (kind) {
      case CALM -> throw new IllegalStateException("nothing goes wrong in a calm run");
      case MOVES -> move(at);
      case KILLS -> random.nextInt(3) == 0 ? move(at) : kill(at);
      case STALLS -> stall(at);
      case MIXED ->
          switch (random.nextInt(3)) {
            case 0 -> move(at);
            case 1 -> kill(at);
            default -> stall(at);
          };
    };
  }

  private int host() {
    return random.nextInt(HOSTS);
  }

  /** Mostly a host that has a process; often the one that moves, if any does. */
  private int busyHost() {
    return mover != NOBODY && random.nextBoolean() ? mover : random.nextInt(founders);
  }

  private Fault move(long at) {
    return switch (random.nextInt(7)) {
      case 0 -> new Fault.Weigh(at, busyHost(), 1 + random.nextInt(4));
      case 1, 2 ->
          new Fault.Join(at, founders < HOSTS ? founders + host() % (HOSTS - founders) : host());
      case 3, 4 -> new Fault.Drain(at, busyHost(), random.nextBoolean() ? -1 : restart());
      case 5 ->
          new Fault.ClockSet(at, busyHost(), random.nextLong(-20_000 * MILLI, 20_000 * MILLI));
      default -> new Fault.Rolling(at);
    };
  }

  private Fault kill(long at) {
    return random.nextInt(12) == 0
        ? new Fault.CrashAll(at, restart())
        : new Fault.Crash(at, busyHost(), random.nextInt(3) == 0 ? -1 : restart());
  }

  private long restart() {
    return (20 + random.nextInt(random.nextBoolean() ? 300 : 2_000)) * MILLI;
  }

  private Fault stall(long at) {
    int one = busyHost();
    int other = (one + 1 + random.nextInt(HOSTS - 1)) % HOSTS;
    return switch (random.nextInt(6)) {
      case 0, 1 -> new Fault.Freeze(at, one, span());
      case 2 -> new Fault.Cut(at, one, other, random.nextBoolean(), span());
      case 3, 4 -> new Fault.Partition(at, part(), span());
      default -> new Fault.Slow(at, one, other, random.nextLong(50 * MILLI), span());
    };
  }

  private long span() {
    return (100 + random.nextInt(random.nextBoolean() ? 900 : 2_900)) * MILLI;
  }

  private Set<Integer> part() {
    Set<Integer> part = new TreeSet<>();
    for (int host = 0; host < HOSTS; host++) {
      if (random.nextBoolean()) {
        part.add(host);
      }
    }
    part.add(busyHost());
    return part;
  }

  /** That many limits of each key while the faults are; the rest comes after them. */
  private List<Plan.Call> load(Setup setup, List<Fault> faults, double share) {
    long end = 300 * MILLI;
    for (Fault fault : faults) {
      end = Math.max(end, fault.atNanos() + 1_500 * MILLI);
    }
    List<Plan.Call> load = new ArrayList<>();
    boolean mixedCosts = random.nextInt(3) == 0;
    for (int key = 0; key < setup.keys(); key++) {
      for (long units = Math.round(setup.limit() * share); units > 0; ) {
        int cost = mixedCosts && random.nextInt(4) == 0 ? 2 + random.nextInt(2) : 1;
        load.add(new Plan.Call(random.nextLong(end), key, cost));
        units -= cost;
      }
    }
    load.sort(Comparator.comparingLong(Plan.Call::atNanos));
    return load;
  }
}
