/**
 * The swarm: whole nodes, engine and keeper, in one thread on virtual time, over a network that a
 * seed makes fail, and a checker that holds every run against the row of the guarantee table that
 * its faults allow.
 *
 * <p>Where {@code chaos.sim} keeps its members as they are and checks single answers to the unit,
 * here the views are the nodes' own, and what is checked is what all nodes together admit. Nothing
 * is shared between two runs, so runs may go on side by side, each in a thread of its own.
 */
@NullMarked
package io.ringfence.chaos.swarm;

import org.jspecify.annotations.NullMarked;
