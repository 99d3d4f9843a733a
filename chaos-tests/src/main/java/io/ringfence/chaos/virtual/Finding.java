package io.ringfence.chaos.virtual;

/**
 * An invariant that broke.
 *
 * @param invariant which, of those of its simulator
 * @param atNanos virtual time
 * @param what happened, in a line
 */
public record Finding(Enum<?> invariant, long atNanos, String what) {
  @Override
  public String toString() {
    return "%s at %.3f ms: %s".formatted(invariant, atNanos / 1e6, what);
  }
}
