/**
 * Discovery through an embedded Hazelcast member: the only code of the product that names
 * Hazelcast.
 *
 * <p>It introduces processes to each other and notices lost ones, and decides nothing. Nothing is
 * kept in its maps, and nobody is believed because it is a member there. Only the composition root
 * may call this package; the rest of the product sees {@link
 * io.ringfence.membership.Introductions}.
 */
@NullMarked
package io.ringfence.membership.hazelcast;

import org.jspecify.annotations.NullMarked;
