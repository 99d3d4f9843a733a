package io.ringfence.chaos.sim;

import io.ringfence.chaos.virtual.Agenda;
import io.ringfence.engine.message.CopyMessage;
import io.ringfence.engine.message.CounterCopy;
import io.ringfence.engine.message.SlotCopy;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Follows the copies that owners send to their backups: when each was made, and when it arrived.
 *
 * <p>What a counter has used crosses the wire as ages. A copy takes them to count from its receipt,
 * and so lags behind its counter by what its message took.
 */
final class Copies {
  private final Agenda agenda;
  private final IdentityHashMap<CopyMessage, Long> sentNanos = new IdentityHashMap<>();
  private final Map<Way, Long> newest = new HashMap<>(); // numbers of the messages taken in
  private final Map<CounterName, Copied> copied = new HashMap<>();
  private long lastSentNanos; // virtual; 0 before the first

  Copies(Agenda agenda) {
    this.agenda = agenda;
  }

  private record Way(SimNode from, SimNode to) {}

  /**
   * The latest that a backup was told of a counter.
   *
   * @param madeNanos when it was so; virtual time
   * @param takenNanos when it was taken in
   */
  record Copied(long madeNanos, long takenNanos) {}

  /** A node sends copies. */
  void sent(CopyMessage message) {
    lastSentNanos = agenda.now();
    sentNanos.put(message, lastSentNanos);
  }

  /** Copies reach a node; it takes them in, unless it has later ones. */
  void received(SimNode from, SimNode to, CopyMessage message) {
    Way way = new Way(from, to);
    if (message.number() <= newest.getOrDefault(way, 0L)) {
      return;
    }
    newest.put(way, message.number());
    Copied now = new Copied(sentNanos.getOrDefault(message, 0L), agenda.now());
    for (SlotCopy slot : message.slots()) {
      for (CounterCopy counter : slot.counters()) {
        copied.put(CounterName.of(counter), now);
      }
    }
  }

  /** How long ago the latest copies were sent. */
  long quietNanos() {
    return agenda.now() - lastSentNanos;
  }

  /** The latest that a counter's backup was told of it; as if just now where it never was. */
  Copied latest(CounterName name) {
    return copied.getOrDefault(name, new Copied(agenda.now(), agenda.now()));
  }
}
