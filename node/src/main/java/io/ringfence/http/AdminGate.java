package io.ringfence.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.ringfence.engine.Clock;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets admin calls in that present the token (RFC 6750, 2.1), and all of them where there is none.
 *
 * <p>What is refused is logged at most once a minute with how many it was since, so that somebody
 * who tries tokens does not fill a disk. What was presented is never logged.
 *
 * <p>Thread-safe.
 */
final class AdminGate {
  static final long LOG_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final Logger log = LoggerFactory.getLogger(AdminGate.class);
  private static final String SCHEME = "Bearer ";

  private final @Nullable AdminToken token;
  private final Clock clock;
  private final AtomicLong untold = new AtomicLong();
  // No refusal before that reading of the clock is logged.
  private final AtomicLong silentUntilNanos;

  AdminGate(@Nullable AdminToken token, Clock clock) {
    this.token = token;
    this.clock = clock;
    this.silentUntilNanos = new AtomicLong(clock.elapsedNanos());
  }

  /**
   * Lets a call pass, or refuses it with 401.
   *
   * @param from whom the connection is with
   */
  void admit(Endpoint endpoint, HttpHeaders headers, SocketAddress from) throws BadInput {
    if (token == null || presents(headers, token)) {
      return;
    }
    untold.incrementAndGet();
    long now = clock.elapsedNanos();
    long silentUntil = silentUntilNanos.get();
    if (now - silentUntil >= 0
        && silentUntilNanos.compareAndSet(silentUntil, now + LOG_INTERVAL_NANOS)) {
      log.warn(
          "{} admin calls without the right token since this was last told; now {} from {}",
          untold.getAndSet(0),
          endpoint.path(),
          from);
    }
    throw BadInput.unauthorized();
  }

  /** The scheme's case does not matter (RFC 9110, 11.1); one header line, or it is nobody's. */
  private static boolean presents(HttpHeaders headers, AdminToken token) {
    List<String> lines = headers.getAll(HttpHeaderNames.AUTHORIZATION);
    if (lines.size() != 1) {
      return false;
    }
    String line = lines.get(0);
    return line.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        && token.matches(line.substring(SCHEME.length()).strip());
  }
}
