package io.ringfence.cli;

/**
 * Ends a command with exit code 2: it could not find out what it was asked for. The message is one
 * line for a person, and says what to look at. No stack trace is kept, as none is shown.
 */
final class CommandFailure extends Exception {
  private static final long serialVersionUID = 1L;

  CommandFailure(String line) {
    super(line, null, false, false);
  }

  String line() {
    return String.valueOf(getMessage());
  }
}
