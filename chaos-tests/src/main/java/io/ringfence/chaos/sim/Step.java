package io.ringfence.chaos.sim;

/** A step of the protocol that a fault can meet: a message under way, or where a check stands. */
enum Step {
  CHECK_TENTATIVE("CHECK, tentative"),
  CHECK_CHARGE("CHECK, charging"),
  CHECK_PEEK("CHECK, peek"),
  REFUND("CHECK, refund"),
  RESET("CHECK, reset"),
  DEBIT("CHECK, debit"),
  ANSWER("ANSWER"),
  REFUSAL("REFUSAL"),
  CANCEL("CANCEL"),
  LIFT("LIFT"),
  LIFTED("LIFTED"),
  COPY("COPY"),
  COPIED("COPIED"),
  /** The caller waits for the first owner that it asks. */
  FIRST_ROUND("caller in its first round"),
  /** The caller waits for an owner, and others have answered before. */
  LATER_ROUND("caller in a later round"),
  /** The caller has its denial, and a cancel of it is under way. */
  CANCELLING("cancel under way"),
  /** An owner holds the question until it has a lease, or others have learned of a refund. */
  PARKED_AT_OWNER("question parked at the owner");

  private final String text;

  Step(String text) {
    this.text = text;
  }

  /** A few words for people. */
  String text() {
    return text;
  }

  /** Whether it is a message; else it is where a check stands. */
  boolean isMessage() {
    return switch (this) {
      case FIRST_ROUND, LATER_ROUND, CANCELLING, PARKED_AT_OWNER -> false;
      default -> true;
    };
  }
}
