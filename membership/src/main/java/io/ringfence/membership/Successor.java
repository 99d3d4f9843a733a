package io.ringfence.membership;

import java.util.List;

/**
 * What a view says, apart from its number: the value on which the voters agree for the next epoch,
 * while ballots come and go. Two views that say the same differ in nothing that anybody acts by.
 *
 * @param members as in {@link View}
 * @param settled as in {@link View}; never derived from the members, since a view that lists nobody
 *     new may well have slots that are not open yet
 */
record Successor(List<Member> members, boolean settled) {
  Successor {
    members = List.copyOf(members);
  }

  /** What that view says. */
  static Successor of(View view) {
    return new Successor(view.members(), view.settled());
  }

  /** The view that says this, under that name. */
  View as(Lineage lineage, ViewName name) {
    return new View(lineage, name, members, settled);
  }

  /** Whether somebody could act by it: a view needs a voter, and a member of the base. */
  boolean isPossible() {
    return members.stream().anyMatch(m -> m.state().votes())
        && members.stream().anyMatch(Member::inBase);
  }
}
