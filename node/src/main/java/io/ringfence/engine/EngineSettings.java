package io.ringfence.engine;

import io.ringfence.membership.MemberId;
import io.ringfence.ring.RingSettings;

/**
 * What an engine is told at its start.
 *
 * @param self who this node is
 * @param ring the ring, the same on every node of a cluster
 * @param forward how long other nodes are waited for
 * @param replication how closely copies follow
 * @param bounds how much is kept
 */
public record EngineSettings(
    MemberId self,
    RingSettings ring,
    ForwardSettings forward,
    ReplicationSettings replication,
    BoundsSettings bounds) {}
