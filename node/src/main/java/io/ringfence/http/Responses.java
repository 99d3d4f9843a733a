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
    if (verdict.allowed()) {
      return result(allocator, outcome);
    }
    ByteBuf body = Json.render(allocator, json -> VerdictJson.writeProblem(json, outcome));
    long wallNanos = clock.wallNanos();
    FullHttpResponse response = of(outcome.status(), PROBLEM, body, wallNanos);
    RateHeaders.retryAfter(response.headers(), outcome);
    rateHeaders.budget(response.headers(), outcome, wallNanos);
    return response;
  }

  /** The answer to a peek: 200 whatever it tells, as nothing was asked for. */
  FullHttpResponse peek(ByteBufAllocator allocator, Verdict verdict) {
    return result(allocator, new Outcome(verdict));
  }

  private FullHttpResponse result(ByteBufAllocator allocator, Outcome outcome) {
    ByteBuf body = Json.render(allocator, json -> VerdictJson.writeResult(json, outcome));
    long wallNanos = clock.wallNanos();
    FullHttpResponse response = of(HttpResponseStatus.OK, JSON, body, wallNanos);
    rateHeaders.budget(response.headers(), outcome, wallNanos);
    return response;
  }

  /** A problem without a type of its own: the status says it all, the detail says why. */
  FullHttpResponse problem(ByteBufAllocator allocator, BadInput problem) {
    HttpResponseStatus status = problem.status();
    ByteBuf body =
        Json.render(
            allocator,
            json -> {
              json.writeStartObject();
              json.writeStringField("type", "about:blank");
              json.writeStringField("title", status.reasonPhrase());
              json.writeNumberField("status", status.code());
              json.writeStringField("detail", problem.detail());
              String field = problem.field();
              if (field != null) {
                json.writeStringField("field", field);
              }
              json.writeEndObject();
            });
    return of(status, PROBLEM, body, clock.wallNanos());
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
