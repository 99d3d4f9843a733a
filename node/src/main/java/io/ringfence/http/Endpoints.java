package io.ringfence.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.ringfence.engine.Check;
import io.ringfence.engine.Placed;
import io.ringfence.engine.VerdictListener;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What each endpoint does. The requests are whole, the answers may come on any thread.
 *
 * <p>Nothing that a client sends is answered with 500; that status is left for what this node
 * cannot explain, which is counted and logged.
 *
 * <p>Thread-safe.
 */
final class Endpoints {
  private final HttpBackend backend;
  private final Responses responses;
  private final CheckReader checks;
  private final ClusterPages pages;
  private final MetricsPages metricsPages;
  private final Defects defects;

  Endpoints(HttpSettings settings, HttpBackend backend) {
    this.backend = backend;
    this.responses = new Responses(backend.clock(), settings.dialects());
    this.checks = new CheckReader(settings.bounds().keyBytes());
    this.pages = new ClusterPages(backend.limiter(), settings.bounds().keyBytes());
    this.metricsPages = new MetricsPages(backend.metricsPage());
    this.defects = new Defects(backend.metrics());
  }

  Defects defects() {
    return defects;
  }

  /** Answers a whole request; the body stays the caller's. */
  void serve(String method, Target target, Exchange exchange, ByteBuf body) {
    try {
      Endpoint endpoint = endpoint(method, target, exchange);
      if (endpoint != null) {
        serve(endpoint, target, exchange, body);
      }
    } catch (BadInput e) {
      if (e.status().equals(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE)) {
        backend.metrics().overflow(HttpBound.FIELD.text());
      }
      refuse(exchange, e);
    } catch (RuntimeException e) {
      defects.met("endpoint", e);
      refuse(exchange, internal());
    }
  }

  private void serve(Endpoint endpoint, Target target, Exchange exchange, ByteBuf body)
      throws BadInput {
    ByteBufAllocator allocator = exchange.channel().alloc();
    switch (endpoint) {
      case CHECK -> {
        Check check = checks.read(body);
        VerdictListener listener =
            verdict -> exchange.answer(() -> responses.check(allocator, verdict));
        backend.limiter().check(check, listener);
      }
      case PEEK -> {
        Check check = checks.read(body);
        VerdictListener listener =
            verdict -> exchange.answer(() -> responses.peek(allocator, verdict));
        backend.limiter().peek(check, listener);
      }
      case OWNER -> {
        Placed placed = pages.place(target.query());
        ok(exchange, json -> ClusterPages.writeOwner(json, placed));
      }
      case CLUSTER -> ok(exchange, pages::writeCluster);
      case LIVE -> ok(exchange, json -> ClusterPages.writeHealth(json, "live", List.of()));
      case READY -> ready(exchange);
      case METRICS -> metrics(exchange);
    }
  }

  /** The endpoint of a request, or null after 404 or 405 has been answered. */
  private @Nullable Endpoint endpoint(String method, Target target, Exchange exchange) {
    Endpoint endpoint = Endpoint.ofPath(target.path());
    if (endpoint == null) {
      refuse(
          exchange,
          BadInput.refused(HttpResponseStatus.NOT_FOUND, "there is nothing at this path"));
      return null;
    }
    if (endpoint.answers(method)) {
      return endpoint;
    }
    String allow = endpoint.allow();
    BadInput why =
        BadInput.refused(
            HttpResponseStatus.METHOD_NOT_ALLOWED, endpoint.path() + " answers " + allow);
    exchange.answer(
        () -> {
          FullHttpResponse response = responses.problem(exchange.channel().alloc(), why);
          response.headers().set(HttpHeaderNames.ALLOW, allow);
          return response;
        });
    return null;
  }

  /** Answers with a problem. */
  void refuse(Exchange exchange, BadInput why) {
    exchange.answer(() -> problem(exchange.channel().alloc(), why));
  }

  /** A problem as a response. */
  FullHttpResponse problem(ByteBufAllocator allocator, BadInput why) {
    return responses.problem(allocator, why);
  }

  /** Builds an answer, or in its place the one for a defect. */
  FullHttpResponse build(ByteBufAllocator allocator, Supplier<FullHttpResponse> builder) {
    try {
      return builder.get();
    } catch (RuntimeException e) {
      defects.met("response", e);
      return responses.problem(allocator, internal());
    }
  }

  private void ok(Exchange exchange, Json.Content content) {
    exchange.answer(
        () -> responses.json(exchange.channel().alloc(), HttpResponseStatus.OK, content));
  }

  private void ready(Exchange exchange) {
    List<String> reasons = List.copyOf(backend.readiness().reasonsAgainst());
    HttpResponseStatus status =
        reasons.isEmpty() ? HttpResponseStatus.OK : HttpResponseStatus.SERVICE_UNAVAILABLE;
    String word = reasons.isEmpty() ? "ready" : "not ready";
    exchange.answer(
        () ->
            responses.json(
                exchange.channel().alloc(),
                status,
                json -> ClusterPages.writeHealth(json, word, reasons)));
  }

  private void metrics(Exchange exchange) {
    boolean queued =
        metricsPages.render(
            page -> exchange.answer(() -> responses.metrics(exchange.channel().alloc(), page)),
            defect -> {
              defects.met("metrics page", defect);
              refuse(exchange, internal());
            });
    if (!queued) {
      backend.metrics().overflow(MetricsPages.BOUND);
      refuse(
          exchange,
          BadInput.refused(
              HttpResponseStatus.SERVICE_UNAVAILABLE, "too many pages of metrics are asked for"));
    }
  }

  private static BadInput internal() {
    return BadInput.refused(
        HttpResponseStatus.INTERNAL_SERVER_ERROR, "the node met a defect; its log tells more");
  }

  /** Stops what the endpoints run on threads of their own. */
  void close() {
    metricsPages.close();
  }
}
