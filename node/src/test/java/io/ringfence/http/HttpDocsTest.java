package io.ringfence.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.engine.BoundsSettings;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.Check;
import io.ringfence.engine.ClusterStatus;
import io.ringfence.engine.Placed;
import io.ringfence.engine.SlotCounts;
import io.ringfence.engine.Usage;
import io.ringfence.engine.Verdict;
import io.ringfence.http.ConfiguredRules.ConfiguredRule;
import io.ringfence.membership.Address;
import io.ringfence.membership.Lineage;
import io.ringfence.membership.Member;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.MemberState;
import io.ringfence.membership.View;
import io.ringfence.membership.ViewName;
import io.ringfence.rules.Rule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/http.md says is what the code does. */
class HttpDocsTest {
  private static final String TOKEN = "an-admin-token-of-a-test";
  private static final Pattern TABLED_ENDPOINT =
      Pattern.compile("\\| `(POST|PUT|GET) (/[^`]*)` \\|");

  private final String docs = read();

  private static String read() {
    try {
      return Files.readString(Path.of("..", "docs", "http.md"));
    } catch (IOException e) {
      throw new AssertionError("docs/http.md cannot be read", e);
    }
  }

  private void says(String words) {
    assertTrue(docs.contains(words), "docs/http.md does not say: " + words);
  }

  @Test
  void everyEndpointIsListed() {
    List<String> listed = new ArrayList<>();
    Matcher row = TABLED_ENDPOINT.matcher(docs);
    while (row.find()) {
      listed.add(row.group(1) + " " + row.group(2));
    }
    List<String> served =
        Arrays.stream(Endpoint.values())
            .map(each -> each.allow().replace(", HEAD", "") + " " + each.path())
            .toList();
    assertEquals(served, listed);
  }

  @Test
  void theBoundsAreThoseInForce() {
    HttpLimits limits = HttpLimits.DEFAULT;
    says("| connections | " + String.format(Locale.ROOT, "%,d", limits.connections()) + " |");
    says("| requests in progress on one connection | " + limits.pipelined() + " |");
    says(
        "| answers of one connection that nobody reads | " + kib(HttpConnection.MAX_WAITING_BYTES));
    says("read of at most " + kib(HttpConnection.READ_BYTES));
    says("| request line | " + kib(RequestDecoder.MAX_REQUEST_LINE_BYTES) + " |");
    says("| header | " + kib(RequestDecoder.MAX_HEADER_BYTES) + " |");
    says("| body | " + kib(BoundsSettings.DEFAULT.bodyBytes()));
    says("1 to " + BoundsSettings.DEFAULT.keyBytes() + " bytes of UTF-8");
    says("arrive whole | " + seconds(limits.requestNanos()) + " |");
    says("without anything moving | " + seconds(limits.idleNanos()) + ", at the latest 112 s");
    says("at once | " + MetricsPages.MAX_WAITING + " | 503 | `" + MetricsPages.BOUND + "` |");
    says("up to " + kib(LingeringClose.MAX_DROPPED_BYTES).replace("4096 KiB", "4 MiB") + " and ");
    says(seconds(LingeringClose.MAX_LINGER_NANOS) + ", so that");
    says("at most " + CheckFields.MAX_ATTRIBUTES + " strings");
    says("1 to " + Check.MAX_COST);
  }

  @Test
  void everyBoundHasAValueAPolicyAndACounter() {
    for (HttpBound bound : HttpBound.values()) {
      says("`" + bound.text() + "` |");
    }
    Premises.Totals totals = Premises.Totals.DEFAULT;
    says("| unread answers of all connections | " + (totals.unreadBytes() >> 20) + " MiB |");
    says("| bodies that have come in part | " + (totals.partialBodyBytes() >> 20) + " MiB |");
    says("| header lines | " + RequestAssembly.MAX_HEADER_LINES + " |");
    says("| refusals under way | " + Connections.MAX_REFUSING + " |");
  }

