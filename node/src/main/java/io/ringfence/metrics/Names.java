package io.ringfence.metrics;

/**
 * The names of the series as Micrometer has them. Prometheus shows dots as underscores, and adds
 * {@code _total} to counters and {@code _seconds} to timers.
 */
final class Names {
  static final String CHECKS = "rate.limit.checks";
  static final String ALLOWED = "rate.limit.allowed";
  static final String REJECTED = "rate.limit.rejected";
  static final String SHADOW_REJECTED = "rate.limit.shadow.rejected";
  static final String UNMATCHED = "rate.limit.unmatched";
  static final String BACKEND_ERRORS = "rate.limit.backend.errors";
  static final String FALLBACK = "rate.limit.fallback";
  static final String LATENCY = "rate.limit.latency";
  static final String FORWARD = "ringfence.forward";
  static final String EPOCH = "ringfence.epoch";
  static final String VIEWS = "ringfence.views";
  static final String VOTERS = "ringfence.voters";
  static final String AWAY = "ringfence.members.away";
  static final String LEASE = "ringfence.lease";
  static final String LEASE_LAPSES = "ringfence.lease.lapses";
  static final String FENCED = "ringfence.fenced";
  static final String DETOURS = "ringfence.detours";
  static final String RELAYED = "ringfence.relayed";
  static final String KEYS = "ringfence.keys";
  static final String SLOTS = "ringfence.slots";
  static final String SLOTS_OPENED = "ringfence.slots.opened";
  static final String COPIES = "ringfence.copies";
  static final String REPLICATION_LAG = "ringfence.replication.lag";
  static final String CHECKPOINT_AGE = "ringfence.checkpoint.age";
  static final String DEBITS = "ringfence.debits";
  static final String TABLE_FULL = "ringfence.table.full";
  static final String DEGRADED = "ringfence.degraded";
  static final String RULES_RELOAD = "ringfence.rules.reload";
  static final String OVERFLOW = "ringfence.overflow";
  static final String DEFECTS = "ringfence.defects";

  private Names() {}
}
