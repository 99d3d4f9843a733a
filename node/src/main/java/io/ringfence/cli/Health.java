package io.ringfence.cli;

/**
 * What a member answered when it was asked whether it is ready.
 *
 * @param state in one word
 * @param text for a person, with the reasons
 */
record Health(State state, String text) {

  /** The kinds of answers. */
  enum State {
    /** It takes checks. */
    READY,
    /** It answered that it does not, did not answer, or answered like something else. */
    NOT_READY,
    /** It was not asked, as its address means another machine when it is read from here. */
    NOT_ASKED
  }
}
