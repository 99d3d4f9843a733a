/**
 * Where counters live: which slot a counter falls into, which node owns a slot, which node backs it
 * up, and what moves when the set of nodes changes.
 *
 * <p>Everything here is a pure function of its arguments: no I/O, no clock, no randomness, no
 * thread, no dependency. Two nodes that are given the same seed and the same set of nodes compute
 * the same answers, in whatever order the nodes are given and on whatever JVM they run. Membership,
 * the engine and the operator's views of the cluster may call it; it calls nobody.
 */
@NullMarked
package io.ringfence.ring;

import org.jspecify.annotations.NullMarked;
