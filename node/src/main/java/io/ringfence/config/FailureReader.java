package io.ringfence.config;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.Kind;
import io.ringfence.rules.Durability;
import io.ringfence.rules.FailurePolicy;
import io.ringfence.rules.Limit;
import io.ringfence.rules.OnPartition;
import io.ringfence.rules.OnStateLost;
import io.ringfence.rules.OnUnavailable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what a rule does when the owner of a counter cannot be asked. */
final class FailureReader {
  private static final Map<String, OnUnavailable> MODES =
      Map.of(
          "local", OnUnavailable.LOCAL,
          "open", OnUnavailable.OPEN,
          "closed", OnUnavailable.CLOSED);

  private static final Map<String, OnPartition> PARTITION_MODES =
      Map.of(
          "share", OnPartition.SHARE,
          "closed", OnPartition.CLOSED,
          "open", OnPartition.OPEN,
          "strict", OnPartition.STRICT);

  private static final Map<String, Durability> DURABILITIES =
      Map.of(
          "async", Durability.ASYNC,
          "sync", Durability.SYNC,
          "none", Durability.NONE);

  private static final Map<String, OnStateLost> LOSSES =
      Map.of(
          "fresh", OnStateLost.FRESH,
          "prorated", OnStateLost.PRORATED,
          "spent", OnStateLost.SPENT);

  private FailureReader() {}

  /** The policy of a rule that asks no owner. */
  static FailurePolicy none() {
    return FailurePolicy.DEFAULT;
  }

  static FailurePolicy read(Fields fields, List<Limit> limits) {
    OnUnavailable mode =
        fields.read(
            "on_unavailable",
            Scalars.choice(MODES, List.of("local", "open", "closed")),
            OnUnavailable.LOCAL);
    long fraction =
        fields.read(
            "local_fraction",
            Scalars.millionths(),
            FailurePolicy.DEFAULT.localFractionMillionths());
    Rate local = fields.read("local", Rate.reader());
    if (fields.has("local") && fields.has("local_fraction")) {
      fields.problem("local", "stands beside local_fraction; leave one of them out");
    }
    for (String key : List.of("local", "local_fraction")) {
      if (fields.has(key) && mode != OnUnavailable.LOCAL) {
        fields.problem(key, "has no meaning unless on_unavailable is local");
      }
    }
    Algorithm bucket = local == null || limits.isEmpty() ? null : bucket(fields, local, limits);
    OnPartition onPartition =
        fields.read(
            "on_partition",
            Scalars.choice(PARTITION_MODES, List.of("share", "closed", "open", "strict")),
            FailurePolicy.DEFAULT.onPartition());
    boolean strict = onPartition == OnPartition.STRICT;
    Durability durability =
        fields.read(
            "durability",
            Scalars.choice(DURABILITIES, List.of("async", "sync", "none")),
            strict ? Durability.SYNC : FailurePolicy.DEFAULT.durability());
    OnStateLost onStateLost =
        fields.read(
            "on_state_lost",
            Scalars.choice(LOSSES, List.of("fresh", "prorated", "spent")),
            strict ? OnStateLost.SPENT : FailurePolicy.DEFAULT.onStateLost());
    if (strict && durability != Durability.SYNC) {
      fields.problem("durability", "must be sync, or left out, where on_partition is strict");
    }
    if (strict && onStateLost != OnStateLost.SPENT) {
      fields.problem("on_state_lost", "must be spent, or left out, where on_partition is strict");
    }
    return new FailurePolicy(
        mode,
        fraction,
        bucket,
        onPartition,
        strict ? Durability.SYNC : durability,
        strict ? OnStateLost.SPENT : onStateLost);
  }

  /** The rate that the rule states for one node, counted the way the rule's first limit counts. */
  private static @Nullable Algorithm bucket(Fields fields, Rate local, List<Limit> limits) {
    Kind kind = limits.get(0).algorithm().kind();
    if (local.limit() == 0) {
      fields.problem("local", "must let at least 1 pass; on_unavailable: closed lets none");
      return null;
    }
    try {
      Long burst = local.burst();
      return Algorithm.of(
          kind,
          local.limit(),
          local.windowNanos(),
          burst == null ? kind.defaultBurst(local.limit()) : burst);
    } catch (IllegalArgumentException e) {
      fields.problem("local", String.valueOf(e.getMessage()));
      return null;
    }
  }
}
