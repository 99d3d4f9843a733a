package io.ringfence.http;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Has a node go on by itself that is cut off from a quorum. Thread-safe, must not block. */
public interface Promotion {
  /**
   * Does it, or not.
   *
   * @param told once it is done, with null; or with why not, a sentence that begins with "it", for
   *     people
   */
  void promote(Consumer<@Nullable String> told);
}
