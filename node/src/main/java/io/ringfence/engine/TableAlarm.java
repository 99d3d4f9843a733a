package io.ringfence.engine;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says so in the log, once for each change, when the table of counters is full. For one thread. */
final class TableAlarm {
  private static final Logger LOG = LoggerFactory.getLogger(TableAlarm.class);

  private final Slots slots;
  private final long bound;
  private boolean full; // as last said

  TableAlarm(Slots slots, long bound) {
    this.slots = slots;
    this.bound = bound;
  }

  void look() {
    if (slots.isFull() == full) {
      return;
    }
    full = !full;
    if (full) {
      LOG.error(
          "the table of counters is full at {} of {}: new keys are answered by their rules'"
              + " failure policies; raise bounds.keys, or find who makes so many keys",
          slots.size(),
          bound);
    } else {
      LOG.info("the table of counters has room again: {}", slots.size());
    }
  }
}
