package io.ringfence.chaos.swarm;

import io.ringfence.membership.ViewStamp;
import org.jspecify.annotations.Nullable;

/**
 * A process that ceased to decide without having handed its slots over.
 *
 * @param node which
 * @param fromNanos when it was struck
 * @param untilNanos until when it may have decided: the same for one that was killed
 * @param refilledNanos when every slot had an owner and a full backup again
 * @param departure the view by which the others go on; null where nobody was left to make one
 * @param alone whether it had no backup when it was struck
 */
record Loss(
    Node node,
    long fromNanos,
    long untilNanos,
    long refilledNanos,
    @Nullable ViewStamp departure,
    boolean alone) {}
