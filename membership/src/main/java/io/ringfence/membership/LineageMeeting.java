package io.ringfence.membership;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a node knows of lineages, its own and others, and which of two gives way when they meet.
 *
 * <p>A lineage in which nobody is known to hold a lease gives way to one whose member says that it
 * holds one: nobody decides in it, and it may never go on by itself. Where both go on, the one that
 * was larger at birth stays, then the one with the lower id. Where neither does, neither gives way.
 *
 * <p>The latest name seen is remembered for the {@value #MOST_LINEAGES} lineages last in use, so
 * that nobody is talked back into a view that it saw end.
 */
final class LineageMeeting {
  private static final int MOST_LINEAGES = 16;

  // The latest name seen per lineage; a name only ever grows.
  private final Map<Lineage, ViewName> latest = new LinkedHashMap<>(16, 0.75f, true);

  /** A view was seen. */
  void saw(ViewStamp stamp) {
    latest.merge(stamp.lineage(), stamp.name(), (a, b) -> a.isAfter(b) ? a : b);
    if (latest.size() > MOST_LINEAGES) {
      latest.remove(latest.keySet().iterator().next());
    }
  }

  /** Whether a later view of that lineage was seen. */
  boolean isOutdated(ViewStamp stamp) {
    ViewName seen = latest.get(stamp.lineage());
    return seen != null && seen.isAfter(stamp.name());
  }

  /** Whether that view was not seen yet, nor a later one. */
  boolean isNews(ViewStamp stamp) {
    ViewName seen = latest.get(stamp.lineage());
    return seen == null || stamp.name().isAfter(seen);
  }

  /** Whether any view was seen at all. */
  boolean sawAny() {
    return !latest.isEmpty();
  }

  /**
   * Whether the first lineage gives way to the second.
   *
   * @param goesOn whether somebody in the first is known to hold a lease
   * @param theirsGoesOn the same of the second
   */
  boolean givesWay(Lineage ours, boolean goesOn, Lineage theirs, boolean theirsGoesOn) {
    return theirsGoesOn && (!goesOn || theirs.winsOver(ours));
  }
}
