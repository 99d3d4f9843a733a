/**
 * Who is in the cluster, in which state, under which numbered view, and until when a node may
 * decide by it.
 *
 * <p>Three things live here: the value types that every node agrees on ({@link
 * io.ringfence.membership.View} and what it is made of), the port through which other processes are
 * introduced ({@link io.ringfence.membership.Introductions}), and the state machine by which
 * members agree on views and hold leases ({@code ViewKeeper}, {@code Lease}). All of it is free of
 * I/O, threads and clocks: time is an argument, and what has to be sent goes out through {@link
 * io.ringfence.membership.ViewActions}.
 *
 * <p>The engine and the peer protocol may call this package. It calls nobody. Discovery lives in
 * {@code io.ringfence.membership.hazelcast}, which only the composition root may name.
 */
@NullMarked
package io.ringfence.membership;

import org.jspecify.annotations.NullMarked;
