package io.ringfence.chaos;

import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.wire.Certainty;
import io.ringfence.chaos.wire.CheckAnswer;
import io.ringfence.chaos.wire.CheckRequest;
import io.ringfence.chaos.wire.HttpConnection;
import io.ringfence.chaos.wire.MachineClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * An owner and the backup of its keys stand still, with every socket open, while one caller asks
 * the survivor for their keys, one check after another.
 *
 * <p>Until the breaker is open each check waits for the whole forward deadline; from then on the
 * survivor answers by itself, but for one check in a probe interval. So n checks take about
 *
 * <pre>
 *   breaker_failures x deadline + (probes that fall into the time) x deadline + n x (one answer)
 * </pre>
 *
 * <p>A caller without a breaker would wait n x deadline. Between those checks, now and then, one
 * comes for a key of the survivor itself, which must not notice anything.
 */
final class StuckScenario {
  static final Duration DEADLINE = Duration.ofMillis(50);
  static final Duration PROBE = Duration.ofSeconds(1);
  static final String CONFIG =
      "forward: {deadline: %dms, breaker_failures: 5, probe: %ds}\nview: {lease: 5s}\n"
          .formatted(DEADLINE.toMillis(), PROBE.toSeconds());
  static final long LIMIT = 5;

  private static final String ROUTE = "GET /stuck";
  private static final String SURVIVOR = "n1";
  private static final String OWNER = "n2";
  private static final String BACKUP = "n3";
  private static final int FOREIGN_KEYS = 20;
  private static final int CHECKS_PER_OWN_CHECK = 10;

  /**
   * Every check passes while nobody can be asked, also once the survivor of three has no lease any
   * more; nothing comes back while a run lasts. No copies are kept: where they are, the survivor's
   * own counters wait for their frozen backup once that is behind, as a rule with copies wants.
   */
  static final String RULES =
      """
      rules:
        - {name: stuck, match: {route: "%s"}, by: client, algorithm: token-bucket, limit: %d,
           window: 400d, on_unavailable: open, on_partition: open, durability: none}
      """
          .formatted(ROUTE, LIMIT);

  private final Cluster cluster;
  private final CheckRequest spent;
  private final CheckRequest own;
  private final List<CheckRequest> foreign;

  /** One answer, and how long it took. */
  record Timed(CheckAnswer answer, Duration took) {}

  /**
   * What came of it.
   *
   * @param foreign the answers for keys of the frozen owner, in order
   * @param total what those took together
   * @param own the answers for one key of the survivor meanwhile, in order
   * @param untilEnforced from SIGCONT to the first denial of a key that had been spent before
   * @param enforced that denial
   */
  record Outcome(
      List<Timed> foreign,
      Duration total,
      List<Timed> own,
      Duration untilEnforced,
      CheckAnswer enforced) {

    /** How many of the frozen owner's keys were admitted, marked as no owner's answer. */
    long admittedDegraded() {
      return foreign.stream()
          .map(Timed::answer)
          .filter(answer -> answer.allowed() && answer.certainty() == Certainty.DEGRADED)
          .count();
    }

    /** How many of the checks for the survivor's own key were admitted. */
    long ownAdmitted() {
      return own.stream().map(Timed::answer).filter(CheckAnswer::allowed).count();
    }

    /** Whether nothing but exact answers came for the survivor's own key. */
    boolean ownExact() {
      return own.stream().allMatch(timed -> timed.answer().certainty() == Certainty.EXACT);
    }
  }

  /**
   * Picks keys, and spends one of the owner's.
   *
   * @param cluster of n1, n2 and n3, all in one view, with the rules of this scenario
   */
  StuckScenario(Cluster cluster, int trial) {
    this.cluster = cluster;
    List<CheckRequest> mine = new ArrayList<>();
    List<CheckRequest> theirs = new ArrayList<>();
    for (int i = 0; mine.isEmpty() || theirs.size() <= FOREIGN_KEYS; i++) {
      CheckRequest request = new CheckRequest("stuck-" + trial + "-" + i, ROUTE);
      String owner = cluster.ownerOf(request, SURVIVOR);
      if (owner.equals(SURVIVOR)) {
        mine.add(request);
      } else if (owner.equals(OWNER) && cluster.backupOf(request, SURVIVOR).equals(BACKUP)) {
        theirs.add(request);
      }
    }
    this.own = mine.get(0);
    this.spent = theirs.get(0);
    this.foreign = theirs.subList(1, theirs.size());
    for (int i = 0; i < LIMIT; i++) {
      // At the owner, so that the survivor has no denial to remember.
      cluster.node(OWNER).check(spent);
    }
  }

  /** Freezes both, asks, and lets both go on. */
  Outcome run(int checks) {
    cluster.node(BACKUP).freeze();
    cluster.node(OWNER).freeze();
    List<Timed> owns = new ArrayList<>();
    List<Timed> foreigns = new ArrayList<>();
    try (HttpConnection connection =
        HttpConnection.open(cluster.http(SURVIVOR).get(0), Duration.ofSeconds(30))) {
      for (int i = 0; i < checks; i++) {
        foreigns.add(ask(connection, foreign.get(i % foreign.size())));
        if (i % CHECKS_PER_OWN_CHECK == 0) {
          owns.add(ask(connection, own));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Duration total = foreigns.stream().map(Timed::took).reduce(Duration.ZERO, Duration::plus);
    long thawedNanos = MachineClock.nanos();
    cluster.node(OWNER).thaw();
    cluster.node(BACKUP).thaw();
    CheckAnswer enforced = awaitDenial();
    Duration untilEnforced = Duration.ofNanos(MachineClock.nanos() - thawedNanos);
    return new Outcome(foreigns, total, owns, untilEnforced, enforced);
  }

  private CheckAnswer awaitDenial() {
    List<CheckAnswer> denials = new ArrayList<>();
    cluster.await(
        "a denial of a key that was spent before",
        Cluster.PATIENCE,
        () -> {
          CheckAnswer answer = cluster.node(SURVIVOR).check(spent);
          return !answer.allowed() && denials.add(answer);
        });
    return denials.get(0);
  }

  private static Timed ask(HttpConnection connection, CheckRequest request) {
    long sentNanos = MachineClock.nanos();
    try {
      CheckAnswer answer = CheckAnswer.of(connection.exchange(request.check()));
      return new Timed(answer, Duration.ofNanos(MachineClock.nanos() - sentNanos));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
