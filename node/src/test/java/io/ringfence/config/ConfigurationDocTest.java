package io.ringfence.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.rules.Rule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Holds docs/configuration.md against the code. */
class ConfigurationDocTest {
  private static final Pattern HEADING = Pattern.compile("### `([a-z ]+)`");
  private static final Pattern ROW =
      Pattern.compile(
          "\\| `([a-z0-9_]+)` \\|([^|]*)\\|([^|]*)\\|(?:[^|\\\\]|\\\\.)*\\|([^|]*)\\|.*");

  private static final Set<String> RULE_SECTIONS = Set.of("rules file", "rule", "match", "limits");

  private record Row(String section, String key, String standard, String effect) {
    /** The default, if it is a literal. */
    String literal() {
      Matcher matcher = Pattern.compile(" `([^`]*)` ").matcher(standard);
      return matcher.matches() ? matcher.group(1) : "";
    }

    String path() {
      return section + "." + key;
    }
  }

  @Test
  void everyKeyIsDocumentedAndNothingElse() throws IOException {
    Map<String, Set<String>> documented = new LinkedHashMap<>();
    for (Row row : rows()) {
      documented.computeIfAbsent(row.section, unused -> new LinkedHashSet<>()).add(row.key);
    }

    assertEquals(Keys.documented(), documented);
  }

  @Test
  void theColumnEffectIsTrue() throws IOException {
    Set<String> notYet = new TreeSet<>(UnusedSettings.keys());
    WithoutEffect.keys().forEach(key -> notYet.add("rule." + key));
    Set<String> documented = new TreeSet<>();
    for (Row row : rows()) {
      assertTrue(row.effect.equals(" yes ") || row.effect.equals(" not yet "), row::path);
      if (row.effect.equals(" not yet ")) {
        documented.add(row.path());
      }
    }

    assertEquals(notYet, documented);
  }

  @Test
  void theDocumentedDefaultsOfTheNodeFileAreTheDefaults() throws Exception {
    NodeConfig standard = clustered("");
    int checked = 0;
    for (Row row : rows()) {
      if (!RULE_SECTIONS.contains(row.section) && !row.literal().isEmpty()) {
        String text = row.section + ": {" + row.key + ": " + row.literal() + "}";
        assertEquals(standard, clustered(text), text);
        checked++;
      }
    }
    assertTrue(checked >= 18, "only " + checked + " defaults were found in the document");
  }

  @Test
  void theDocumentedDefaultsOfARuleAreTheDefaults() throws Exception {
    Rule standard = rule("");
    int checked = 0;
    for (Row row : rows()) {
      if (row.section.equals("rule") && !row.literal().isEmpty()) {
        Rule stated = rule(", " + row.key + ": " + row.literal());
        assertEquals(standard.by(), stated.by(), row::path);
        assertEquals(standard.order(), stated.order(), row::path);
        assertEquals(standard.effect().cost(), stated.effect().cost(), row::path);
        assertEquals(standard.effect().presentation(), stated.effect().presentation(), row::path);
        assertEquals(standard.effect().failure(), stated.effect().failure(), row::path);
        checked++;
      }
    }
    assertTrue(checked >= 10, "only " + checked + " defaults were found in the document");
  }

  @Test
  void everyKeyOfTheNodeFileIsRead() throws IOException {
    for (Row row : rows()) {
      if (!RULE_SECTIONS.contains(row.section)) {
        boolean top = row.section.equals("node file");
        String text = row.key + ": [[x]]";
        String file = top ? text : row.section + ": {" + text + "}";
        ConfigException refused =
            assertThrows(ConfigException.class, () -> clustered(file), row::path);
        String field = (top ? "" : row.section + ".") + row.key + ": ";
        assertTrue(refused.toString().contains(field), () -> row.path() + ": " + refused);
        assertFalse(refused.toString().contains("not a known field"), refused::toString);
      }
    }
  }

  @Test
  void everyKeyOfARuleIsRead() throws IOException {
    for (Row row : rows()) {
      String text =
          switch (row.section) {
            case "rule" -> "rules: [{name: a, " + row.key + ": [[x]]}]";
            case "match" -> "rules: [{name: a, rate: 5/s, match: {" + row.key + ": [[x]]}}]";
            case "limits" -> "rules: [{name: a, limits: [{" + row.key + ": [[x]]}]}]";
            default -> "";
          };
      if (!text.isEmpty() && !(row.section.equals("rule") && row.key.equals("name"))) {
        ConfigException refused =
            assertThrows(ConfigException.class, () -> RulesFileTest.parse(text), row::path);
        assertTrue(refused.toString().contains(row.key), () -> row.path() + ": " + refused);
        assertFalse(refused.toString().contains("not a known field"), refused::toString);
      }
    }
  }

  @Test
  void theExampleOfTheDocumentIsGood() throws Exception {
    StringBuilder example = new StringBuilder();
    boolean inside = false;
    for (String line : document()) {
      inside =
          inside
              ? line.isEmpty() || line.startsWith("    ")
              : line.equals("    attributes: [plan]");
      if (inside) {
        example.append(line).append('\n');
      }
    }

    assertEquals(8, RulesFileTest.parse(example.toString()).rules().rules().size());
  }

  /** A node in a cluster, so that no section goes unread, with one more thing in its file. */
  private static NodeConfig clustered(String text) throws ConfigException {
    byte[] bytes = (text.isEmpty() ? "{}" : text).getBytes(StandardCharsets.UTF_8);
    Tree.Mapping written = YamlText.read("node.yaml", bytes);
    Map<NodeFlag, String> flags =
        text.contains("join") ? Map.of() : Map.of(NodeFlag.JOIN, "127.0.0.1:5701");
    return new NodeReader(Overlay.of(written, flags), new NodeFile.Paths(null), null)
        .read()
        .config();
  }

  private static Rule rule(String more) throws ConfigException {
    return RulesFileTest.parse("rules: [{name: a, rate: 100/minute" + more + "}]")
        .rules()
        .rules()
        .get(0);
  }

  private static List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    String section = "";
    for (String line : document()) {
      Matcher heading = HEADING.matcher(line);
      Matcher row = ROW.matcher(line);
      if (heading.matches()) {
        section = heading.group(1);
      } else if (row.matches()) {
        rows.add(new Row(section, row.group(1), row.group(3), row.group(4)));
      }
    }
    return rows;
  }

  private static List<String> document() throws IOException {
    return Files.readAllLines(Path.of("..", "docs", "configuration.md"));
  }
}
