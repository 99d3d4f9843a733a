package io.ringfence.config;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.Kind;
import io.ringfence.rules.Limit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the limits of a rule: its own fields, or the list under {@code limits}.
 *
 * <p>A limit is stated either by {@code rate} (the short form) or by {@code limit} and {@code
 * window}. Without an algorithm a burst makes it a token bucket; else a window of a day or more a
 * fixed window, because the overshoot at its edge is nothing against a daily quota; else a limit
 * under 20 a sliding log, because an estimated count is coarse there; else a sliding counter.
 */
final class LimitReader {
  static final List<String> FIELDS = List.of("algorithm", "limit", "window", "burst", "rate");
  private static final int MAX_LIMITS = 16;
  private static final long DAY_NANOS = 86_400_000_000_000L;
  private static final long SMALL_LIMIT = 20;
  private static final Scalars.Reader<Long> UNITS = Scalars.whole(0, Rate.MAX_UNITS);

  private final String rule;
  private final List<String> by;

  LimitReader(String rule, List<String> by) {
    this.rule = rule;
    this.by = by;
  }

  /** The limits of a rule; empty where nothing usable is written, which has then been reported. */
  List<Limit> read(Fields fields) {
    Tree list = fields.tree("limits");
    if (list == null) {
      Limit only = limit(fields, null);
      return only == null ? List.of() : List.of(only);
    }
    for (String key : FIELDS) {
      if (fields.has(key)) {
        fields.problem(key, "stands beside limits; put it into each of them");
      }
    }
    if (!(list instanceof Tree.Listing listing) || listing.items().isEmpty()) {
      fields.problem("limits", "must be a list of at least one limit, not " + list.kind());
      return List.of();
    }
    if (listing.items().size() > MAX_LIMITS) {
      fields.problem("limits", "must be at most " + MAX_LIMITS + ", not " + listing.items().size());
      return List.of();
    }
    return listed(fields, listing.items());
  }

  private List<Limit> listed(Fields fields, List<Tree> items) {
    List<Limit> limits = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < items.size(); i++) {
      Fields entry = fields.entry("limits", items.get(i), i, Keys.LIMIT);
      if (entry == null) {
        continue;
      }
      String name = entry.read("name", Scalars.name());
      if (name == null && items.size() > 1 && !entry.has("name")) {
        entry.problem("name", "is missing; a rule of several limits names each");
      }
      if (name != null && !names.add(name)) {
        entry.problem("name", "is the name of another limit of this rule");
      }
      Limit limit = limit(entry, name);
      if (limit != null) {
        limits.add(limit);
      }
      entry.finish();
    }
    return limits;
  }

  private @Nullable Limit limit(Fields fields, @Nullable String name) {
    Stated stated = fields.has("rate") ? fromRate(fields) : fromParts(fields);
    Optional<Kind> kind = kind(fields, stated);
    if (stated == null || kind.isEmpty()) {
      return null;
    }
    Algorithm algorithm = algorithm(fields, kind.get(), stated);
    return algorithm == null ? null : Limit.of(rule, by, name, algorithm, stated.window);
  }

  /** The numbers of a limit before it is known how it counts. */
  private record Stated(long limit, long windowNanos, String window, @Nullable Long burst) {}

  private static @Nullable Stated fromRate(Fields fields) {
    boolean clear = true;
    for (String key : List.of("limit", "window")) {
      if (fields.has(key)) {
        fields.problem(key, "stands beside rate, which says the same; leave one of them out");
        clear = false;
      }
    }
    Rate rate = fields.read("rate", Rate.reader());
    Long burst = fields.read("burst", UNITS);
    if (rate == null || !clear) {
      return null;
    }
    if (rate.burst() != null && fields.has("burst")) {
      fields.problem("burst", "stands beside a rate that has a burst; leave one of them out");
      return null;
    }
    return new Stated(
        rate.limit(),
        rate.windowNanos(),
        rate.window(),
        rate.burst() == null ? burst : rate.burst());
  }

  private static @Nullable Stated fromParts(Fields fields) {
    for (String key : List.of("limit", "window")) {
      if (!fields.has(key)) {
        fields.problem(key, "is missing; a limit needs limit and window, or rate");
      }
    }
    if (fields.tree("window") instanceof Tree.Mapping) {
      fields.problem("window", "calendar windows are not offered in this release; use 30d or less");
      return null;
    }
    Long limit = fields.read("limit", UNITS);
    Long nanos = fields.read("window", Scalars.nanos(Rate.MIN_WINDOW, Rate.MAX_WINDOW));
    String window = fields.read("window", text -> text);
    Long burst = fields.read("burst", UNITS);
    boolean burstWrong = burst == null && fields.has("burst");
    return limit == null || nanos == null || window == null || burstWrong
        ? null
        : new Stated(limit, nanos, window, burst);
  }

  private static Optional<Kind> kind(Fields fields, @Nullable Stated stated) {
    if (fields.has("algorithm")) {
      return Optional.ofNullable(fields.read("algorithm", LimitReader::kindOf));
    }
    return stated == null ? Optional.empty() : Optional.of(defaultKind(stated));
  }

  private static Kind kindOf(String text) {
    if (text.equals("concurrency")) {
      throw new IllegalArgumentException("concurrency is not offered in this release");
    }
    List<String> names = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      names.add(kind.configName());
    }
    return Kind.ofConfigName(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "must be one of "
                        + String.join(", ", names)
                        + ", not "
                        + Shown.quoted(text)
                        + Suggestion.of(text, names)));
  }

  private static Kind defaultKind(Stated stated) {
    if (stated.burst != null) {
      return Kind.TOKEN_BUCKET;
    }
    if (stated.windowNanos >= DAY_NANOS) {
      return Kind.FIXED_WINDOW;
    }
    return stated.limit < SMALL_LIMIT ? Kind.SLIDING_WINDOW_LOG : Kind.SLIDING_WINDOW_COUNTER;
  }

  private static @Nullable Algorithm algorithm(Fields fields, Kind kind, Stated stated) {
    Long burst = stated.burst;
    String burstField = fields.has("burst") ? "burst" : "rate";
    if (burst != null && stated.limit == 0) {
      fields.problem(burstField, "a limit of 0 denies always and cannot have a burst");
      return null;
    }
    if (burst != null && !takesBurst(kind)) {
      fields.problem(
          burstField,
          kind.configName() + " has no burst; token-bucket, gcra and leaking-bucket have one");
      return null;
    }
    if (burst != null && burst == 0 && kind != Kind.LEAKING_BUCKET) {
      fields.problem(burstField, "the burst must be from 1 to " + Rate.MAX_UNITS + ", not \"0\"");
      return null;
    }
    try {
      return Algorithm.of(
          kind,
          stated.limit,
          stated.windowNanos,
          burst == null ? kind.defaultBurst(stated.limit) : burst);
    } catch (IllegalArgumentException e) {
      fields.problem(fields.has("rate") ? "rate" : "limit", String.valueOf(e.getMessage()));
      return null;
    }
  }

  private static boolean takesBurst(Kind kind) {
    return switch (kind) {
      case TOKEN_BUCKET, GCRA, LEAKING_BUCKET -> true;
      case FIXED_WINDOW, SLIDING_WINDOW_LOG, SLIDING_WINDOW_COUNTER -> false;
    };
  }
}
