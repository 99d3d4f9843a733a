package io.ringfence.embed;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has been started, to be closed in the reverse order, each whatever becomes of the others.
 */
final class Started {
  private static final Logger LOG = LoggerFactory.getLogger(Started.class);

  private final Deque<AutoCloseable> parts =
      new ArrayDeque<>(); // the latest first; guarded by this

  synchronized <T extends AutoCloseable> T add(T part) {
    parts.push(part);
    return part;
  }

  synchronized void closeAll() {
    while (!parts.isEmpty()) {
      AutoCloseable part = parts.pop();
      try {
        part.close();
      } catch (Exception e) {
        LOG.warn("{} did not close as it should", part.getClass().getSimpleName(), e);
      }
    }
  }
}
