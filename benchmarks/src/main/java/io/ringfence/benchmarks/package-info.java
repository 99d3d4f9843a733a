/**
 * Measures where the product stands: JMH for what happens inside a process, drivers for what
 * crosses a connection. Nothing depends on this package. Figures and conditions are in
 * docs/benchmarks.md.
 */
@NullMarked
package io.ringfence.benchmarks;

import org.jspecify.annotations.NullMarked;
