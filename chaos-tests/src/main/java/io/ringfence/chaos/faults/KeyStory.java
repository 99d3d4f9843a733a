package io.ringfence.chaos.faults;

import io.ringfence.chaos.faults.Check.Reply;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * All that happened to one key in a trial, told by its clients alone.
 *
 * @param owner before the fault
 * @param backup before the fault
 * @param checks of that key, in any order
 * @param incident the fault
 * @param times of the nodes
 */
record KeyStory(String owner, String backup, List<Check> checks, Incident incident, Timings times) {

  private long count(Predicate<Check> which) {
    return checks.stream().filter(which).count();
  }

  long admitted() {
    return count(Check::admitted);
  }

  long admittedByOwners() {
    return count(check -> check.reply() == Reply.ADMITTED);
  }

  long byPolicy() {
    return count(Check::byPolicy);
  }

  /** The nodes that admitted without an owner. */
  Set<String> admittingByPolicy() {
    return checks.stream()
        .filter(check -> check.reply() == Reply.ADMITTED_BY_POLICY)
        .map(Check::node)
        .collect(Collectors.toSet());
  }

  /** Admitted and answered until then. */
  long admittedUntil(long nanos) {
    return count(check -> check.admitted() && check.receivedNanos() <= nanos);
  }

  /** Admitted of what was sent from then on. */
  long admittedSince(long nanos) {
    return count(check -> check.admitted() && check.sentNanos() >= nanos);
  }

  /** Checks that were never answered. */
  long unanswered() {
    return count(check -> check.reply() == Reply.NONE);
  }

  /** The longest wait for an answer, but for those asked for at the fault's victims. */
  long worstNanos(Target target) {
    return checks.stream()
        .filter(check -> !target.victims().contains(check.node()) || target.askers().isEmpty())
        .mapToLong(Check::tookNanos)
        .max()
        .orElse(0);
  }

  /** Every check in order: milliseconds since the fault, who was asked, what was answered. */
  String told() {
    return checks.stream()
        .sorted(Comparator.comparingLong(Check::sentNanos))
        .map(
            check ->
                "%.0f+%.0f %s %s by %s"
                    .formatted(
                        (check.sentNanos() - incident.struckNanos()) / 1e6,
                        check.tookNanos() / 1e6,
                        check.node(),
                        check.reply(),
                        check.owner()))
        .collect(Collectors.joining("; "));
  }

  /** Admitted by owners before the fault, or while it came. */
  long admittedBefore() {
    return count(
        check -> check.reply() == Reply.ADMITTED && check.sentNanos() <= incident.doneNanos());
  }

  /** Admitted by owners so shortly before the fault that no backup may know. */
  long admittedJustBefore() {
    return admittedWithin(times.lag());
  }

  /** Admitted by owners within that time before the fault, or while it came. */
  long admittedWithin(Duration before) {
    long since = incident.struckNanos() - before.toNanos();
    return count(
        check ->
            check.reply() == Reply.ADMITTED
                && check.receivedNanos() >= since
                && check.sentNanos() <= incident.doneNanos());
  }

  /** Admitted by owners that may have been cut off, and not yet known it. */
  long admittedAroundCut() {
    long since = incident.struckNanos() - times.lag().toNanos();
    long until = incident.doneNanos() + times.lag().plus(times.lease()).toNanos();
    return count(
        check ->
            check.reply() == Reply.ADMITTED
                && check.receivedNanos() >= since
                && check.sentNanos() <= until);
  }

  /** The most that owners admitted within a lease, max_lag and an interval, since the fault. */
  long admittedInBusiestLease() {
    long span = times.lag().plus(times.lease()).toNanos();
    long from = incident.struckNanos() - times.lag().toNanos();
    List<Check> admissions =
        checks.stream()
            .filter(check -> check.reply() == Reply.ADMITTED && check.receivedNanos() >= from)
            .toList();
    return admissions.stream()
        .mapToLong(
            first ->
                admissions.stream()
                    .filter(next -> next.receivedNanos() >= first.receivedNanos())
                    .filter(next -> next.sentNanos() <= first.receivedNanos() + span)
                    .count())
        .max()
        .orElse(0);
  }

  /**
   * How many checks may have been charged although no client was told so: those that were under way
   * when the fault came, those that were never answered, and those that an owner may have answered
   * too late.
   */
  long inFlight() {
    return count(this::mayBeUnknown);
  }

  private boolean mayBeUnknown(Check check) {
    boolean underWay =
        check.sentNanos() <= incident.doneNanos()
            && check.receivedNanos() >= incident.struckNanos();
    return underWay || isLate(check);
  }

  private boolean isLate(Check check) {
    return check.reply() == Reply.NONE || times.waitedOut(check);
  }

  /** Those in flight without the ones that were under way when the fault came and were answered. */
  long late() {
    return count(this::isLate);
  }

  /**
   * Denials by owners at an instant when even with all that may have been charged by then the limit
   * was not used up.
   */
  long falseDenials(long limit) {
    return checks.stream()
        .filter(check -> check.reply() == Reply.DENIED)
        .sorted(Comparator.comparingLong(Check::receivedNanos))
        .filter(denial -> chargedAtMost(denial.receivedNanos()) < limit)
        .count();
  }

  private long chargedAtMost(long nanos) {
    long charged = 0;
    for (Check check : checks) {
      if (check.sentNanos() < nanos) {
        boolean asked = check.admitted() || check.reply() == Reply.NONE;
        // One that was under way may have been charged twice: by who died, and when asked again.
        charged += (asked ? 1 : 0) + (mayBeUnknown(check) ? 1 : 0);
      }
    }
    return charged;
  }
}
