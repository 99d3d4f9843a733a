package io.ringfence.peer;

import io.ringfence.engine.message.PeerMessage;
import io.ringfence.membership.Introduction;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.View;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a defect of the listener away from the connections: what it throws is counted, and the
 * first is logged with its stack trace.
 */
final class GuardedEvents implements PeerEvents {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedEvents.class);

  private final PeerEvents events;
  private final PeerMetrics metrics;
  private final AtomicBoolean logged = new AtomicBoolean();

  GuardedEvents(PeerEvents events, PeerMetrics metrics) {
    this.events = events;
    this.metrics = metrics;
  }

  @Override
  public void authenticated(Introduction facts, @Nullable View theirs) {
    guard(() -> events.authenticated(facts, theirs));
  }

  @Override
  public void message(MemberId from, PeerMessage message) {
    try {
      events.message(from, message);
    } catch (RuntimeException e) {
      defect(e);
    }
  }

  @Override
  public void refused(MemberId candidate, HandshakeRefusal reason) {
    guard(() -> events.refused(candidate, reason));
  }

  @Override
  public void unreachable(MemberId candidate) {
    guard(() -> events.unreachable(candidate));
  }

  @Override
  public void died(MemberId member) {
    guard(() -> events.died(member));
  }

  @Override
  public void disconnected(MemberId peer) {
    guard(() -> events.disconnected(peer));
  }

  private void guard(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      defect(e);
    }
  }

  private void defect(RuntimeException e) {
    metrics.eventDefect();
    if (logged.compareAndSet(false, true)) {
      LOG.error("a listener of peer events failed; further failures are only counted", e);
    }
  }
}
