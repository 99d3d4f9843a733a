package io.ringfence.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.Kind;
import io.ringfence.engine.SlotCounts;
import io.ringfence.rules.Action;
import io.ringfence.rules.FailurePolicy;
import io.ringfence.rules.Limit;
import io.ringfence.rules.Match;
import io.ringfence.rules.Rule;
import io.ringfence.rules.RuleSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/metrics.md lists is what a node shows. */
class MetricsDocsTest {
  private static final Pattern ROW =
      Pattern.compile("\\| `([a-z_]+)` \\| (counter|gauge|histogram) \\| ([^|]*)\\|");

  private final PrometheusPage page = new PrometheusPage();
  private final MicrometerEngineMetrics metrics = new MicrometerEngineMetrics(page.registry());

  private static String docs() throws IOException {
    return Files.readString(Path.of("..", "docs", "metrics.md"));
  }

  private static Rule rule() {
    Algorithm algorithm = Algorithm.of(Kind.GCRA, 10, 60_000_000_000L, 1);
    return new Rule(
        "r",
        Match.ANY,
        List.of("client"),
        new Rule.Order("r", 1, 0, 0),
        new Rule.Effect(
            Action.LIMIT,
            List.of(new Limit(1, null, algorithm, "60s")),
            1,
            new Rule.Presentation(false, 429),
            FailurePolicy.DEFAULT));
  }

  @Test
  void everySeriesIsListedWithItsTypeAndItsTags() throws IOException {
    metrics.rulesInForce(new RuleSet("v", List.of(rule())));
    NodeGauges.Views views = new NodeGauges.Views(() -> true, () -> 1, () -> 1, () -> 1, () -> 1);
    metrics.gauges(
        new NodeGauges(
            () -> 1,
            () -> 1,
            () -> true,
            () -> true,
            views,
            new NodeGauges.Detours(() -> 1, () -> 1),
            new NodeGauges.Custody(() -> new SlotCounts(1, 1, 1, 1, 1), () -> 1, () -> 1)));
    metrics.overflow("keys");
    metrics.defect("endpoint");
    String text = page.text();

    Set<String> listed = new TreeSet<>();
    Matcher row = ROW.matcher(docs());
    while (row.find()) {
      listed.add(row.group(1));
      assertTrue(text.contains("# TYPE " + row.group(1) + " " + row.group(2) + "\n"), row.group());
      Matcher tag = Pattern.compile("`([a-z_]+)`").matcher(row.group(3));
      while (tag.find()) {
        Pattern tagged =
            Pattern.compile("(?m)^" + row.group(1) + "[a-z_]*\\{([^}]*,)?" + tag.group(1) + "=");
        assertTrue(tagged.matcher(text).find(), row.group(1) + " has no tag " + tag.group(1));
      }
    }
    Set<String> shown = new TreeSet<>();
    Matcher type = Pattern.compile("(?m)^# TYPE ([a-z_]+) ").matcher(text);
    while (type.find()) {
      // The largest of the last minutes belongs to its histogram.
      shown.add(type.group(1).replaceAll("_max$", ""));
    }
    assertEquals(shown, listed);
  }

  @Test
  void theSeriesOfARuleAreAsManyAsSaid() throws IOException {
    int before = Exposition.parse(page.text()).seriesCount();
    metrics.rulesInForce(new RuleSet("v", List.of(rule())));
    int ofTheRule = Exposition.parse(page.text()).seriesCount() - before;
    assertTrue(docs().contains("A rule has " + ofTheRule + " series."), "it has " + ofTheRule);
  }

  @Test
  void everyReasonIsExplained() throws IOException {
    for (RejectReason reason : RejectReason.values()) {
      assertTrue(docs().contains("`" + reason.tag() + "`"), reason.tag());
    }
  }
}
