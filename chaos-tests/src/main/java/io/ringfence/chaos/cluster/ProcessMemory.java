package io.ringfence.chaos.cluster;

/**
 * What the JVM of a node takes.
 *
 * @param liveBytes of all objects on its heap that are still reachable, after a collection
 * @param residentBytes of the whole process in memory
 */
public record ProcessMemory(long liveBytes, long residentBytes) {}
