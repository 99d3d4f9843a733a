package io.ringfence.chaos.faults;

import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * A row of the table: one fault under one policy, over all its trials.
 *
 * @param outcomes at least one, all of the same fault and policy
 */
public record Row(List<Outcome> outcomes) {
  /** The heads of the columns. */
  public static final List<String> HEADS =
      List.of(
          "fault",
          "durability, on_state_lost, on_unavailable, on_partition",
          "trials (disturbed)",
          "keys",
          "admitted",
          "allowed",
          "floor",
          "in flight",
          "keys off",
          "false denials",
          "failed",
          "by policy",
          "worst reply ms",
          "machine's worst delay ms",
          "first right answer ms from the fault's beginning: p50, p99",
          "from its end: p50, p99");

  /** What stands in them. */
  public List<String> cells() {
    Outcome first = outcomes.get(0);
    return List.of(
        first.title(),
        first.policy(),
        outcomes.size() + disturbed(),
        "%,d".formatted(sum(Outcome::keys)),
        range(min(Outcome::admittedMin), max(Outcome::admittedMax)),
        range(min(Outcome::allowedMin), max(Outcome::allowedMax)),
        range(min(Outcome::floorMin), max(Outcome::floorMax)),
        "" + max(Outcome::inFlightMax),
        "" + (sum(Outcome::over) + sum(Outcome::under) + sum(Outcome::forgotten)),
        "" + sum(Outcome::falseDenials),
        "" + sum(Outcome::failed),
        "%,d".formatted(sum(Outcome::byPolicy)),
        "%.0f".formatted(worst(Outcome::worstMillis)),
        "%.0f".formatted(worst(Outcome::hiccupMillis)),
        ranks(Outcome::firstRightMillis),
        ranks(Outcome::firstRightAfterMillis));
  }

  private String ranks(Function<Outcome, List<Double>> figures) {
    List<Double> sorted =
        outcomes.stream().flatMap(outcome -> figures.apply(outcome).stream()).sorted().toList();
    return sorted.isEmpty() ? "" : "%.0f, %.0f".formatted(rank(sorted, 0.5), rank(sorted, 0.99));
  }

  private String disturbed() {
    long count = outcomes.stream().filter(Outcome::disturbed).count();
    return count == 0 ? "" : " (" + count + ")";
  }

  private long sum(ToLongFunction<Outcome> figure) {
    return outcomes.stream().mapToLong(figure).sum();
  }

  private long min(ToLongFunction<Outcome> figure) {
    return outcomes.stream().mapToLong(figure).min().orElse(0);
  }

  private long max(ToLongFunction<Outcome> figure) {
    return outcomes.stream().mapToLong(figure).max().orElse(0);
  }

  private double worst(ToDoubleFunction<Outcome> figure) {
    return outcomes.stream().map(figure::applyAsDouble).max(Comparator.naturalOrder()).orElse(0.0);
  }

  private static String range(long least, long most) {
    return least == most ? "" + least : least + " to " + most;
  }

  /** The smallest value that so large a part of all does not exceed. */
  private static double rank(List<Double> sorted, double part) {
    int index = (int) Math.ceil(part * sorted.size()) - 1;
    return sorted.get(Math.max(0, index));
  }
}
