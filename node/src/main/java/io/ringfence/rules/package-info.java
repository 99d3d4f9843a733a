/**
 * Compiled rules and the matching of a request against them.
 *
 * <p>Pure: no I/O, no clock, no threads. {@code config} builds a {@link io.ringfence.rules.RuleSet}
 * from a file, {@code engine} asks it which limits a request must pass, and {@code http} reads from
 * it how a verdict is to be worded. Everything here is immutable and may be shared by any number of
 * threads.
 */
@NullMarked
package io.ringfence.rules;

import org.jspecify.annotations.NullMarked;
