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
import io.ringfence.chaos.wire.CheckAnswer;
import io.ringfence.chaos.wire.CheckRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Checks that meet two limits of two owners: one by client and one by ip, or one by client and one
 * for all together. They are buckets that refill nothing while a run lasts, so that what a counter
 * holds can be told to the last unit.
 *
 * <p><b>Contended.</b> Both limits are asked for far more than they admit. An address of 4 L that
 * ten clients of L share denies there; a client alone at an address is denied by its own limit.
 * Each admits exactly its limit, and what was charged to one before the other denied comes back.
 *
 * <p><b>Below.</b> No client and no address is asked for more than it admits, less the checks that
 * may be under way at once: a charge that is not confirmed yet may deny a check of the same client
 * for a round trip, and nothing else may. So every check passes.
 *
 * <p><b>Hammered.</b> A client of each node has spent its limit and goes on asking; all others
 * together ask for twice what is left of the limit for all. They are admitted exactly that.
 *
 * <p>What is wrong comes back as sentences, none if all is right. For one thread.
 */
final class TwoLimitsScenario {
  /** So long that no check is answered by policy, however busy the machine is. */
  static final String CONFIG = "forward: {deadline: 20s}\nview: {lease: 5s}\n";

  private static final List<String> NAMES = List.of("n1", "n2", "n3");
  private static final String ASKED = NAMES.get(0);
  private static final String WHERE = "GET /where";
  private static final String CONTENDED = "GET /contended";
  private static final String BELOW = "GET /below";
  private static final String HAMMERED = "GET /hammered";
  private static final long CLIENTS_OF_AN_ADDRESS = 10;
  private static final long CLIENT_LIMIT = 25;
  private static final long ADDRESS_LIMIT = 4 * CLIENT_LIMIT;
  private static final long HAMMERED_LIMIT = 100;
  private static final int BURST = 30;

  private final Cluster cluster;
  private final Size size;
  private int lastAddress;

  /**
   * How much of it.
   *
   * @param connections over all nodes, each with one check under way
   * @param addresses that clients share, from 1 to 1000
   * @param checksBelow how often each client is asked for in the load below the limits, a multiple
   *     of 30
   * @param others how many clients ask beside those that hammer
   */
  record Size(int connections, int addresses, int checksBelow, int others) {
    private long leftForOthers() {
      return (long) others * BURST / 2;
    }
  }

  /** What a load came to. */
  record Outcome(Ledger ledger, List<String> problems) {}

  /**
   * Asks nothing yet.
   *
   * @param cluster of n1, n2 and n3, all in one view, with the rules of that size
   */
  TwoLimitsScenario(Cluster cluster, Size size) {
    this.cluster = cluster;
    this.size = size;
  }

  static String rules(Size size) {
    long slack = size.connections() + 1L;
    return "rules:\n"
        + rule("where", WHERE, "ip", 1)
        + rule("contended-client", CONTENDED, "client", CLIENT_LIMIT)
        + rule("contended-ip", CONTENDED, "ip", ADDRESS_LIMIT)
        + rule("below-client", BELOW, "client", size.checksBelow() + slack)
        + rule("below-ip", BELOW, "ip", size.checksBelow() * CLIENTS_OF_AN_ADDRESS + slack)
        + rule("hammered-client", HAMMERED, "client", HAMMERED_LIMIT)
        + rule(
            "hammered-all",
            HAMMERED,
            "global",
            NAMES.size() * HAMMERED_LIMIT + size.leftForOthers());
  }

  private static String rule(String name, String route, String by, long limit) {
    return "  - {name: %s, match: {route: \"%s\"}, by: %s, %s}\n"
        .formatted(name, route, by, bucket(limit).yaml());
  }

  private static LimitUnderTest bucket(long limit) {
    return new LimitUnderTest(Shape.TOKEN_BUCKET, limit, Duration.ofDays(400));
  }

  /** Both limits are asked for more than they admit. */
  Outcome contended() {
    List<CheckRequest> shared = clientsAtSharedAddresses(CONTENDED);
    List<CheckRequest> alone = clientsAlone(shared.size());
    List<CheckRequest> all = new ArrayList<>(shared);
    all.addAll(alone);
    Ledger ledger = fire(all, 2 * BURST);
    List<String> problems = inexact(ledger);
    Map<String, Long> byClient = admittedBy(CheckRequest::key, all, ledger);
    Map<String, Long> byAddress = admittedBy(TwoLimitsScenario::address, shared, ledger);
    byAddress.forEach((address, n) -> expect(problems, address, ADDRESS_LIMIT, n));
    for (CheckRequest request : alone) {
      expect(problems, request.key(), CLIENT_LIMIT, byClient.getOrDefault(request.key(), 0L));
    }
    byAddress.putAll(admittedBy(TwoLimitsScenario::address, alone, ledger));
    awaitWhatIsLeft(all, byClient, byAddress);
    return new Outcome(ledger, problems);
  }

  /** No limit is asked for more than it admits, less what may be under way at once. */
  Outcome below() {
    Ledger ledger = fire(clientsAtSharedAddresses(BELOW), size.checksBelow());
    List<String> problems = inexact(ledger);
    expect(problems, "false denials", 0, ledger.answered(429));
    return new Outcome(ledger, problems);
  }

