package io.ringfence.embed;

import io.ringfence.engine.Relay;

/**
 * How a node reaches others.
 *
 * @param links the connections themselves
 * @param relay what everything is sent by: over those, and around those that are down
 */
record Ways(Links links, Relay relay) {}