  @Test
  void everyWordOfAnAnswerIsExplained() {
    for (Certainty certainty : Certainty.values()) {
      says("`" + certainty.text() + "`");
    }
    for (Dialect dialect : Dialect.values()) {
      says("`" + dialect.configName() + "`");
    }
    for (String type : List.of(VerdictJson.QUOTA_EXCEEDED, VerdictJson.REDUCED_CAPACITY)) {
      says(type.substring(type.indexOf('#') + 1));
    }
  }

  @Test
  void theExamplesAreWhatIsSent() throws IOException {
    String flat = docs.replaceAll("\n {4,}", "").replaceAll("\\s", "");
    Rule rule = Verdicts.plain("write-api", 0);
    long reset = ManualClock.START_MILLIS + 60_000;
    try (ServerFixture server = new ServerFixture()) {
      server.clock.set(17.25);
      for (Verdict verdict :
          List.of(
              Verdicts.of(true, Verdicts.passes(rule, 100, 99, reset)),
              Verdicts.of(false, Verdicts.denies(rule, 100, 42_750_000_000L, reset)))) {
        server.limiter.answer(verdict);
        Response response = server.check("{\"key\":\"cust_42\"}");
        assertTrue(flat.contains(response.body().replaceAll("\\s", "")), response.body());
        if (verdict.allowed()) {
          response.headers().forEach(this::says);
        }
      }
      String error = server.check("{\"key\":\"k\",\"cost\":0}").body();
      assertTrue(flat.contains(error.replaceAll("\\s", "")), error);
    }
  }

  /** A call as people type it, and the answer that follows it in the document, if one does. */
  private record Example(
      String method, String path, List<String> headers, String sent, String got) {
    private static final Pattern PART =
        Pattern.compile("-d '([^']*)'|-H \"([^\"]*)\"|'?(http://[^ ']+)'?|-X (PUT)|(-s)");

    static Example of(String command, String answer) {
      List<String> headers = new ArrayList<>();
      String path = "";
      String body = "";
      String method = "";
      String left = command.substring("curl ".length());
      Matcher part = PART.matcher(left);
      while (part.find()) {
        if (part.group(1) != null) {
          body = part.group(1);
        } else if (part.group(2) != null) {
          headers.add(part.group(2).replace("$TOKEN", TOKEN));
        } else if (part.group(3) != null) {
          path = part.group(3).replaceFirst("http://[^/]*", "");
        } else if (part.group(4) != null) {
          method = part.group(4);
        }
      }
      assertEquals("", PART.matcher(left).replaceAll("").trim(), "not understood: " + command);
      if (method.isEmpty()) {
        method = body.isEmpty() ? "GET" : "POST";
      }
      return new Example(method, path, headers, body, answer);
    }

    String request() {
      StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
      headers.forEach(line -> head.append(line).append("\r\n"));
      return head + "Content-Length: " + sent.length() + "\r\n\r\n" + sent;
    }
  }

  private List<Example> examples() {
    List<Example> examples = new ArrayList<>();
    Matcher block =
        Pattern.compile("(?m)^ {4}(curl (?:.*\\\\\n)*.*)\n((?: {4}.*\n)*)").matcher(docs);
    while (block.find()) {
      String command = block.group(1).replaceAll("\\\\\n\\s*", "");
      examples.add(Example.of(command, block.group(2).replaceAll("(?m)^ {4,}|\n", "")));
    }
    return examples;
  }

  @Test
  void everyEndpointHasAnExampleThatIsTrue() throws IOException {
    AdminToken token = AdminToken.of(TOKEN.getBytes(StandardCharsets.US_ASCII));
    Set<Endpoint> shown = EnumSet.noneOf(Endpoint.class);
    try (ServerFixture server = new ServerFixture(HttpLimits.DEFAULT, Access.everybody(token))) {
      script(server);
      ViewFacts standing = server.view;
      for (Example example : examples()) {
        Endpoint endpoint = Endpoint.ofPath(Target.parse(example.path).path());
        assertNotNull(endpoint, example.path);
        assertTrue(endpoint.answers(example.method), example.toString());
        server.view = endpoint == Endpoint.DRAIN ? drains(server.view) : standing;
        Response response = server.ask(example.request());
        assertEquals(
            endpoint == Endpoint.DRAIN ? 202 : 200, response.status(), example + response.body());
        if (!example.got.isEmpty()) {
          assertEquals(response.json(), new Response(200, List.of(), example.got).json());
          shown.add(endpoint);
        }
      }
      Response refused = server.ask(RawClient.get("/v1/limits"));
      String flat = docs.replaceAll("\n {4,}", "").replaceAll("\\s", "");
      assertTrue(flat.contains(refused.body().replaceAll("\\s", "")), refused.body());
    }
    // A check's answers are shown with their headers, and metrics have a page of their own.
    shown.addAll(EnumSet.of(Endpoint.CHECK, Endpoint.METRICS));
    assertEquals(EnumSet.allOf(Endpoint.class), shown);
  }

