/**
 * The simulator: several engines in one thread on a virtual clock, over a network that a seed makes
 * fail, and a checker that holds every run against what its faults allow.
 *
 * <p>This package sees the engine through its ports and its public calls alone, as the embedding
 * node does. Called by the command line and by the tests of this module. Nothing here is shared
 * between two runs, so runs may go on side by side, each in a thread of its own.
 */
@NullMarked
package io.ringfence.chaos.sim;

import org.jspecify.annotations.NullMarked;
