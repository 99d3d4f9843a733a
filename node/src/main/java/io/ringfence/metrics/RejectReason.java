package io.ringfence.metrics;

/** Why a check was denied, as the tag {@code reason} tells it. */
enum RejectReason {
  /** A limit was spent, and its owner said so. */
  LIMIT("limit"),
  /** A limit was spent, and this node remembered it. */
  DENY_CACHE("deny_cache"),
  /** Nobody could be asked, and the rule refuses rather than guesses. */
  CLOSED("closed"),
  /** The owner had no room for another counter. */
  OVERFLOW("overflow"),
  /** The rule's action is to deny. */
  DENY("deny");

  private final String tag;

  RejectReason(String tag) {
    this.tag = tag;
  }

  String tag() {
    return tag;
  }
}
