package io.ringfence.embed;

import io.ringfence.config.ConfigException;
import io.ringfence.config.LoadedRules;
import io.ringfence.config.RulesFile;
import io.ringfence.engine.Timers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices a changed rules file and puts it in force.
 *
 * <p>The file's content is looked at twice a second, not its time stamp, so a directory that is
 * swapped behind a symlink is noticed as well. A file that cannot be read or is wrong is refused
 * whole: the rules in force stay, the failure is counted and logged once for each content.
 *
 * <p>Runs on the timers' thread, which it blocks while it reads.
 */
final class RulesWatch {
  private static final Logger LOG = LoggerFactory.getLogger(RulesWatch.class);
  private static final long INTERVAL_NANOS = Duration.ofMillis(500).toNanos();

  private final Path file;
  private final RulesInForce inForce;
  private final Timers timers;

  private byte[] seen; // the content last looked at, in force or refused
  private String unreadable = ""; // why the file could not be read last time; empty if it could

  RulesWatch(Path file, byte[] first, RulesInForce inForce, Timers timers) {
    this.file = file;
    this.seen = first.clone();
    this.inForce = inForce;
    this.timers = timers;
  }

  void start() {
    timers.after(INTERVAL_NANOS, this::look);
  }

  private void look() {
    timers.after(INTERVAL_NANOS, this::look);
    byte[] content;
    try {
      content = Files.readAllBytes(file);
    } catch (IOException e) {
      if (!unreadable.equals(e.toString())) {
        unreadable = e.toString();
        refused("cannot be read: " + e);
      }
      return;
    }
    unreadable = "";
    if (Arrays.equals(content, seen)) {
      return;
    }
    seen = content;
    try {
      install(RulesFile.parse(file.toString(), content));
    } catch (ConfigException e) {
      refused(String.join("; ", e.problems()));
    }
  }

  private void install(LoadedRules loaded) {
    inForce.install(loaded);
    loaded.warnings().forEach(LOG::warn);
    LOG.info(
        "{}: {} rules in force, version {}",
        file,
        loaded.rules().rules().size(),
        loaded.rules().version());
  }

  private void refused(String why) {
    inForce.refused();
    LOG.error("the rules in force stay, as {} was refused: {}", file, why);
  }
}
