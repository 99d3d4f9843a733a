package io.ringfence.peer;

import io.netty.channel.group.ChannelGroup;

/**
 * What every connection of a network shares.
 *
 * @param settings the settings
 * @param terms what this process brings to a handshake
 * @param metrics where it counts
 * @param log where it says why a connection failed
 * @param channels every connection from its first moment on, so that all can be closed; once
 *     closed, it closes whatever comes late
 */
record Wiring(
    PeerSettings settings,
    HandshakeTerms terms,
    PeerMetrics metrics,
    RefusalLog log,
    ChannelGroup channels) {}
