/**
 * The commands that run the full form of what the tests show in small: exactness over three
 * processes, two limits of two owners, a kill under load, owners that hang, a flood of keys, and
 * the time to start. Each prints Markdown. Called from the command line; the tests use the
 * scenarios.
 */
@NullMarked
package io.ringfence.chaos;

import org.jspecify.annotations.NullMarked;
