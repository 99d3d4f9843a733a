package io.ringfence.peer;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.ringfence.membership.Address;
import io.ringfence.membership.MemberId;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One peer: up to two connections with it, one dialled from here and one accepted from there, and
 * what is known of whether it lives.
 *
 * <p>Questions prefer the dialled connection and answers the accepted one, so that an answer
 * travels back the way its question came; while only one is there it carries both.
 *
 * <p>While the peer is wanted and not dialled, it is dialled again and again, with {@link Backoff}.
 * The attempt right after a loss is also the question whether it died: all its connections are
 * gone, and if now its address refuses, its process is gone as well. Nothing else counts as proof:
 * no answer, no route or an address that never refused is silence. If the refusal comes before the
 * last connection is known to be gone, it is asked for once more.
 *
 * <p>Everything but {@link #outbound} happens on one event loop, which is also that of the dialled
 * channel; so the events of one peer come in order, and {@code authenticated} comes before the
 * first message over the connection that it speaks of.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close closes the channel
final class PeerLink {
  private static final Logger LOG = LoggerFactory.getLogger(PeerLink.class);

  /** A dialled connection that has lived this long proves that attempts may start at once again. */
  private static final long STABLE_MILLIS = 1_000;

  private final MemberId id;
  private final EventLoop loop;
  private final PeerLinks links;
  private final Backoff backoff = new Backoff(new SplittableRandom());

  private volatile @Nullable Outbound dialled; // not null exactly in CONNECTED
  private volatile @Nullable Outbound accepted;

  private @Nullable Address wanted; // null: not to be dialled
  private Dial dial = Dial.IDLE;
  private @Nullable Future<?> retry; // not null exactly in WAITING
  private boolean connected; // at least one connection is there
  private boolean everConnected; // one was
  private boolean addressRefused; // the last attempt ended so
  private boolean dead; // reported, and not heard of since
  private boolean removed; // no longer in links; false to true once

  private enum Dial {
    /** Nothing is under way; only while the peer is not wanted. */
    IDLE,
    /** An attempt is under way; its result will come. */
    IN_PROGRESS,
    /** The next attempt is scheduled. */
    WAITING,
    /** The dialled connection is there. */
    CONNECTED
  }

  PeerLink(MemberId id, EventLoop loop, PeerLinks links) {
    this.id = id;
    this.loop = loop;
    this.links = links;
  }

  /** Where to send a message of that kind, or null. Any thread. */
  @Nullable Outbound outbound(FrameCode.Phase kind) {
    boolean answer = kind == FrameCode.Phase.ANSWER;
    Outbound first = answer ? accepted : dialled;
    return first != null ? first : answer ? dialled : accepted;
  }

  /** Looks again at whether the peer is wanted. Any thread. */
  void revisit() {
    onLoop(this::reconcile);
  }

  /** Closes its connections. Any thread. */
  void disconnect() {
    onLoop(this::closeConnections);
  }

  /** Takes a connection that the peer has dialled; the newest stays. Any thread. */
  void attach(Outbound outbound) {
    onLoop(() -> acceptedUp(outbound));
  }

  private void reconcile() {
    if (removed) {
      links.revisit(id);
      return;
    }
    Address now = links.wanted(id);
    if (!Objects.equals(now, wanted)) {
      boolean wasWanted = wanted != null;
      wanted = now;
      backoff.reset();
      cancelRetry();
      if (wasWanted) {
        closeConnections();
      }
      if (now != null && dial == Dial.IDLE) {
        startDial(now);
      }
    }
    removeIfUnused();
  }

  private void closeConnections() {
    if (dialled != null) {
      dialled.close();
    }
    if (accepted != null) {
      accepted.close();
    }
  }

  private void startDial(Address address) {
    dial = Dial.IN_PROGRESS;
    links.dialler().dial(loop, id, address, result -> dialEnded(address, result));
  }

  private void dialEnded(Address address, DialResult result) {
    dial = Dial.IDLE;
    if (!address.equals(wanted)) {
      if (result instanceof DialResult.Connected late) {
        late.outbound().close();
      }
    } else if (result instanceof DialResult.Connected up) {
      dialledUp(up);
      return;
    } else if (result instanceof DialResult.Refused refused) {
      links.events().refused(id, refused.reason());
    } else if (result instanceof DialResult.OtherAnswered other) {
      otherAnswered(other.actual());
    } else if (result instanceof DialResult.Unreachable unreachable) {
      unreachable(unreachable.byRefusal());
    }
    redial();
  }

  private void dialledUp(DialResult.Connected up) {
    Outbound outbound = up.outbound();
    dialled = outbound;
    dial = Dial.CONNECTED;
    addressRefused = false;
    connectionUp();
    links.events().authenticated(up.greeting().facts(), up.greeting().view());
    loop.schedule(() -> stable(outbound), STABLE_MILLIS, TimeUnit.MILLISECONDS);
    outbound.channel().closeFuture().addListener(closed -> dialledDown());
  }

  private void stable(Outbound outbound) {
    if (dialled == outbound) {
      backoff.reset();
    }
  }

  private void dialledDown() {
    dialled = null;
    dial = Dial.IDLE;
    connectionDown();
    redial();
  }

  private void acceptedUp(Outbound outbound) {
    if (removed) {
      links.accepted(id, outbound);
      return;
    }
    Outbound replaced = accepted;
    accepted = outbound;
    connectionUp();
    if (replaced != null) {
      replaced.close();
    }
    outbound.channel().closeFuture().addListener(closed -> onLoop(() -> acceptedDown(outbound)));
  }

  private void acceptedDown(Outbound outbound) {
    if (accepted != outbound) {
      return;
    }
    accepted = null;
    connectionDown();
    if (!connected && addressRefused && dial == Dial.WAITING && wanted != null) {
      cancelRetry();
      startDial(wanted);
    }
    removeIfUnused();
  }

  private void connectionUp() {
    dead = false;
    everConnected = true;
    if (!connected) {
      connected = true;
      LOG.info("peer {} connected", id);
    }
  }

  private void connectionDown() {
    if (connected && dialled == null && accepted == null) {
      connected = false;
      LOG.info("peer {} disconnected", id);
      links.events().disconnected(id);
    }
  }

  private void unreachable(boolean byRefusal) {
    addressRefused = byRefusal;
    if (byRefusal && everConnected && !connected) {
      die("its address refuses");
    } else {
      links.events().unreachable(id);
    }
  }

  private void otherAnswered(MemberId actual) {
    if (actual.name().equals(id.name())) {
      die("another incarnation answers at its address");
    } else {
      links.events().refused(id, HandshakeRefusal.OTHER_MEMBER);
    }
  }

  private void die(String proof) {
    if (!dead) {
      dead = true;
      LOG.info("peer {} is dead: {}", id, proof);
      links.events().died(id);
    }
  }

  private void redial() {
    Address address = wanted;
    if (address == null) {
      removeIfUnused();
      return;
    }
    long waitMillis = backoff.nextMillis();
    if (waitMillis == 0) {
      startDial(address);
      return;
    }
    dial = Dial.WAITING;
    retry = loop.schedule(this::waited, waitMillis, TimeUnit.MILLISECONDS);
  }

  private void waited() {
    retry = null;
    dial = Dial.IDLE;
    if (wanted != null) {
      startDial(wanted);
    }
  }

  private void cancelRetry() {
    if (retry != null) {
      retry.cancel(false);
      retry = null;
      dial = Dial.IDLE;
    }
  }

  private void removeIfUnused() {
    if (wanted == null && dial == Dial.IDLE && accepted == null && !removed) {
      removed = true;
      links.remove(id, this);
    }
  }

  private void onLoop(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException closed) {
      LOG.debug("the network has closed; nothing is left to do for {}", id);
    }
  }
}
