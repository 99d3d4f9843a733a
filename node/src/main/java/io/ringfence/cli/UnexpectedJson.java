package io.ringfence.cli;

/**
 * What was received is no JSON, or not the JSON that was to be expected; the message says where.
 */
final class UnexpectedJson extends Exception {
  private static final long serialVersionUID = 1L;

  UnexpectedJson(String what) {
    super(what, null, false, false);
  }
}
