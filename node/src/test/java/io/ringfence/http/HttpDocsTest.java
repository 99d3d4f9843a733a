package io.ringfence.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.engine.BoundsSettings;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.Check;
import io.ringfence.engine.Verdict;
import io.ringfence.rules.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/http.md says is what the code does. */
class HttpDocsTest {
  private static final Pattern TABLED_ENDPOINT = Pattern.compile("\\| `(POST|GET) (/[^`]*)` \\|");

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
            .map(each -> (each.readsBody() ? "POST " : "GET ") + each.path())
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

  private static String kib(long bytes) {
    return bytes / 1024 + " KiB";
  }

  private static String seconds(long nanos) {
    return TimeUnit.NANOSECONDS.toSeconds(nanos) + " s";
  }
}
