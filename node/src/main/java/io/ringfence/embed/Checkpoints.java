package io.ringfence.embed;

import io.ringfence.disk.DataDirectory;
import io.ringfence.engine.Clock;
import io.ringfence.engine.Engine;
import io.ringfence.engine.SavedSlots;
import io.ringfence.membership.View;
import io.ringfence.ring.RingSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the engine's counters of long windows in the data directory: once a second what has
 * changed, and everything when the log has grown, and a last time when the node stops.
 *
 * <p>Where the disk fails the node goes on, and says so once; the next attempt writes everything.
 * Without a data directory nothing is kept, and every start is taken for the first. Thread-safe; it
 * writes on a thread of its own.
 */
final class Checkpoints implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
  private static final long INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();

  private final Engine engine;
  private final Clock clock;
  private final @Nullable DataDirectory directory; // used in `write` alone, once it was read
  private final ScheduledTimers timers = new ScheduledTimers("ringfence-checkpoint");

  private boolean failing; // guarded by this
  private boolean closed; // guarded by this
  private volatile long writtenNanos;

  private Checkpoints(Engine engine, Clock clock, @Nullable DataDirectory directory) {
    this.engine = engine;
    this.clock = clock;
    this.directory = directory;
    this.writtenNanos = clock.elapsedNanos();
  }

  /**
   * Opens the data directory, and gives the engine what an earlier process left there.
   *
   * @param path null where nothing is kept
   * @throws IOException where it cannot be used; the message names it
   */
  static Checkpoints open(@Nullable Path path, RingSettings ring, Engine engine, Clock clock)
      throws IOException {
    if (path == null) {
      LOG.info(
          "counters are in memory alone, as node.data is not set: a start of all nodes is taken for"
              + " the first");
      return new Checkpoints(engine, clock, null);
    }
    DataDirectory directory = DataDirectory.open(path, ring);
    SavedSlots saved;
    try {
      saved = directory.read(LOG::warn);
    } catch (IOException e) {
      directory.close();
      throw e;
    }
    if (saved == null) {
      LOG.info("{} is new: this is taken for the first start", path);
    } else {
      LOG.info(
          "{} has {} counters of the {} slots that this node decided for when it last ran",
          path,
          saved.counters(),
          saved.slots());
    }
    engine.restarted(saved);
    return new Checkpoints(engine, clock, directory);
  }

  void start() {
    if (directory != null) {
      timers.after(INTERVAL_NANOS, this::turn);
    }
  }

  /** For how long what is in memory has not been written, in nanoseconds; 0 if nothing is kept. */
  long ageNanos() {
    return directory == null ? 0 : clock.elapsedNanos() - writtenNanos;
  }

  /** The node is about to go by that view. Blocks on the disk where its lineage is new. */
  void seen(View view) {
    DataDirectory into = directory;
    if (into != null) {
      try {
        into.remember(view.lineage().toString());
      } catch (IOException e) {
        LOG.warn("the data directory does not take that this node was in a cluster: {}", e, e);
      }
    }
  }

  private void turn() {
    timers.after(INTERVAL_NANOS, this::turn);
    write();
  }

  private synchronized void write() {
    DataDirectory into = directory;
    if (into == null || closed) {
      return;
    }
    boolean all = into.wantsAll();
    try {
      into.write(engine.checkpoint(all), all);
      writtenNanos = clock.elapsedNanos();
      if (failing) {
        LOG.info("checkpoints are written again");
      }
      failing = false;
    } catch (IOException | RuntimeException e) {
      if (!failing) {
        LOG.error("checkpoints cannot be written; counters are in memory alone until then", e);
      }
      failing = true;
    }
  }

  /** Writes what has changed since, and lets go of the directory. */
  @Override
  public synchronized void close() throws IOException {
    timers.close();
    write();
    if (directory != null && !closed) {
      directory.close();
    }
    closed = true;
  }
}
