package io.ringfence.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.ringfence.engine.Check;
import io.ringfence.engine.Limiter;
import io.ringfence.engine.Placed;
import io.ringfence.engine.Verdict;
import io.ringfence.engine.VerdictListener;
import io.ringfence.http.ConfiguredRules.ConfiguredRule;
import java.net.SocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Supplier;

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
  private final Router router;
  private final Responses responses;
  private final CheckReader checks;
  private final ChecksReader bulk;
  private final int keyBytes;
  private final ClusterPages pages;
  private final MetricsPages metricsPages;
  private final Defects defects;

  Endpoints(HttpSettings settings, HttpBackend backend) {
    this.backend = backend;
    this.router = new Router(settings.access(), backend.clock());
    this.responses = new Responses(backend.clock(), settings.dialects());
    this.keyBytes = settings.bounds().keyBytes();
    this.checks = new CheckReader(keyBytes);
    this.bulk = new ChecksReader(checks, settings.bounds().batch());
    this.pages = new ClusterPages(backend.limiter(), backend.facts().view(), keyBytes);
    this.metricsPages =
        new MetricsPages(
            backend.facts().metricsPage(), "ringfence-" + settings.access().name() + "-metrics");
    this.defects = new Defects(backend.metrics());
  }

  Defects defects() {
    return defects;
  }

  /** What a request asks for; see {@link Router#route}. */
  Call route(HttpRequest head, SocketAddress from) throws BadInput {
    return router.route(head, from);
  }

  /** Answers a whole request; the body stays the caller's. */
  void serve(Call call, Exchange exchange, ByteBuf body) {
    try {
      answer(call, exchange, body);
    } catch (BadInput e) {
      turnAway(exchange, e);
    } catch (RuntimeException e) {
      defects.met("endpoint", e);
      refuse(exchange, internal());
    }
  }

  /** Answers with a problem, and counts the bound that it met, if any. */
  void turnAway(Exchange exchange, BadInput why) {
    count(why);
    refuse(exchange, why);
  }

  private void count(BadInput refused) {
    HttpBound bound = refused.bound();
    if (bound != null) {
      backend.metrics().overflow(bound.text());
    }
  }

  private void answer(Call call, Exchange exchange, ByteBuf body) throws BadInput {
    Limiter limiter = backend.limiter();
    switch (call.endpoint()) {
      case CHECK -> limiter.check(checks.read(body), told(exchange, responses::check));
      case CHECKS -> bulk(exchange, body);
      case PEEK -> limiter.peek(checks.read(body), told(exchange, responses::peek));
      case REFUND -> limiter.refund(checks.read(body), told(exchange, responses::refund));
      case RESET -> limiter.reset(checks.read(body), told(exchange, responses::reset));
      case DEBIT -> limiter.debit(checks.read(body), told(exchange, responses::debit));
      case USAGE -> usage(exchange, call);
      case LIMITS -> limits(exchange);
      case TIER -> tier(exchange, call);
      case OWNER -> {
        Placed placed = pages.place(call.target().query());
        ok(exchange, json -> ClusterPages.writeOwner(json, placed));
      }
      case CLUSTER -> ok(exchange, pages::writeCluster);
      case PROMOTE -> promote(exchange);
      case DRAIN -> drain(exchange);
      case MEMBER -> weigh(exchange, call.variable("name"), WeightReader.read(body));
      case LIVE -> ok(exchange, json -> ClusterPages.writeHealth(json, "live", List.of()));
      case READY -> ready(exchange);
      case METRICS -> metrics(exchange);
    }
  }

  private static VerdictListener told(
      Exchange exchange, BiFunction<ByteBufAllocator, Verdict, FullHttpResponse> response) {
    return verdict -> exchange.answer(() -> response.apply(exchange.channel().alloc(), verdict));
  }

  private void bulk(Exchange exchange, ByteBuf body) throws BadInput {
    List<ChecksReader.Item> items = bulk.read(body);
    items.stream().map(ChecksReader.Item::error).filter(Objects::nonNull).forEach(this::count);
    List<Check> asked =
        items.stream().map(ChecksReader.Item::check).filter(Objects::nonNull).toList();
    backend
        .limiter()
        .checkAll(asked, verdicts -> ok(exchange, json -> BulkJson.write(json, items, verdicts)));
  }

  private void usage(Exchange exchange, Call call) throws BadInput {
    String client = CheckFields.client("client", call.variable("client"), keyBytes);
    backend
        .limiter()
        .usage(client, usage -> ok(exchange, json -> UsageJson.write(json, client, usage)));
  }

  private void promote(Exchange exchange) {
    backend
        .facts()
        .cluster()
        .promote(
            refusal -> {
              if (refusal == null) {
                ok(exchange, pages::writeCluster);
              } else {
                refuse(
                    exchange,
                    BadInput.refused(
                        HttpResponseStatus.CONFLICT, "this node is not promoted: " + refusal));
              }
            });
  }

  private void drain(Exchange exchange) {
    backend
        .facts()
        .cluster()
        .drain(
            refusal -> {
              if (refusal != null) {
                refuse(
                    exchange,
                    BadInput.refused(
                        HttpResponseStatus.CONFLICT, "this node is not drained: " + refusal));
              } else if (backend.facts().view().get().drain() == DrainState.DRAINED) {
                ok(exchange, pages::writeCluster);
              } else {
                answer(exchange, HttpResponseStatus.ACCEPTED, pages::writeCluster);
              }
            });
  }

  private void weigh(Exchange exchange, String member, int weight) {
    backend
        .facts()
        .cluster()
        .weigh(member, weight, outcome -> weighed(exchange, member, weight, outcome));
  }

  private void weighed(Exchange exchange, String member, int weight, Weighing outcome) {
    if (outcome instanceof Weighing.Agreed) {
      ok(exchange, json -> ClusterPages.writeWeight(json, member, weight, outcome));
    } else if (outcome instanceof Weighing.Waiting) {
      answer(
          exchange,
          HttpResponseStatus.ACCEPTED,
          json -> ClusterPages.writeWeight(json, member, weight, outcome));
    } else if (outcome instanceof Weighing.Unknown unknown) {
      String detail = "no member has that name; they are " + String.join(", ", unknown.members());
      refuse(exchange, BadInput.refused(HttpResponseStatus.NOT_FOUND, detail));
    } else if (outcome instanceof Weighing.Refused refused) {
      refuse(exchange, BadInput.refused(HttpResponseStatus.CONFLICT, refused.reason()));
    } else if (outcome instanceof Weighing.Unavailable unavailable) {
      refuse(
          exchange, BadInput.refused(HttpResponseStatus.SERVICE_UNAVAILABLE, unavailable.reason()));
    }
  }

  private void limits(Exchange exchange) throws BadInput {
    ConfiguredRules rules = backend.facts().rules().get();
    if (!LimitsPages.fits(rules)) {
      throw LimitsPages.tooMuch();
    }
    ok(exchange, json -> LimitsPages.writeAll(json, rules));
  }

  private void tier(Exchange exchange, Call call) throws BadInput {
    ConfiguredRules rules = backend.facts().rules().get();
    String tier = call.variable("tier");
    List<ConfiguredRule> named = LimitsPages.of(rules, tier);
    ok(exchange, json -> LimitsPages.writeTier(json, rules.version(), tier, named));
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
    answer(exchange, HttpResponseStatus.OK, content);
  }

  private void answer(Exchange exchange, HttpResponseStatus status, Json.Content content) {
    exchange.answer(() -> responses.json(exchange.channel().alloc(), status, content));
  }

  private void ready(Exchange exchange) {
    List<String> reasons = List.copyOf(backend.facts().readiness().reasonsAgainst());
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
