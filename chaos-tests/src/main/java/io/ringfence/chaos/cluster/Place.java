package io.ringfence.chaos.cluster;

/**
 * Where a counter is.
 *
 * @param owner the node that decides
 * @param backup the node that would if the owner died
 */
public record Place(String owner, String backup) {}
