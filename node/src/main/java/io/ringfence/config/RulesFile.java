package io.ringfence.config;

import io.ringfence.rules.Attributes;
import io.ringfence.rules.Rule;
import io.ringfence.rules.RuleConflictException;
import io.ringfence.rules.RuleSet;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads a rules file. It is taken whole or refused whole: the exception names every mistake found,
 * with file, line, rule and field.
 *
 * <p>The version of a set is the first 16 hex digits of SHA-256 of the file's bytes: nodes with
 * equal files have equal versions, and nothing else is compared.
 */
public final class RulesFile {
  private static final int MAX_ATTRIBUTES = 32;
  private static final int MAX_RULESETS = 100;
  private static final int VERSION_DIGITS = 16;
  private static final String DEMO = "demo-rules.yaml";

  private final Problems problems = new Problems();
  private final List<String> warnings = new ArrayList<>();
  private final Map<String, Origin> placeOfRule = new HashMap<>();

  private RulesFile() {}

  /**
   * Reads a file. Blocks on the disk.
   *
   * @throws ConfigException where the file cannot be read or anything in it is wrong
   */
  public static LoadedRules load(Path file) throws ConfigException {
    return parse(file.toString(), YamlText.bytes(file));
  }

  /**
   * Reads the content of a file.
   *
   * @param source what messages call it
   * @throws ConfigException where anything in it is wrong
   */
  public static LoadedRules parse(String source, byte[] bytes) throws ConfigException {
    Tree.Mapping document = YamlText.read(source, bytes);
    return new RulesFile().read(document, versionOf(bytes));
  }

  /** The rules of a node that is given none: small limits to try things out with. */
  public static LoadedRules demo() {
    try (InputStream in = RulesFile.class.getResourceAsStream(DEMO)) {
      return parse("built-in " + DEMO, Objects.requireNonNull(in, DEMO).readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ConfigException e) {
      throw new IllegalStateException("the built-in rules are wrong", e);
    }
  }

  private static String versionOf(byte[] bytes) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(hash).substring(0, VERSION_DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private LoadedRules read(Tree.Mapping document, String version) throws ConfigException {
    Fields fields = new Fields(document, Keys.RULES_FILE, "", problems);
    fields.finish();
    List<String> declared = attributes(fields);
    List<Rule> rules = rules(fields, declared);
    Map<String, List<String>> rulesets = rulesets(fields);
    problems.throwIfAny();
    try {
      return new LoadedRules(new RuleSet(version, rules), rulesets, written(fields), warnings);
    } catch (RuleConflictException e) {
      Origin origin = placeOfRule.getOrDefault(e.rule(), document.origin());
      throw Problems.fatal(origin, "rule " + e.rule() + ": " + e.field() + ": " + e.getMessage());
    }
  }

  private static List<WrittenRule> written(Fields fields) {
    return fields.tree("rules") instanceof Tree.Listing list
        ? WrittenRules.of(list.items())
        : List.of();
  }

  private List<String> attributes(Fields fields) {
    List<String> declared = fields.readAll("attributes", RulesFile::declaredAttribute);
    if (declared.size() > MAX_ATTRIBUTES) {
      fields.problem("attributes", "must be at most " + MAX_ATTRIBUTES);
    }
    return declared;
  }

  private static String declaredAttribute(String text) {
    if (!Attributes.isName(text)) {
      throw new IllegalArgumentException(
          Shown.quoted(text) + " is not a name of 1 to 64 letters, digits, _ . -");
    }
    if (Attributes.BUILT_IN.contains(text) || text.equals(Attributes.GLOBAL)) {
      throw new IllegalArgumentException(
          Shown.quoted(text) + " is built in and needs no declaration");
    }
    return text;
  }

  private List<Rule> rules(Fields fields, List<String> declared) {
    Tree tree = fields.tree("rules");
    if (tree == null) {
      fields.problem("rules", "is missing; a rules file is a list of rules under rules:");
      return List.of();
    }
    if (!(tree instanceof Tree.Listing listing) || listing.items().isEmpty()) {
      fields.problem("rules", "must be a list of at least one rule, not " + describe(tree));
      return List.of();
    }
    RuleReader reader = new RuleReader(declared, warnings);
    List<Rule> rules = new ArrayList<>();
    for (int i = 0; i < listing.items().size(); i++) {
      Fields entry = fields.entry("rules", listing.items().get(i), i, Keys.RULE);
      Rule rule = entry == null ? null : reader.read(entry, i);
      if (rule != null && entry != null) {
        noteName(rule, entry);
        rules.add(rule);
      }
    }
    return rules;
  }

  private static String describe(Tree tree) {
    return tree instanceof Tree.Listing ? "an empty one" : tree.kind();
  }

  private void noteName(Rule rule, Fields entry) {
    Origin earlier = placeOfRule.putIfAbsent(rule.name(), entry.origin());
    if (earlier != null) {
      entry
          .named("rule " + rule.name() + ": ")
          .problem("name", "is already the name of the rule in line " + earlier.line());
    }
  }

  private Map<String, List<String>> rulesets(Fields fields) {
    Tree tree = fields.tree("rulesets");
    if (tree == null) {
      return Map.of();
    }
    if (!(tree instanceof Tree.Mapping mapping) || mapping.values().size() > MAX_RULESETS) {
      fields.problem(
          "rulesets", "must be a mapping of at most " + MAX_RULESETS + " names to lists of rules");
      return Map.of();
    }
    Set<String> names = mapping.values().keySet();
    Fields sets = new Fields(mapping, names, "rulesets.", problems);
    sets.finish();
    Map<String, List<String>> rulesets = new LinkedHashMap<>();
    for (String name : names) {
      if (!Attributes.isName(name)) {
        fields.problem(
            "rulesets", Shown.quoted(name) + " is not a name of 1 to 64 letters, digits, _ . -");
        continue;
      }
      rulesets.put(name, List.copyOf(sets.readAll(name, this::knownRule)));
    }
    return rulesets;
  }

  private String knownRule(String text) {
    if (!placeOfRule.containsKey(text)) {
      throw new IllegalArgumentException(
          Shown.quoted(text)
              + " is not a rule of this file"
              + Suggestion.of(text, new TreeSet<>(placeOfRule.keySet())));
    }
    return text;
  }
}
