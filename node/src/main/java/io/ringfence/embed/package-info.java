/**
 * The public in-process API, and the place where a node is put together.
 *
 * <p>Here, and only here, the engine meets its adapters: the clock, the timers, the peer network,
 * Hazelcast, HTTP and the metrics. {@link io.ringfence.embed.RingfenceNode} starts a node in any
 * JVM; there is no static state, so several may run side by side.
 */
@NullMarked
package io.ringfence.embed;

import org.jspecify.annotations.NullMarked;
