package io.ringfence.algorithms;

import org.jspecify.annotations.Nullable;

/**
 * What the three windowed algorithms share: their parameters, the grid of windows aligned to the
 * origin of the timeline, and the conversations with a caller that go wrong.
 *
 * <p>The window that contains t is [start, start + W) with start a multiple of W. Instants before
 * the origin have windows too.
 */
abstract class Window {
  final Parameters parameters;
  final long limit;
  final long windowNanos;

  Window(Parameters parameters) {
    this.parameters = parameters;
    this.limit = parameters.limit();
    this.windowNanos = parameters.windowNanos();
  }

  public final Kind kind() {
    return parameters.kind();
  }

  public final long limit() {
    return limit;
  }

  public final long windowNanos() {
    return windowNanos;
  }

  public final long burst() {
    return 0;
  }

  public final long capacity() {
    return limit;
  }

  /**
   * The end of the aligned window that contains that instant; that end belongs to the next window.
   */
  final long endOfWindow(long nanos) {
    return nanos - Math.floorMod(nanos, windowNanos) + windowNanos;
  }

  final IllegalArgumentException foreignState() {
    return new IllegalArgumentException("a " + parameters + " was given another algorithm's state");
  }

  static void requireWords(boolean hold, String what) {
    if (!hold) {
      throw new IllegalArgumentException("words of a counter are malformed: " + what);
    }
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return other instanceof Window that && parameters.equals(that.parameters);
  }

  @Override
  public final int hashCode() {
    return parameters.hashCode();
  }

  @Override
  public final String toString() {
    return parameters.toString();
  }
}
