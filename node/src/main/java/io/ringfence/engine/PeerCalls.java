package io.ringfence.engine;

import io.ringfence.engine.CallOutcome.Failure;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.membership.MemberId;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calls to one member: their numbers, their deadlines, and the breaker.
 *
 * <p>A call ends exactly once: by its answer, by its deadline, or by the loss of the connection. A
 * timer is set for the earliest deadline while calls are under way.
 */
final class PeerCalls {
  /** How many calls to one member may be under way. */
  static final int MAX_IN_FLIGHT = 8_192;

  private static final long LOST_NANOS = 1_000_000_000L;

  private static final Logger LOG = LoggerFactory.getLogger(PeerCalls.class);

  private final MemberId peer;
  private final EnginePorts ports;
  private final Breaker breaker;
  private final InFlight inFlight;
  // the earliest deadline that a timer is set for; MAX_VALUE where none is
  private final AtomicLong timerAtNanos = new AtomicLong(Long.MAX_VALUE);
  private volatile boolean lost; // whether the last connection was lost
  private volatile long lostNanos; // when, if so

  /**
   * Calls to a member.
   *
   * @param firstId larger than every number of an earlier call to this member
   */
  PeerCalls(MemberId peer, EnginePorts ports, ForwardSettings settings, long firstId) {
    this.inFlight = new InFlight(MAX_IN_FLIGHT, firstId);
    this.peer = peer;
    this.ports = ports;
    this.breaker = new Breaker(settings);
  }

  /** Makes the message of a call once its number is known. */
  interface MessageOf {
    PeerMessage withId(long id);
  }

  /** Asks; returns the call's number, or a negative one where the outcome was told at once. */
  long ask(MessageOf message, long deadlineNanos, CallOutcome outcome) {
    long now = ports.clock().elapsedNanos();
    if (!breaker.admits(now)) {
      outcome.failed(Failure.BREAKER_OPEN);
      return -1;
    }
    long id = inFlight.begin(now, deadlineNanos, outcome);
    if (id < 0) {
      ports.metrics().overflow("in_flight");
      outcome.failed(Failure.TOO_MANY_IN_FLIGHT);
      return id;
    }
    if (!ports.transport().send(peer, message.withId(id))) {
      if (inFlight.end(id) != null) {
        failed(now, Failure.UNREACHABLE, outcome);
      }
      return -1;
    }
    setTimer(deadlineNanos, now);
    return id;
  }

  /** The member answered the call of that number; null where nobody waits for it any more. */
  void answered(long id, Consumer<CallOutcome> tell) {
    InFlight.Call call = inFlight.end(id);
    if (call == null) {
      return;
    }
    if (breaker.answered()) {
      LOG.info("{} answers again: its breaker closes", peer);
    }
    ports.metrics().forwarded(ports.clock().elapsedNanos() - call.startNanos());
    tell.accept(call.outcome());
  }

  /** The connection to the member is lost: nothing that was asked will be answered. */
  void disconnected() {
    long now = ports.clock().elapsedNanos();
    lostNanos = now;
    lost = true;
    for (InFlight.Call call : inFlight.endAll()) {
      failed(now, Failure.DISCONNECTED, call.outcome());
    }
  }

  /** A new connection to the member stands: what came before it says nothing any more. */
  void connected() {
    lost = false;
    if (breaker.answered()) {
      LOG.info("{} is connected again: its breaker closes", peer);
    }
  }

  /**
   * Whether the connection to the member was lost not long ago, and there is none yet: if it is
   * dead, a view without it is about to come.
   */
  boolean lostLately() {
    return lost && ports.clock().elapsedNanos() - lostNanos < LOST_NANOS;
  }

  boolean breakerOpen() {
    return breaker.isOpen();
  }

  /** How many calls wait for an answer. */
  int inFlight() {
    return inFlight.size();
  }

  boolean send(PeerMessage message) {
    return ports.transport().send(peer, message);
  }

  private void setTimer(long deadlineNanos, long now) {
    long earliest = timerAtNanos.get();
    while (deadlineNanos < earliest) {
      if (timerAtNanos.compareAndSet(earliest, deadlineNanos)) {
        ports.timers().after(Math.max(0, deadlineNanos - now), this::endOverdue);
        return;
      }
      earliest = timerAtNanos.get();
    }
  }

  private void endOverdue() {
    timerAtNanos.set(Long.MAX_VALUE);
    long now = ports.clock().elapsedNanos();
    for (InFlight.Call call : inFlight.endOverdue(now)) {
      failed(now, Failure.DEADLINE, call.outcome());
    }
    setTimer(inFlight.nextDeadlineNanos(), now);
  }

  private void failed(long now, Failure failure, CallOutcome outcome) {
    ports.metrics().backendError(peer);
    if (breaker.failed(now)) {
      LOG.warn("{} does not answer ({}): its breaker opens", peer, failure);
    }
    outcome.failed(failure);
  }
}
