package io.ringfence.engine;

/**
 * How the slots of a node stand.
 *
 * @param open for how many it decides
 * @param awaited how many it owns, that are open nowhere as far as it knows
 * @param leaving how many it is to pass on and has not yet
 * @param unprotected for how many it decides without a full copy elsewhere
 * @param copies how many counters it holds as copies
 */
public record SlotCounts(int open, int awaited, int leaving, int unprotected, long copies) {}
