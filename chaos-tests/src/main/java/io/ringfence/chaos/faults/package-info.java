/**
 * One fault after another done to real processes while clients send a load that is counted on their
 * side, and what came of it held against the row of the guarantees that the fault allows. A trial
 * is one fault; its outcome is a line of a file; the table is made of the file. Used by the command
 * {@code faults} and by the tests, which run a few small trials.
 */
@NullMarked
package io.ringfence.chaos.faults;

import org.jspecify.annotations.NullMarked;
