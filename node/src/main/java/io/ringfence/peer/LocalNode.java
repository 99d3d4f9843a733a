package io.ringfence.peer;

import io.ringfence.membership.Introduction;
import io.ringfence.membership.View;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * This process, as it introduces itself.
 *
 * @param facts its identity, addresses and weight; its peer address is the one that {@link
 *     PeerNetwork#bind} returned
 * @param view its view at the moment, or null while it is in none; asked on event loops, so it must
 *     be thread-safe and must not block
 */
public record LocalNode(Introduction facts, Supplier<@Nullable View> view) {

  /** The epoch of the view, 0 without one. */
  long epoch() {
    View now = view.get();
    return now == null ? 0 : now.epoch();
  }
}
