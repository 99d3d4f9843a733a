package io.ringfence.http;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which calls are served at one address, and to whom.
 *
 * @param name what threads and log lines of that address are called by
 * @param calls what is served; anything else is not there
 * @param token what admin calls must present, or null where whoever reaches the address may
 */
public record Access(String name, Set<CallGroup> calls, @Nullable AdminToken token) {

  /** Copies the groups. */
  public Access {
    Set<CallGroup> copy = EnumSet.noneOf(CallGroup.class);
    copy.addAll(calls);
    calls = Collections.unmodifiableSet(copy);
  }

  /** For callers and monitors alone. */
  public static Access callers() {
    return new Access("http", EnumSet.of(CallGroup.CHECKS, CallGroup.STATUS), null);
  }

  /** For callers, monitors and operators, where no address is set apart for the last. */
  public static Access everybody(@Nullable AdminToken token) {
    return new Access("http", EnumSet.allOf(CallGroup.class), token);
  }

  /** For operators and monitors, at an address of their own. */
  public static Access operators(@Nullable AdminToken token) {
    return new Access("admin", EnumSet.of(CallGroup.ADMIN, CallGroup.STATUS), token);
  }
}
