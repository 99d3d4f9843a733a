package io.ringfence.chaos.faults;

import java.util.List;

/**
 * What one trial came to under one policy; a line of the results' file.
 *
 * @param trial its number, from which with the fault and the run's seed all choices follow
 * @param place how much of the window was over when the fault came, in per cent
 * @param victims whom it hit
 * @param admittedMin of any key
 * @param disturbed whether the machine held up a node that the fault spared until a view set it
 *     AWAY; then the bounds are those of two losses
 * @param over keys of which more was admitted than allowed
 * @param under keys of which less was admitted than the floor
 * @param forgotten keys of which more was admitted once all debits were paid, though what had been
 *     admitted apart had used up the limit
 * @param inFlightMax of a key: checks that may have been charged although their clients do not know
 * @param falseDenials by owners, though the limit cannot have been used up
 * @param failed checks without an answer, and those answered by policy, where none may be
 * @param byPolicy checks answered by the failure policy
 * @param worstMillis the longest wait for an answer, at nodes that the fault spared
 * @param hiccupMillis the worst delay that the machine itself inflicted on any thread meanwhile
 * @param strikeMillis how long the fault took to come about: a process that is killed holds its
 *     connections until the kernel has taken back its memory
 * @param firstRightMillis of every asker, from the beginning of that
 * @param problems the first few, in words
 */
public record Outcome(
    String fault,
    String title,
    String policy,
    int trial,
    double place,
    List<String> victims,
    int keys,
    long admittedMin,
    long admittedMax,
    long allowedMin,
    long allowedMax,
    long floorMin,
    long floorMax,
    boolean disturbed,
    long over,
    long under,
    long forgotten,
    long inFlightMax,
    long falseDenials,
    long failed,
    long byPolicy,
    double worstMillis,
    double hiccupMillis,
    double strikeMillis,
    List<Double> firstRightMillis,
    List<String> problems) {

  /** A trial that came to no end. */
  public static Outcome broken(Fault fault, int trial, String problem) {
    return new Outcome(
        fault.name(),
        fault.title(),
        "came to no end",
        trial,
        0,
        List.of(),
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        false,
        0,
        0,
        0,
        0,
        0,
        1,
        0,
        0,
        0,
        0,
        List.of(),
        List.of(problem));
  }

  /** The first right answers, from when the fault had come about. */
  List<Double> firstRightAfterMillis() {
    return firstRightMillis.stream().map(millis -> millis - strikeMillis).toList();
  }

  /** For whoever watches the run. */
  public String line(long seed) {
    return "%s, trial %d of seed %d, %s: at %.0f %% of the window, victims %s: %d keys, %d to %d"
            .formatted(fault, trial, seed, policy, place, victims, keys, admittedMin, admittedMax)
        + " admitted, %d to %d allowed, floor %d to %d, worst reply %.0f ms, struck in %.0f ms, first right %s%s"
            .formatted(
                allowedMin,
                allowedMax,
                floorMin,
                floorMax,
                worstMillis,
                strikeMillis,
                firstRightMillis.stream().map(Math::round).toList(),
                right() ? "" : ": OFF " + String.join("\n  ", problems));
  }

  /** Whether everything was as it must be. */
  public boolean right() {
    return over == 0 && under == 0 && forgotten == 0 && falseDenials == 0 && failed == 0;
  }
}
