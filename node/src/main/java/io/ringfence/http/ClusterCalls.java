package io.ringfence.http;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What operators have a node do in its cluster. Thread-safe, must not block; what came of it is
 * told on a thread of the node's, which must not be blocked either.
 */
public interface ClusterCalls {
  /**
   * Has the node go on by itself that is cut off from a quorum.
   *
   * @param told once it is done, with null; or with why not, a sentence that begins with "it", for
   *     people
   */
  void promote(Consumer<@Nullable String> told);

  /**
   * Has the node hand over all its slots, leave its view, and go on serving without owning any.
   *
   * @param told once it has begun, with null, or if it has been done before; or with why not, a
   *     sentence, for people
   */
  void drain(Consumer<@Nullable String> told);

  /**
   * Gives a member of the view another weight.
   *
   * @param member its name, whatever text a caller gave
   * @param weight 1 to 100
   * @param told what came of it, within some seconds
   */
  void weigh(String member, int weight, Consumer<Weighing> told);
}
