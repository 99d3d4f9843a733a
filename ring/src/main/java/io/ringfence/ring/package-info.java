/** Placeholder. */
@NullMarked
package io.ringfence.ring;

import org.jspecify.annotations.NullMarked;
