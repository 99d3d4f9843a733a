package io.ringfence.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import io.ringfence.engine.Clock;
import io.ringfence.engine.Verdict;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Builds responses. The body is rendered into a buffer of the connection's allocator, which the
 * response owns.
 *
 * <p>Every response says {@code no-store}: what was left a moment ago is nobody's answer now.
 * Header values are constants and numbers, so they are not validated again.
 *
 * <p>Thread-safe.
 */
final class Responses {
  /** The body of what went well. */
  static final AsciiString JSON = AsciiString.cached("application/json");

  /** The body of what did not (RFC 9457). */
  static final AsciiString PROBLEM = AsciiString.cached("application/problem+json");

  /** Prometheus' text format. */
  static final AsciiString PROMETHEUS =
      AsciiString.cached("text/plain; version=0.0.4; charset=utf-8");

  private static final AsciiString NO_STORE = AsciiString.cached("no-store");
  private static final HttpHeadersFactory HEADERS =
      DefaultHttpHeadersFactory.headersFactory().withValidation(false);

  private final Clock clock;
  private final RateHeaders rateHeaders;
  private final DateHeader date = new DateHeader();

  Responses(Clock clock, Set<Dialect> dialects) {
    this.clock = clock;
    this.rateHeaders = new RateHeaders(dialects);
  }

  /** The answer to a check: 200, or a denial with its own status. */
  FullHttpResponse check(ByteBufAllocator allocator, Verdict verdict) {
    Outcome outcome = new Outcome(verdict);
    return verdict(allocator, outcome, Refusal.ofCheck(outcome));
  }

  /** The answer to a peek: 200 whatever it tells, as nothing was asked for. */
  FullHttpResponse peek(ByteBufAllocator allocator, Verdict verdict) {
    return verdict(allocator, new Outcome(verdict), null);
  }

  /** The answer to a refund. */
  FullHttpResponse refund(ByteBufAllocator allocator, Verdict verdict) {
    Outcome outcome = new Outcome(verdict);
    return verdict(allocator, outcome, Refusal.ofRefund(outcome));
  }

  /** The answer to a reset. */
  FullHttpResponse reset(ByteBufAllocator allocator, Verdict verdict) {
    Outcome outcome = new Outcome(verdict);
    return verdict(allocator, outcome, Refusal.ofReset(outcome));
  }

  /** The answer to a debit. */
  FullHttpResponse debit(ByteBufAllocator allocator, Verdict verdict) {
    Outcome outcome = new Outcome(verdict);
    return verdict(allocator, outcome, Refusal.ofDebit(outcome));
  }

  private FullHttpResponse verdict(
      ByteBufAllocator allocator, Outcome outcome, @Nullable Refusal refusal) {
    ByteBuf body = Json.render(allocator, json -> VerdictJson.write(json, outcome, refusal));
    long wallNanos = clock.wallNanos();
    FullHttpResponse response =
        refusal == null
            ? of(HttpResponseStatus.OK, JSON, body, wallNanos)
            : of(refusal.status(), PROBLEM, body, wallNanos);
    if (refusal != null) {
      RateHeaders.retryAfter(response.headers(), refusal);
    }
    rateHeaders.budget(response.headers(), outcome, wallNanos);
    return response;
  }

  /** A problem without a type of its own. */
  FullHttpResponse problem(ByteBufAllocator allocator, BadInput problem) {
    ByteBuf body = Json.render(allocator, json -> ProblemJson.write(json, problem));
    FullHttpResponse response = of(problem.status(), PROBLEM, body, clock.wallNanos());
    problem.addTo(response.headers());
    return response;
  }

  /** Any other JSON. */
  FullHttpResponse json(
      ByteBufAllocator allocator, HttpResponseStatus status, Json.Content content) {
    return of(status, JSON, Json.render(allocator, content), clock.wallNanos());
  }

  /** The page of metrics. */
  FullHttpResponse metrics(ByteBufAllocator allocator, String page) {
    ByteBuf body = ByteBufUtil.writeUtf8(allocator, page);
    return of(HttpResponseStatus.OK, PROMETHEUS, body, clock.wallNanos());
  }

  private FullHttpResponse of(
      HttpResponseStatus status, AsciiString contentType, ByteBuf body, long wallNanos) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body, HEADERS, HEADERS);
    HttpHeaders headers = response.headers();
    headers.set(HttpHeaderNames.DATE, date.at(wallNanos));
    headers.set(HttpHeaderNames.CONTENT_TYPE, contentType);
    headers.set(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(body.readableBytes()));
    headers.set(HttpHeaderNames.CACHE_CONTROL, NO_STORE);
    return response;
  }
}
