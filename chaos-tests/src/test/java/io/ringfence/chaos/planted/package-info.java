/** Faults that are put into the engine on purpose, to see that the simulators find them. */
@NullMarked
package io.ringfence.chaos.planted;

import org.jspecify.annotations.NullMarked;
