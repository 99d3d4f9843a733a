package io.ringfence.cli;

/** What a command's exit code tells; fixed, as scripts rely on it. */
final class ExitCode {
  /** Yes: allowed, valid, healthy. */
  static final int YES = 0;

  /** No: denied, invalid, in need of attention. */
  static final int NO = 1;

  /** Not known: wrong flags, or nothing that answers as it should. */
  static final int UNKNOWN = 2;

  private ExitCode() {}
}
