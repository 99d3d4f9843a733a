package io.ringfence.http;

import io.ringfence.engine.BoundsSettings;
import io.ringfence.membership.Address;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * What an {@link HttpServer} is told.
 *
 * @param listen where to listen; port 0 means any free port
 * @param bounds the longest key, body and bulk call
 * @param limits what callers may hold
 * @param dialects the rate headers to send; none is allowed
 * @param access which calls are served there, and to whom
 */
public record HttpSettings(
    Address listen,
    BoundsSettings bounds,
    HttpLimits limits,
    Set<Dialect> dialects,
    Access access) {

  /** Copies the dialects. */
  public HttpSettings {
    Set<Dialect> copy = EnumSet.noneOf(Dialect.class);
    copy.addAll(dialects);
    dialects = Collections.unmodifiableSet(copy);
  }

  /** The defaults: both dialects, every bound at its default, and no admin calls. */
  public static HttpSettings of(Address listen) {
    return new HttpSettings(
        listen,
        BoundsSettings.DEFAULT,
        HttpLimits.DEFAULT,
        EnumSet.allOf(Dialect.class),
        Access.callers());
  }
}
