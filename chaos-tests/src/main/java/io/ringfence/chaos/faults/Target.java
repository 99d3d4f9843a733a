package io.ringfence.chaos.faults;

import java.util.Set;

/**
 * Whom a fault hits.
 *
 * @param victims the nodes that die, stop, leave or are cut off; both ends of a link
 * @param asked one of them, whose keys are asked for all the while; empty where nobody's are
 * @param askers the nodes at which they are asked for
 */
record Target(Set<String> victims, String asked, Set<String> askers) {

  /** Sets are copied. */
  Target {
    victims = Set.copyOf(victims);
    askers = Set.copyOf(askers);
  }

  /** Nodes whose keys nobody need wait for. */
  static Target calm(Set<String> victims) {
    return new Target(victims, "", Set.of());
  }

  String only() {
    if (victims.size() != 1) {
      throw new IllegalStateException("not one victim: " + victims);
    }
    return victims.iterator().next();
  }
}
