package io.ringfence.chaos.swarm;

import java.util.List;

/**
 * One run: processes start and form a cluster, clients ask for keys while the plan's faults are
 * done, the cluster comes to rest, and what was admitted is held against what the faults allow.
 */
final class SwarmRun {
  private static final long MILLI = 1_000_000;
  private static final long FORMS_NANOS = 10_000 * MILLI;
  private static final long STARTS_WITHIN_NANOS = 100 * MILLI;
  private static final long RESERVE_NANOS = MILLI;
  private static final long FAULTS_NANOS = 200_000 * MILLI;

  private final Plan plan;
  private final Swarm swarm;
  private final Coverage coverage = new Coverage();
  private int nextReserve; // of the plan's reserve, the first that was not used
  private long reserveNanos; // when the one before was

  private SwarmRun(Plan plan, boolean told) {
    this.plan = plan;
    this.swarm = new Swarm(plan.setup(), told);
  }

  /** Runs one seed; its story is written only if it is to be told. */
  static Outcome run(long seed, boolean told) {
    SwarmRun run = new SwarmRun(Plans.of(seed), told);
    run.run();
    return new Outcome(
        seed,
        run.plan.kind(),
        run.swarm.findings.all(),
        run.swarm.story.lines(),
        run.coverage,
        run.swarm.ledger.all().size(),
        run.swarm.agenda.now());
  }

  private void run() {
    swarm.story.add(
        () ->
            "seed %d: %s, %s, %d founders, %d checks, faults %s"
                .formatted(
                    plan.setup().seed(),
                    plan.kind(),
                    plan.setup(),
                    plan.founders(),
                    plan.load().size(),
                    plan.faults()));
    form();
    if (!swarm.findings.none()) {
      return;
    }
    swarm.chronicle.formed();
    swarm.ledger.expectOwners(plan.kind().isExact());
    Faults faults = new Faults(swarm, coverage);
    faults.plan(plan.faults());
    for (Plan.Call call : plan.load()) {
      swarm.agenda.after(call.atNanos(), () -> call(call));
    }
    swarm.lookOut(this::callWhileSlotsMove);
    long loadNanos = plan.load().isEmpty() ? 0 : last(plan.load()).atNanos();
    swarm.pass(loadNanos + 1);
    swarm.await(faults::areOver, FAULTS_NANOS);
    swarm.endLookOut();
    if (swarm.findings.none()) {
      new Finale(swarm).play();
      coverage.lost(swarm.chronicle.losses().size());
    }
  }

  private static Plan.Call last(List<Plan.Call> load) {
    return load.get(load.size() - 1);
  }

  private void form() {
    for (int host = 0; host < plan.founders(); host++) {
      int starting = host;
      swarm.agenda.after(
          host == 0 ? 0 : swarm.chance.nextLong(STARTS_WITHIN_NANOS), () -> swarm.start(starting));
    }
    swarm.pass(STARTS_WITHIN_NANOS);
    boolean forms =
        swarm.await(
            () ->
                swarm.isSettled() && swarm.living().stream().allMatch(node -> node.glue.isReady()),
            FORMS_NANOS);
    swarm.findings.require(
        forms || !swarm.findings.none(), Invariant.COMES_TO_REST, () -> "no cluster forms");
  }

  private void callWhileSlotsMove(ClusterState state) {
    boolean moving =
        switch (state) {
          case PASSING, HALF_WAY, REFILLING -> true;
          case SETTLED, JOINING, DRAINING, WEIGHING -> false;
        };
    if (moving && nextReserve < plan.reserve().size() && swarm.agenda.now() >= reserveNanos) {
      reserveNanos = swarm.agenda.now() + swarm.chance.nextLong(RESERVE_NANOS);
      Plan.Call call = plan.reserve().get(nextReserve++);
      swarm.agenda.at(reserveNanos, () -> call(call));
    }
  }

  private void call(Plan.Call call) {
    List<Node> ready = swarm.living().stream().filter(node -> node.glue.isReady()).toList();
    if (!ready.isEmpty()) {
      swarm.ask(ready.get(swarm.chance.nextInt(ready.size())), call.key(), call.cost());
    }
  }
}
