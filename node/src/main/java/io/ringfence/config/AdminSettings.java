package io.ringfence.config;

import io.ringfence.membership.Address;
import org.jspecify.annotations.Nullable;

/**
 * Who may make admin calls, and where.
 *
 * <p>Without an address of their own they are served on the HTTP address if only this machine
 * reaches that, and else not at all. An address that others reach needs a token.
 *
 * @param listen where they are served alone; port 0 for any free one. Null for no such address
 * @param token what they must present, or null where whoever reaches the address may make them
 */
public record AdminSettings(@Nullable Address listen, @Nullable AdminToken token) {

  /** No address, no token. */
  public static final AdminSettings DEFAULT = new AdminSettings(null, null);

  /** Validates that what others reach has a token. */
  public AdminSettings {
    if (listen != null && token == null && !listen.isLoopback()) {
      throw new IllegalArgumentException(
          "listen.admin "
              + listen
              + " is not a loopback address, and there is no token: give one by"
              + " --admin-token-file or auth.admin_token_file, or listen on 127.0.0.1");
    }
  }
}
