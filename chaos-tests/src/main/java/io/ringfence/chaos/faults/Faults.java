package io.ringfence.chaos.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** All faults that the command knows, in the order of the table. */
public final class Faults {
  private static final List<Policy> EXACT =
      List.of(Policy.closed("sync", "fresh"), Policy.closed("async", "fresh"));
  private static final List<Policy> LINKS =
      List.of(
          Policy.closed("sync", "fresh"), Policy.closed("async", "fresh"), Policy.local("async"));
  private static final List<Policy> SIDES =
      List.of(
          Policy.strict(),
          Policy.cutOff("sync", "closed"),
          Policy.cutOff("sync", "share"),
          Policy.cutOff("async", "share"),
          Policy.cutOff("sync", "open"));

  private Faults() {}

  /** A new list of them. */
  public static List<Fault> all() {
    List<Fault> faults = new ArrayList<>(kills());
    faults.add(new Stop("stop-short", Duration.ofMillis(300), LINKS));
    faults.add(
        new Stop(
            "stop-long",
            Duration.ofSeconds(30),
            List.of(
                Policy.closed("sync", "fresh"),
                Policy.closed("async", "fresh"),
                Policy.local("async"),
                Policy.cutOff("async", "share"))));
    faults.add(new Move("rolling", Move.Kind.ROLLING, EXACT));
    faults.add(new Move("join", Move.Kind.JOIN, EXACT));
    faults.add(new Move("drain", Move.Kind.DRAIN, EXACT));
    faults.add(new RestartAll(false, List.of(Policy.closed("sync", "fresh"), Policy.strict())));
    faults.add(
        new RestartAll(
            true, List.of(Policy.closed("sync", "fresh"), Policy.closed("async", "fresh"))));
    faults.add(new CutLink("one-way", false, LINKS));
    faults.add(new CutLink("link", true, LINKS));
    faults.add(new Split("split-2-1", Nodes.first(3), 1, SIDES));
    faults.add(new Split("split-2-2", Nodes.first(4), 2, SIDES));
    faults.add(new Split("split-3-2", Nodes.first(5), 2, SIDES));
    return faults;
  }

  /**
   * One of them.
   *
   * @throws IllegalArgumentException where there is none of that name
   */
  public static Fault named(String name) {
    return all().stream()
        .filter(fault -> fault.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no fault " + name));
  }

  private static List<Fault> kills() {
    List<String> three = Nodes.first(3);
    return List.of(
        new Kill("kill-sync", three, killed("sync")),
        new Kill("kill-async", three, killed("async")),
        new Kill(
            "kill-none",
            three,
            List.of(
                Policy.closed("none", "fresh"),
                Policy.closed("none", "prorated"),
                Policy.closed("none", "spent"))),
        new Kill("kill-of-two", Nodes.first(2), LINKS));
  }

  private static List<Policy> killed(String durability) {
    return List.of(
        Policy.closed(durability, "fresh"),
        Policy.closed(durability, "prorated"),
        Policy.closed(durability, "spent"),
        Policy.local(durability));
  }
}
