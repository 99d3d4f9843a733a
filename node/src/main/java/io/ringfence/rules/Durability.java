package io.ringfence.rules;

/** How sure a charge must be to outlive the node that decided it, when that dies of a sudden. */
public enum Durability {
  /** The check is answered at once; a copy follows within milliseconds. */
  ASYNC,
  /** The check is answered once a copy is made. */
  SYNC,
  /** No copy is kept. (A node that leaves in good order hands the counter over all the same.) */
  NONE
}
