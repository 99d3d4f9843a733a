/**
 * Six rate-limiting algorithms as pure functions on compact state.
 *
 * <p>The package decides and does nothing else: it reads no clock, starts no thread, takes no lock,
 * does no I/O and depends on nothing but the JDK. Time and cost are arguments, state is an object
 * that the caller keeps, and the answer is a value that carries every number a caller needs. That
 * is what lets the same code run under a lock in production, on a virtual clock in a simulator, and
 * against a reference in a test.
 *
 * <p>An {@link io.ringfence.algorithms.Algorithm} is immutable and shared by all counters of one
 * limit. A {@link io.ringfence.algorithms.CounterState} belongs to one counter, is mutable and not
 * thread-safe: the owner holds the counter's lock around every call. A {@link
 * io.ringfence.algorithms.Decision} comes from one state at one instant, so its numbers never
 * contradict each other.
 *
 * <p>Three ideas carry the package. Token bucket, leaking bucket and GCRA are one virtual schedule
 * ({@code VirtualSchedule}): what is stored is when the counter will be full again, exactly. The
 * windows never move back ({@code FixedWindow}, {@code SlidingWindowCounter}): a late stamp is
 * counted where the counter stands. And state has algebra: it can be forced, refunded, moved as
 * numbers, and joined with another copy of itself, where the join denies whatever either copy
 * denies and counts shared history once.
 *
 * <p>There is no floating-point number here. Whatever does not fit is refused when the limit is
 * made, not when it is used.
 *
 * <p>Who may call it: whoever owns counters, that is the engine, and tools and tests that replay
 * traffic. It calls nobody.
 */
@NullMarked
package io.ringfence.algorithms;

import org.jspecify.annotations.NullMarked;
