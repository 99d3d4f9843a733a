package io.ringfence.embed;

import io.ringfence.engine.Clock;
import io.ringfence.http.HttpServer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a node stops serving. What others wait for comes first, what may take long comes last, and
 * all of it together takes no longer than the limit:
 *
 * <ol>
 *   <li>Readiness falls. The listener stays open, as a probe must be able to see that; every answer
 *       from now on ends its connection.
 *   <li>The node leaves its view, and waits for the one without it, half of the limit at most. It
 *       answers callers and peers meanwhile. However fast that goes, the listener stays open for a
 *       twentieth of the limit (a second, by default).
 *   <li>The listener closes, idle connections close, and calls in progress finish in what is left
 *       of the limit. A client that never reads ends here.
 * </ol>
 *
 * <p>Where an operator has drained the node before, it is out of its view already, and the second
 * step takes only the time of the notice.
 *
 * <p>A drain that waited for its clients first would be held up by any one of them, and killed
 * before the others had heard of it.
 */
final class Drain {
  /** For this part of the limit a node that stops can be seen not to be ready. */
  private static final int NOTICES_PER_LIMIT = 20;

  private static final Logger LOG = LoggerFactory.getLogger(Drain.class);

  private final Duration limit;
  private final NodeReadiness readiness;
  private final HttpServer http;
  private final ViewLoop views;
  private final Clock clock;

  /**
   * @param limit for all of it, from 0
   */
  Drain(Duration limit, NodeReadiness readiness, HttpServer http, ViewLoop views, Clock clock) {
    this.limit = limit;
    this.readiness = readiness;
    this.http = http;
    this.views = views;
    this.clock = clock;
  }

  /** Runs to the end; blocks for the limit at most, and for the closing of sockets. */
  void run() {
    long startNanos = clock.elapsedNanos();
    readiness.draining();
    http.callLast();
    try {
      boolean left = views.leave(limit.dividedBy(2));
      long leftAfterNanos = clock.elapsedNanos() - startNanos;
      LOG.info(
          "{} after {} ms",
          left ? "the others go on without this node" : "nobody said that they go on",
          leftAfterNanos / 1_000_000);
      boolean unused =
          new CountDownLatch(1)
              .await(Math.max(0, noticeNanos() - leftAfterNanos), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    http.close(limit.toNanos() - (clock.elapsedNanos() - startNanos));
  }

  private long noticeNanos() {
    return limit.toNanos() / NOTICES_PER_LIMIT;
  }
}
