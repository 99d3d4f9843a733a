package io.ringfence.chaos.faults;

import io.ringfence.chaos.cluster.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.stream.Collectors;

/** Holds what clients saw in a trial against the fault's bound, key by key. */
final class Judge {
  private static final int KEPT_PROBLEMS = 2;

  private final Fault fault;
  private final TrialSettings settings;
  private final Course course;
  private final List<Place> places;
  private final Map<Integer, List<Check>> checks;

  /**
   * @param places of all keys, before the fault
   * @param checks of all keys
   */
  Judge(
      Fault fault, TrialSettings settings, Course course, List<Place> places, List<Check> checks) {
    this.fault = fault;
    this.settings = settings;
    this.course = course;
    this.places = places;
    this.checks = checks.stream().collect(Collectors.groupingBy(Check::key));
  }

  /** What came of the keys under one of the fault's policies. */
  Outcome outcome(int policy) {
    Sums sums = new Sums();
    for (int key = policy; key < places.size(); key += fault.policies().size()) {
      sums.add(key, facts(key, fault.policies().get(policy)));
    }
    return sums.outcome(fault.policies().get(policy));
  }

  private Case facts(int key, Policy policy) {
    Place place = places.get(key);
    KeyStory story =
        new KeyStory(
            place.owner(),
            place.backup(),
            checks.getOrDefault(key, List.of()),
            course.incident(),
            settings.times());
    return new Case(
        policy,
        settings.limit(),
        course.window().millis(),
        fault.nodes().size(),
        course.target(),
        story);
  }

  /**
   * What the fault allows; and where a node that it spared seemed to be gone too, what two losses
   * at once allow.
   */
  private Bound bound(Case facts) {
    Bound bound = fault.bound(facts);
    return course.disturbed() ? bound.or(facts.lostWithItsBackup()) : bound;
  }

  /** The figures of one policy as they add up. */
  private final class Sums {
    private final LongSummaryStatistics admitted = new LongSummaryStatistics();
    private final LongSummaryStatistics allowed = new LongSummaryStatistics();
    private final LongSummaryStatistics floor = new LongSummaryStatistics();
    private final List<String> problems = new ArrayList<>();
    private long over;
    private long under;
    private long forgotten;
    private long inFlightMax;
    private long falseDenials;
    private long failed;
    private long byPolicy;
    private long worstNanos = course.asked().worst().toNanos();

    void add(int key, Case facts) {
      KeyStory story = facts.story();
      Bound bound = bound(facts);
      long counted = fault.counted(facts);
      admitted.accept(counted);
      allowed.accept(bound.allowed());
      floor.accept(bound.floor());
      inFlightMax = Math.max(inFlightMax, story.inFlight());
      byPolicy += story.byPolicy();
      worstNanos = Math.max(worstNanos, story.worstNanos(course.target()));
      over += note(counted > bound.allowed(), "more than allowed", key, facts, bound);
      under += note(counted < bound.floor(), "less than the floor", key, facts, bound);
      boolean late =
          fault.everythingIsDebited(facts.policy())
              && !course.disturbed()
              && story.admittedSince(course.quietNanos()) > 0;
      boolean beyond = story.admitted() > facts.limit();
      forgotten += note(late && beyond, "a debit forgotten", key, facts, bound);
      // Where a counter was lost the limit is not what its owner goes by.
      long denied = bound.floor() < facts.floor() ? 0 : story.falseDenials(facts.limit());
      falseDenials += denied;
      note(denied > 0, "denied too early", key, facts, bound);
      if (fault.everyCheckIsDecided() && !course.disturbed()) {
        failed += story.byPolicy() + story.unanswered();
        note(story.byPolicy() + story.unanswered() > 0, "failed checks", key, facts, bound);
      }
    }

    private int note(boolean wrong, String what, int key, Case facts, Bound bound) {
      if (wrong && problems.size() < KEPT_PROBLEMS) {
        problems.add(
            "%s: key %d of %s, backup %s: %d admitted, %d to %d allowed: %s"
                .formatted(
                    what,
                    key,
                    facts.story().owner(),
                    facts.story().backup(),
                    facts.story().admitted(),
                    bound.floor(),
                    bound.allowed(),
                    facts.story().told()));
      }
      return wrong ? 1 : 0;
    }

    Outcome outcome(Policy policy) {
      return new Outcome(
          fault.name(),
          fault.title(),
          policy.toString(),
          course.trial(),
          100 * course.window().overAt(course.incident().struckMillis()),
          course.target().victims().stream().sorted().toList(),
          Math.toIntExact(admitted.getCount()),
          admitted.getMin(),
          admitted.getMax(),
          allowed.getMin(),
          allowed.getMax(),
          floor.getMin(),
          floor.getMax(),
          course.disturbed(),
          over,
          under,
          forgotten,
          inFlightMax,
          falseDenials,
          failed,
          byPolicy,
          worstNanos / 1e6,
          millis(course.hiccup()),
          (course.incident().doneNanos() - course.incident().struckNanos()) / 1e6,
          course.asked().firstRight().stream().map(Judge::millis).toList(),
          List.copyOf(problems));
    }
  }

  private static double millis(Duration duration) {
    return duration.toNanos() / 1e6;
  }
}
