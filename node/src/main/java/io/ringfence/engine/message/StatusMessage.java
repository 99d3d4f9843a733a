package io.ringfence.engine.message;

import io.ringfence.membership.ViewStamp;
import org.jspecify.annotations.Nullable;

/**
 * What a member tells the others about itself from time to time.
 *
 * @param view the stamp of its view, or null while it is in none
 * @param rulesVersion the version of its rules
 */
public record StatusMessage(@Nullable ViewStamp view, String rulesVersion) implements PeerMessage {}
