package io.ringfence.chaos.sim;

/** What must hold in every run; a finding names the one that broke. */
enum Invariant {
  /** Every call is answered, and once. */
  ANSWERED_ONCE,
  /** The answer comes within the deadline, and where its node was stopped then, when it goes on. */
  ANSWERED_IN_TIME,
  /** An owner admits nothing that one counter would not. */
  NEVER_OVER,
  /** An owner denies nothing that one counter would admit. */
  NEVER_FALSELY_DENIED,
  /** Remaining units and waits are those of one counter. */
  TRUE_NUMBERS,
  /** A request that has a name is answered by an owner as it was the first time, and done once. */
  REPEATED_ALIKE,
  /** Nobody decides for a counter that is not placed with it. */
  ONLY_OWNERS_DECIDE,
  /** A node without a lease decides nothing, and asks nobody. */
  FENCED,
  /** What an owner's counter holds is what was charged, less what was taken back. */
  TRUE_AMOUNTS,
  /** What an owner admitted is charged to its counter, and stays charged. */
  ADMITTED_IS_CHARGED,
  /** A denied check leaves nothing charged, but where its cancel could not arrive in time. */
  DENIED_CHARGES_NOTHING,
  /** What waited for a lease goes on as soon as the lease is there. */
  PARKED_GOES_ON,
  /** A verdict follows from its limits: allowed exactly when no limit in force denies. */
  ONE_VERDICT,
  /** An answer that came in time is the one that is given. */
  DELIVERED_IS_KEPT,
  /** What is admitted without the owner stays within the local share; closed admits nothing. */
  POLICY_HOLDS,
  /** Without a fault no failure policy answers. */
  CALM_IS_EXACT,
  /** Whoever decides has known its counters all along, and says so. */
  HONEST_CERTAINTY,
  /** A member that does not answer is not asked again and again. */
  BREAKER_SPARES,
  /** Afterwards nothing is parked, nothing under way, no timer left but the two of the engine. */
  QUIET_AFTERWARDS,
  /** The copy of a counter says what the counter says. */
  COPIES_AGREE,
  /** The cluster serves exactly again once the faults are over. */
  RECOVERS,
  /** Nothing is thrown, no defect is counted. */
  NO_DEFECT
}
