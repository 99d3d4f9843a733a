package io.ringfence.config;

/**
 * Where a value was written.
 *
 * @param source a file, or the name of a flag or an environment variable
 * @param line from 1, or 0 where the source has no lines
 */
record Origin(String source, int line) {

  static Origin of(String source) {
    return new Origin(source, 0);
  }

  @Override
  public String toString() {
    return line == 0 ? source : source + ":" + line;
  }
}
