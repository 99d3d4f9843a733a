/**
 * The engine: decide, forward, degrade.
 *
 * <p>Pure of I/O. Time, timers, the network and what is counted are ports ({@link
 * io.ringfence.engine.Clock}, {@link io.ringfence.engine.Timers}, {@link
 * io.ringfence.engine.PeerTransport}, {@link io.ringfence.engine.EngineMetrics}), so the same
 * classes run in production on Netty and in tests as several engines in one thread on a virtual
 * clock. The engine imports no Netty, no Hazelcast, no Micrometer and no SnakeYAML. Adapters talk
 * to it through {@link io.ringfence.engine.Limiter}.
 */
@NullMarked
package io.ringfence.engine;

import org.jspecify.annotations.NullMarked;
