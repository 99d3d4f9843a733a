package io.ringfence.http;

import java.util.List;

/** What came of giving a member another weight. */
public sealed interface Weighing {
  /**
   * The view of that epoch, or an earlier one, lists it so: slots are where the weight has them, or
   * move there.
   *
   * @param epoch at least 1
   */
  record Agreed(long epoch) implements Weighing {}

  /** The member has taken it; the next planned change of the view will list it so. */
  record Waiting() implements Weighing {}

  /**
   * No member has that name.
   *
   * @param members the names that the view lists, by seniority
   */
  record Unknown(List<String> members) implements Weighing {
    /** Copies the names. */
    public Unknown {
      members = List.copyOf(members);
    }
  }

  /**
   * It makes no sense as the view stands.
   *
   * @param reason a sentence, for people
   */
  record Refused(String reason) implements Weighing {}

  /**
   * It cannot be done now, or is not known to be done; asking again may help, and does no harm.
   *
   * @param reason a sentence, for people
   */
  record Unavailable(String reason) implements Weighing {}
}
