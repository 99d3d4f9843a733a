package io.ringfence.engine.message;

import io.ringfence.membership.ViewName;

/**
 * Asks the owner of a client's place for all counters of that client.
 *
 * @param id by which the caller knows the answer again
 * @param view the caller's view
 * @param slot the client's place
 * @param client the client, 1 to 4,096 bytes of UTF-8
 */
public record UsageMessage(long id, ViewName view, int slot, String client)
    implements PeerMessage {}