  /** Some clients ask for much more than their own limits, beside many that share one with them. */
  Outcome hammered() {
    List<CheckRequest> greedy = NAMES.stream().map(this::clientOf).toList();
    Ledger spending = fire(greedy, (int) HAMMERED_LIMIT / BURST * BURST + BURST);
    List<CheckRequest> mixed = new ArrayList<>();
    for (int i = 0; i < size.others(); i++) {
      mixed.add(new CheckRequest("other-" + i, HAMMERED));
      mixed.add(greedy.get(i % greedy.size()));
    }
    Ledger ledger = fire(mixed, BURST);
    List<String> problems = inexact(ledger);
    expect(
        problems,
        "the clients that hammer, before",
        NAMES.size() * HAMMERED_LIMIT,
        spending.answered(200));
    for (CheckRequest request : greedy) {
      expect(problems, request.key() + " once spent", 0, admitted(ledger, request));
    }
    expect(problems, "the others", size.leftForOthers(), ledger.answered(200));
    return new Outcome(ledger, problems);
  }

  /** Ten clients for each address, none of which has the owner of its address. */
  private List<CheckRequest> clientsAtSharedAddresses(String route) {
    List<CheckRequest> requests = new ArrayList<>();
    for (int i = 0; i < size.addresses(); i++) {
      String address = nextAddress();
      String owner = ownerOfAddress(address);
      long wanted = requests.size() + CLIENTS_OF_AN_ADDRESS;
      for (int client = 0; requests.size() < wanted; client++) {
        CheckRequest request = new CheckRequest("shares-" + i + "-" + client, route);
        if (!cluster.ownerOf(request, ASKED).equals(owner)) {
          requests.add(request.with("ip", address));
        }
      }
    }
    return requests;
  }

  /** Clients at an address each, which another node owns. */
  private List<CheckRequest> clientsAlone(int count) {
    List<CheckRequest> requests = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      CheckRequest request = new CheckRequest("alone-" + i, CONTENDED);
      String owner = cluster.ownerOf(request, ASKED);
      String address = nextAddress();
      while (ownerOfAddress(address).equals(owner)) {
        address = nextAddress();
      }
      requests.add(request.with("ip", address));
    }
    return requests;
  }

  private CheckRequest clientOf(String owner) {
    int number = 0;
    CheckRequest request = new CheckRequest("greedy-" + number, HAMMERED);
    while (!cluster.ownerOf(request, ASKED).equals(owner)) {
      number++;
      request = new CheckRequest("greedy-" + number, HAMMERED);
    }
    return request;
  }

  private String nextAddress() {
    lastAddress++;
    return "10.0." + lastAddress / 256 + "." + lastAddress % 256;
  }

  /** A rule that counts by ip alone shows where an address is counted. */
  private String ownerOfAddress(String address) {
    return cluster.ownerOf(new CheckRequest("x", WHERE).with("ip", address), ASKED);
  }

  private Ledger fire(List<CheckRequest> requests, int checksEach) {
    Ledger ledger = new Ledger(bucket(CLIENT_LIMIT));
    List<Shot> shots = requests.stream().map(each -> Shot.of(each.key(), each)).toList();
    Load.run(
        cluster.http(NAMES.toArray(String[]::new)),
        LoadPlan.each(shots, checksEach, BURST),
        LoadSettings.calm(size.connections()),
        ledger);
    return ledger;
  }

  /** Waits until the cancels have arrived and both counters of each hold what was admitted. */
  private void awaitWhatIsLeft(
      List<CheckRequest> requests, Map<String, Long> byClient, Map<String, Long> byAddress) {
    for (CheckRequest request : requests) {
      long client = CLIENT_LIMIT - byClient.getOrDefault(request.key(), 0L);
      long address = ADDRESS_LIMIT - byAddress.getOrDefault(address(request), 0L);
      cluster.await(
          "%d left of %s and %d of %s".formatted(client, request.key(), address, address(request)),
          Cluster.PATIENCE,
          () -> {
            CheckAnswer peek = cluster.node(ASKED).peek(request);
            return peek.remainingOfRule("contended-client") == client
                && peek.remainingOfRule("contended-ip") == address;
          });
    }
  }

  private static String address(CheckRequest request) {
    return request.attributes().getOrDefault("ip", "");
  }

  private static Map<String, Long> admittedBy(
      Function<CheckRequest, String> counter, List<CheckRequest> requests, Ledger ledger) {
    Map<String, Long> sums = new LinkedHashMap<>();
    requests.forEach(each -> sums.merge(counter.apply(each), admitted(ledger, each), Long::sum));
    return sums;
  }

  private static long admitted(Ledger ledger, CheckRequest request) {
    return ledger.tallies(request.key()).stream().mapToLong(Tally::admitted).sum();
  }

  private static List<String> inexact(Ledger ledger) {
    List<String> problems = new ArrayList<>();
    expect(problems, "exact answers", ledger.answered(), ledger.answered(Certainty.EXACT));
    return problems;
  }

  private static void expect(List<String> problems, String what, long expected, long actual) {
    if (expected != actual) {
      problems.add(what + ": " + actual + ", not " + expected);
    }
  }
}
