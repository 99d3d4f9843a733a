package io.ringfence.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.ringfence.http.ConfiguredRules.ConfiguredRule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rules in force by the tiers that they name. Those that name none are under {@value #NO_TIER}.
 *
 * <p>A rule for a thousand tiers stands there a thousand times, so the page of all tiers is bounded
 * at {@link #MAX_CHARS}; beyond that a tier must be named. Stateless.
 */
final class LimitsPages {
  /** The most text of rules on the page of all tiers. */
  static final long MAX_CHARS = 4L * 1024 * 1024;

  static final String NO_TIER = "*";

  private static final List<String> NONE = List.of(NO_TIER);

  private LimitsPages() {}

  /** Whether the page of all tiers stays within its bound. */
  static boolean fits(ConfiguredRules rules) {
    return rules.rules().stream().mapToLong(rule -> (long) rule.chars() * places(rule).size()).sum()
        <= MAX_CHARS;
  }

  static BadInput tooMuch() {
    return BadInput.tooMuch(
        HttpBound.LIMITS_PAGE,
        "the rules of all tiers together are too much for one page; ask for one tier, "
            + Endpoint.TIER.path());
  }

  static void writeAll(JsonGenerator json, ConfiguredRules rules) throws IOException {
    Map<String, List<ConfiguredRule>> tiers = new LinkedHashMap<>();
    for (ConfiguredRule rule : rules.rules()) {
      for (String tier : places(rule)) {
        tiers.computeIfAbsent(tier, unused -> new ArrayList<>()).add(rule);
      }
    }
    json.writeStartObject();
    json.writeStringField("version", rules.version());
    json.writeObjectFieldStart("tiers");
    for (Map.Entry<String, List<ConfiguredRule>> tier : tiers.entrySet()) {
      json.writeFieldName(tier.getKey());
      writeRules(json, tier.getValue());
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  /** The rules that name a tier, or those that name none. */
  static List<ConfiguredRule> of(ConfiguredRules rules, String tier) throws BadInput {
    List<ConfiguredRule> named =
        rules.rules().stream().filter(rule -> places(rule).contains(tier)).toList();
    if (named.isEmpty() && !tier.equals(NO_TIER)) {
      throw BadInput.refused(HttpResponseStatus.NOT_FOUND, "no rule names this tier");
    }
    return named;
  }

  static void writeTier(JsonGenerator json, String version, String tier, List<ConfiguredRule> rules)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("version", version);
    json.writeStringField("tier", tier);
    json.writeFieldName("rules");
    writeRules(json, rules);
    json.writeEndObject();
  }

  private static List<String> places(ConfiguredRule rule) {
    return rule.tiers().isEmpty() ? NONE : rule.tiers();
  }

  private static void writeRules(JsonGenerator json, List<ConfiguredRule> rules)
      throws IOException {
    json.writeStartArray();
    for (ConfiguredRule rule : rules) {
      write(json, rule.fields());
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, Object value) throws IOException {
    if (value instanceof Map<?, ?> mapping) {
      json.writeStartObject();
      for (Map.Entry<?, ?> field : mapping.entrySet()) {
        json.writeFieldName(String.valueOf(field.getKey()));
        write(json, field.getValue());
      }
      json.writeEndObject();
    } else if (value instanceof List<?> list) {
      json.writeStartArray();
      for (Object item : list) {
        write(json, item);
      }
      json.writeEndArray();
    } else {
      json.writeObject(value);
    }
  }
}
