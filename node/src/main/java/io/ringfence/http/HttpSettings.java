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
 * @param bounds the longest key and body
 * @param limits what callers may hold
 * @param dialects the rate headers to send; none is allowed
 */
public record HttpSettings(
    Address listen, BoundsSettings bounds, HttpLimits limits, Set<Dialect> dialects) {

  /** Copies the dialects. */
  public HttpSettings {
    Set<Dialect> copy = EnumSet.noneOf(Dialect.class);
    copy.addAll(dialects);
    dialects = Collections.unmodifiableSet(copy);
  }

  /** The defaults: both dialects, and every bound at its default. */
  public static HttpSettings of(Address listen) {
    return new HttpSettings(
        listen, BoundsSettings.DEFAULT, HttpLimits.DEFAULT, EnumSet.allOf(Dialect.class));
  }
}
