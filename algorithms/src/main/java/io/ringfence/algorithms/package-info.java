/** Placeholder. */
@NullMarked
package io.ringfence.algorithms;

import org.jspecify.annotations.NullMarked;