  private static ViewFacts drains(ViewFacts facts) {
    return new ViewFacts(
        facts.view(),
        facts.leaseMillis(),
        facts.slots(),
        facts.replicationLagMillis(),
        DrainState.DRAINING);
  }

  private static void script(ServerFixture server) {
    Rule rule = Verdicts.plain("write-api", 0);
    long reset = ManualClock.START_MILLIS + 60_000;
    Verdict passes = Verdicts.of(true, Verdicts.passes(rule, 100, 99, reset));
    Verdict denied = Verdicts.of(false, Verdicts.denies(rule, 100, 42_750_000_000L, reset));
    server.limiter.script =
        (check, listener) ->
            listener.verdict(check.request().client().equals("cust_7") ? denied : passes);
    server.limiter.place = new Placed(5301, "n2", "n3", 4);
    Member n1 =
        new Member(
            new MemberId("n1", 1),
            Address.parse("127.0.0.1:7101"),
            Address.parse("127.0.0.1:8081"),
            1,
            MemberState.ACTIVE,
            true);
    String version = "5f2a90c1d3e4b576";
    server.limiter.status =
        new ClusterStatus(
            "n1", 4, List.of(new ClusterStatus.MemberShare(n1, 5461, version)), version, false);
    ViewName name = new ViewName(4, 0x721516f8L);
    Lineage lineage = new Lineage(1, 0xbbfb7f1afa0bddfdL);
    server.view =
        new ViewFacts(
            new View(lineage, name, List.of(n1), true),
            423,
            new SlotCounts(5_461, 0, 0, 0, 310),
            4,
            DrainState.NONE);
    server.limiter.usage =
        new Usage(
            Certainty.EXACT,
            "n2",
            List.of(
                new Usage.Entry(
                    rule,
                    rule.effect().limits().get(0),
                    List.of("cust_42"),
                    Verdicts.passes(rule, 100, 60, reset).answer())),
            false);
    Map<String, Object> trial = new LinkedHashMap<>();
    trial.put("name", "trial");
    trial.put("match", Map.of("tier", "free"));
    trial.put("rate", "10/minute");
    Map<String, Object> write = new LinkedHashMap<>();
    write.put("name", "write-api");
    write.put("match", Map.of("route", "POST /v1/charges"));
    write.put("limit", 100L);
    write.put("window", "60s");
    server.rules =
        new ConfiguredRules(
            version,
            List.of(
                new ConfiguredRule(List.of("free"), trial, 40),
                new ConfiguredRule(List.of(), write, 60)));
  }

  @Test
  void theBoundsOfAdminCallsAreThoseInForce() {
    says("of its own (" + HttpLimits.ADMIN.connections() + ", with ");
    says("with " + HttpLimits.ADMIN.pipelined() + " requests in progress each)");
    says("up to " + LimitsPages.MAX_CHARS / 1024 / 1024 + " MiB of rules");
    says(HttpLimits.ADMIN.connections() + ", " + HttpLimits.ADMIN.pipelined() + " | as above");
    says("than the " + Usage.MAX_ENTRIES + "\nthat are shown");
    says(
        String.format(
            Locale.ROOT, "than %,d checks (`bounds.batch`)", BoundsSettings.DEFAULT.batch()));
    says("1 to " + Check.MAX_REQUEST_ID_CHARS + " characters");
  }

  private static String kib(long bytes) {
    return bytes / 1024 + " KiB";
  }

  private static String seconds(long nanos) {
    return TimeUnit.NANOSECONDS.toSeconds(nanos) + " s";
  }
}
