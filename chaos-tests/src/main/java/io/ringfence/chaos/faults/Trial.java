package io.ringfence.chaos.faults;

import io.ringfence.chaos.cluster.Place;
import io.ringfence.chaos.load.Hiccups;
import io.ringfence.chaos.wire.Call;
import io.ringfence.chaos.wire.CheckRequest;
import io.ringfence.chaos.wire.MachineClock;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * One fault in the middle of a window, while clients send a known load:
 *
 * <ol>
 *   <li>The nodes get rules of the trial's own, with a window of which a drawn part, 20 to 80 %, is
 *       over; so all counters are new.
 *   <li>Clients offer the keys, each as often as was drawn ({@link Offers}). The fault comes when
 *       the first third has been offered, and the load goes on over it.
 *   <li>When the nodes that are left are in one settled view again and debits are paid, each key is
 *       offered L times more, and so shows what is left of it.
 *   <li>What clients saw admitted is held against the fault's bound, key by key.
 * </ol>
 */
public final class Trial {
  private static final double EARLIEST = 0.2;
  private static final double LATEST = 0.8;
  private static final int ASKERS = 4;
  private static final int CANDIDATES = 100;

  private final Stage stage;
  private final Fault fault;
  private final TrialSettings settings;
  private final int number;
  private final Random random;
  private final Window window;
  private Set<Stage.Absence> absentBefore = Set.of();

  /**
   * A trial on a stage where the fault's nodes run in one view.
   *
   * @param number of the trial, from 1; different for each trial on a stage
   * @param seed of the run; with the fault's name and the number it decides all choices
   */
  public Trial(Stage stage, Fault fault, TrialSettings settings, int number, long seed) {
    this.stage = stage;
    this.fault = fault;
    this.settings = settings;
    this.number = number;
    // Seeds that differ little would begin with like numbers, so they are mixed first.
    long mixed =
        new SplittableRandom(31 * (31 * seed + fault.name().hashCode()) + number).nextLong();
    this.random = new Random(mixed);
    double place = EARLIEST + (LATEST - EARLIEST) * random.nextDouble();
    this.window = Window.over(place, MachineClock.epochMillis());
  }

  /** Starts the nodes of a fault. */
  public static void prepare(Stage stage, Fault fault) {
    if (fault.keepsData()) {
      stage.cluster().keepData();
    }
    stage.start(fault.nodes());
  }

  /** Runs it, and leaves the cluster as it was before; an outcome for each policy. */
  public List<Outcome> run() {
    stage.cluster().putRules(rules(), fault.nodes());
    Target target = fault.aim(stage, random);
    List<CheckRequest> requests = requests();
    List<Place> places = stage.cluster().placesOf(requests, fault.nodes().get(0));
    absentBefore = stage.absences(fault.nodes());
    Judge judge = judge(target, requests, places);
    fault.restore(stage, target);
    return IntStream.range(0, fault.policies().size()).mapToObj(judge::outcome).toList();
  }

  private Judge judge(Target target, List<CheckRequest> requests, List<Place> places) {
    Offers offers = Offers.draw(requests.size(), settings.limit(), random);
    List<Call> calls = requests.stream().map(CheckRequest::check).toList();
    try (Hiccups hiccups = Hiccups.start();
        Askers askers = Askers.start(asked(target), addresses(target), ASKERS);
        OfferedLoad first = firstLoad(calls, offers);
        OfferedLoad last = new OfferedLoad(stage.doors(), calls, offers.last(), index -> 0)) {
      first.awaitMark();
      long struckMillis = MachineClock.epochMillis();
      long struckNanos = MachineClock.nanos();
      fault.strike(stage, target);
      Incident incident = new Incident(struckNanos, MachineClock.nanos(), struckMillis);
      fault.follow(stage, target);
      List<Check> checks = new ArrayList<>(first.finish());
      if (fault.policies().stream().anyMatch(fault::everythingIsDebited)) {
        stage.awaitDebitsPaid(fault.nodes());
      }
      long quietNanos = MachineClock.nanos();
      checks.addAll(last.start(settings.clients()).finish());
      askers.stop();
      Course course =
          new Course(
              number,
              target,
              incident,
              quietNanos,
              window,
              askers.seen(incident, target),
              isDisturbed(target),
              hiccups.worst());
      return new Judge(fault, settings, course, places, checks);
    }
  }

  /** Nodes that are gone tell no more. */
  private boolean isDisturbed(Target target) {
    List<String> alive =
        fault.nodes().stream().filter(name -> stage.cluster().node(name).isAlive()).toList();
    Set<String> may = fault.mayBeAway(target);
    return stage.absences(alive).stream()
        .anyMatch(absence -> !absentBefore.contains(absence) && !may.contains(absence.node()));
  }

  private OfferedLoad firstLoad(List<Call> calls, Offers offers) {
    return new OfferedLoad(
            stage.doors(),
            calls,
            offers.first(),
            index -> offers.dueNanos(index, settings.perSecond(), fault.lasts()))
        .marked(offers.before())
        .start(settings.clients());
  }

  private String rules() {
    StringBuilder rules = new StringBuilder("rules:\n");
    for (int policy = 0; policy < fault.policies().size(); policy++) {
      String name = "t" + number + "-" + policy;
      rules.append(
          fault
              .policies()
              .get(policy)
              .yaml(name, route(policy), settings.limit(), window.seconds()));
    }
    String durability = fault.policies().get(0).durability();
    return rules
        .append(
            Policy.closed(durability, "fresh")
                .yaml("t" + number + "-asked", askedRoute(), 1_000_000_000, window.seconds()))
        .toString();
  }

  private String route(int policy) {
    return "GET /t" + number + "/" + policy;
  }

  private String askedRoute() {
    return "GET /t" + number + "/asked";
  }

  /** Key i is under policy i mod their number. */
  private List<CheckRequest> requests() {
    int policies = fault.policies().size();
    return IntStream.range(0, settings.keys())
        .mapToObj(i -> new CheckRequest("k" + i, route(i % policies)))
        .toList();
  }

  private List<CheckRequest> asked(Target target) {
    if (target.asked().isEmpty()) {
      return List.of();
    }
    List<CheckRequest> candidates =
        IntStream.range(0, CANDIDATES)
            .mapToObj(i -> new CheckRequest("asked-" + i, askedRoute()))
            .toList();
    List<Place> places = stage.cluster().placesOf(candidates, fault.nodes().get(0));
    return IntStream.range(0, CANDIDATES)
        .filter(i -> places.get(i).owner().equals(target.asked()))
        .limit(ASKERS)
        .mapToObj(candidates::get)
        .toList();
  }

  private Map<String, InetSocketAddress> addresses(Target target) {
    Map<String, InetSocketAddress> addresses = new TreeMap<>();
    target.askers().forEach(name -> addresses.put(name, stage.cluster().node(name).http()));
    return addresses;
  }
}
