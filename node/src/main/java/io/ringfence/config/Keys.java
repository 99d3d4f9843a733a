package io.ringfence.config;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Every key of the two files, by section. The documentation is held against this. */
final class Keys {
  static final Set<String> RULES_FILE = of("attributes", "rules", "rulesets");

  static final Set<String> RULE =
      of(
          "name",
          "match",
          "by",
          "action",
          "algorithm",
          "limit",
          "window",
          "burst",
          "rate",
          "limits",
          "cost",
          "group",
          "stage",
          "priority",
          "shadow",
          "status",
          "purpose",
          "durability",
          "on_unavailable",
          "local_fraction",
          "local",
          "on_state_lost",
          "on_partition");

  static final Set<String> LIMIT = of("name", "algorithm", "limit", "window", "burst", "rate");

  static final Set<String> MATCH = of("route", "tier", "client", "user", "ip", "tenant", "api_key");

  static final Set<String> NODE_FILE =
      of(
          "node",
          "listen",
          "cluster",
          "auth",
          "trust",
          "identity",
          "headers",
          "forward",
          "replication",
          "view",
          "shutdown",
          "bounds",
          "rules");

  static final Set<String> NODE = of("name", "zone", "weight", "data");
  static final Set<String> LISTEN = of("http", "admin", "grpc", "peer", "cluster");
  static final Set<String> CLUSTER = of("name", "expect", "join", "secret_file");
  static final Set<String> AUTH = of("admin_token_file");
  static final Set<String> TRUST = of("proxies", "ipv6_prefix");
  static final Set<String> IDENTITY = of("client", "user", "tier");
  static final Set<String> HEADERS = of("dialects", "retry_spread");
  static final Set<String> FORWARD = of("deadline", "breaker_failures", "probe");
  static final Set<String> REPLICATION = of("interval", "max_lag");
  static final Set<String> VIEW = of("ping", "lease", "hold_down");
  static final Set<String> SHUTDOWN = of("drain");
  static final Set<String> BOUNDS = of("keys", "key_bytes", "batch", "body", "fallback_per_second");

  private Keys() {}

  /** All keys by the path that the documentation lists them under. */
  static Map<String, Set<String>> documented() {
    Map<String, Set<String>> all = new LinkedHashMap<>();
    all.put("node file", of("rules"));
    all.put("node", NODE);
    all.put("listen", LISTEN);
    all.put("cluster", CLUSTER);
    all.put("auth", AUTH);
    all.put("trust", TRUST);
    all.put("identity", IDENTITY);
    all.put("headers", HEADERS);
    all.put("forward", FORWARD);
    all.put("replication", REPLICATION);
    all.put("view", VIEW);
    all.put("shutdown", SHUTDOWN);
    all.put("bounds", BOUNDS);
    all.put("rules file", RULES_FILE);
    all.put("rule", RULE);
    all.put("match", MATCH);
    all.put("limits", LIMIT);
    return all;
  }

  private static Set<String> of(String... names) {
    return Collections.unmodifiableSet(new LinkedHashSet<>(Arrays.asList(names)));
  }
}
