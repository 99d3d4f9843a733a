/**
 * What a node keeps in its data directory: that it was in a cluster before, and counters of long
 * windows. Only the composition root calls this.
 */
@NullMarked
package io.ringfence.disk;

import org.jspecify.annotations.NullMarked;
