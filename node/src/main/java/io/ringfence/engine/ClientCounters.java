package io.ringfence.engine;

import io.ringfence.engine.message.UsageAnswerMessage.Entry;
import io.ringfence.rules.Ask;
import io.ringfence.rules.Request;
import io.ringfence.rules.RuleSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one client in a table: all of them live in the client's own slot, so a walk
 * through that slot finds them. Limits that a request of this client alone would meet are among
 * them though nothing was counted yet. Each is read under its own lock; nothing is charged, and no
 * counter is made.
 *
 * @param entries at most {@link Usage#MAX_ENTRIES}
 * @param truncated whether there are more
 */
record ClientCounters(List<Entry> entries, boolean truncated) {

  static ClientCounters of(String client, int slot, RuleSet rules, Slots slots, EnginePorts ports) {
    List<Entry> entries = new ArrayList<>();
    Moment now = Moment.of(ports.clock());
    for (Ask ask : rules.applicable(Request.of(client), 1).asks()) {
      CounterKey key = slots.keyOf(ask.limit().id(), ask.values());
      if (ask.rule().by().contains(Ask.Place.CLIENT) && slots.get(slot, key) == null) {
        Target target =
            new Target(key, slot, ask.limit().algorithm(), 1, false, ask.rule().effect().failure());
        entries.add(entry(slots.imagine(target, now), target, now));
      }
    }
    for (Counter counter : slots.slot(slot).all()) {
      RuleSet.Counted counted = rules.limit(counter.key().limitId());
      if (counted == null || !client.equals(clientOf(counter.key(), counted))) {
        continue;
      }
      if (entries.size() == Usage.MAX_ENTRIES) {
        return new ClientCounters(entries, true);
      }
      Target target =
          new Target(
              counter.key(),
              slot,
              counted.limit().algorithm(),
              1,
              false,
              counted.rule().effect().failure());
      entries.add(entry(counter, target, now));
    }
    return new ClientCounters(entries, false);
  }

  /** The client that a counter counts, or null where it does not count by client. */
  private static @Nullable String clientOf(CounterKey key, RuleSet.Counted counted) {
    List<String> by = counted.rule().by();
    int at = by.indexOf(Ask.Place.CLIENT);
    return at >= 0 && CounterKey.holds(key.values(), by.size())
        ? CounterKey.decode(key.values()).get(at)
        : null;
  }

  private static Entry entry(Counter counter, Target target, Moment now) {
    synchronized (counter) {
      return new Entry(counter.key().limitId(), counter.key().values(), counter.look(target, now));
    }
  }
}
