package io.ringfence.chaos;

import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.load.Ledger;
import io.ringfence.chaos.load.LimitUnderTest;
import io.ringfence.chaos.load.Load;
import io.ringfence.chaos.load.LoadPlan;
import io.ringfence.chaos.load.LoadSettings;
import io.ringfence.chaos.load.Shape;
import io.ringfence.chaos.load.Shot;
import io.ringfence.chaos.load.Tally;
import io.ringfence.chaos.wire.Certainty;
import io.ringfence.chaos.wire.CheckRequest;
import io.ringfence.chaos.wire.MachineClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Three nodes under load, one of which is killed with kill -9.
 *
 * <p>How much a counter may admit in one window, with limit L, m callers left and n nodes in the
 * last healthy view:
 *
 * <pre>
 *   counters of any node   L  + m max(1, floor(0.2 L/n))
 * </pre>
 *
 * Every counter has been asked for more than L before the kill, and that is copied by then. So the
 * successor of the dead node admits nothing more, and says {@code recovered}. The last term are the
 * local buckets from which callers answer while nobody can be reached. They are told apart by the
 * certainty of the answers, so the two are held against their bounds one by one.
 */
final class KillScenario {
  private static final String VICTIM = "n2";
  private static final int BURST = 4;
  private static final double LOCAL_FRACTION = 0.2;

  private final Cluster cluster;
  private final LimitUnderTest limit;
  private final Map<String, String> ownersBefore = new LinkedHashMap<>();
  private final List<Shot> shots = new ArrayList<>();
  private final Ledger ledger;

  /**
   * What came of it.
   *
   * @param untilView from the kill until both others showed the view without the dead node
   * @param ledger its times are those of what was answered after the kill
   */
  record Outcome(Ledger ledger, Duration untilView, List<String> problems) {}

  /**
   * @param cluster of n1, n2 and n3, all in one view
   * @param route of a rule of L an hour by client in fixed windows; its keys are asked for the
   *     first time
   */
  KillScenario(Cluster cluster, String route, long limit, int keys) {
    this.cluster = cluster;
    this.limit = new LimitUnderTest(Shape.FIXED_WINDOW, limit, Duration.ofHours(1));
    this.ledger = new Ledger(this.limit);
    for (int i = 0; i < keys; i++) {
      CheckRequest request = new CheckRequest("kill-" + i, route);
      shots.add(Shot.of(request.key(), request));
      ownersBefore.put(request.key(), cluster.ownerOf(request, "n1"));
    }
  }

  /** The counters that the node that is killed owned. */
  List<String> orphans() {
    return ownersBefore.keySet().stream()
        .filter(key -> VICTIM.equals(ownersBefore.get(key)))
        .toList();
  }

  /**
   * Loads until every counter was asked for more than its limit twice, kills, waits for the new
   * view, and asks for as much again.
   *
   * @param connections over all nodes
   */
  Outcome run(int connections) {
    long share = shots.size() * (limit.limit() + BURST);
    LoadSettings settings = LoadSettings.calm(connections).withExpendable(1);
    LoadPlan plan = new LoadPlan(shots, LoadPlan.ENDLESS, BURST);
    try (Load load = Load.start(cluster.http("n1", VICTIM, "n3"), plan, settings, ledger)) {
      awaitAnswers(2 * share);
      ledger.restartTimes();
      long killedNanos = MachineClock.nanos();
      cluster.node(VICTIM).kill();
      cluster.awaitView("n1", "n3");
      Duration untilView = Duration.ofNanos(MachineClock.nanos() - killedNanos);
      awaitAnswers(ledger.answered() + share);
      load.stop();
      load.finish();
      return new Outcome(ledger, untilView, problems());
    }
  }

  private void awaitAnswers(long answers) {
    cluster.await(answers + " answers", Cluster.PATIENCE, () -> ledger.answered() >= answers);
  }

  /** The most that a counter may admit in one window. */
  long bound() {
    return limit.limit() + localBound();
  }

  private long localBound() {
    int callers = 2;
    int fewestNodes = 2;
    return callers * Math.max(1, (long) Math.floor(LOCAL_FRACTION * limit.limit() / fewestNodes));
  }

  private List<String> problems() {
    List<String> problems = new ArrayList<>();
    for (String counter : ledger.counters()) {
      for (Tally tally : ledger.tallies(counter)) {
        long local = tally.admitted(Certainty.DEGRADED);
        long own = tally.admitted() - local;
        if (own > limit.limit() || local > localBound()) {
          problems.add(
              counter
                  + " of "
                  + ownersBefore.get(counter)
                  + ": "
                  + tally
                  + ", not at most "
                  + limit.limit()
                  + " and "
                  + localBound()
                  + " degraded");
        }
      }
    }
    return problems;
  }
}
