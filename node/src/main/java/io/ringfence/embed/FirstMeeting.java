package io.ringfence.embed;

import io.ringfence.engine.Clock;
import io.ringfence.engine.Timers;
import io.ringfence.membership.Address;
import io.ringfence.membership.Candidate;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a node that starts from founding a cluster of its own beside the one that it was told to
 * join.
 *
 * <p>Nodes that start at the same moment may each find themselves alone until discovery has brought
 * them together, seconds later; if each founded a cluster meanwhile, each would admit every limit.
 * So while discovery knows of nobody else, and an address to join does not refuse, the
 * introductions are held back: somebody is there and will be introduced. An address that never
 * leads to anybody (another service listens there) delays the start by {@link #PATIENCE_NANOS} and
 * no more, and the log says so.
 *
 * <p>Introductions may come on any thread; looking at addresses blocks the timers' thread for a
 * fifth of a second an address at most.
 */
final class FirstMeeting {
  private static final Logger LOG = LoggerFactory.getLogger(FirstMeeting.class);
  private static final long PATIENCE_NANOS = Duration.ofSeconds(12).toNanos();
  private static final long LOOK_NANOS = Duration.ofMillis(200).toNanos();
  private static final int CONNECT_MILLIS = 200;
  private static final int MOST_ADDRESSES = 16;
  private static final int USUAL_PORT = 5_701;

  private final List<Address> others;
  private final Clock clock;
  private final Timers timers;
  private final Consumer<List<Candidate>> onward;

  private boolean met; // never cleared; guarded by this
  private List<Candidate> held = List.of(); // the latest while not met; guarded by this
  private long sinceNanos; // of the first introduction; 0 before; guarded by this

  /**
   * @param join where to look for others, as configured
   * @param self this node's own cluster address, which may be among them; port 0 where not yet
   *     known
   */
  FirstMeeting(
      List<String> join,
      Address self,
      Clock clock,
      Timers timers,
      Consumer<List<Candidate>> onward) {
    this.others =
        join.stream()
            .map(
                entry ->
                    entry.indexOf(':') < 0 ? new Address(entry, USUAL_PORT) : Address.parse(entry))
            .filter(address -> !address.equals(self))
            .limit(MOST_ADDRESSES)
            .toList();
    this.clock = clock;
    this.timers = timers;
    this.onward = onward;
  }

  /** Takes the whole set of introductions, this node included. */
  synchronized void introduced(List<Candidate> candidates) {
    if (met || candidates.size() > 1 || others.isEmpty()) {
      met = true;
      onward.accept(candidates);
      return;
    }
    held = candidates;
    if (sinceNanos == 0) {
      sinceNanos = clock.elapsedNanos();
      timers.after(0, this::look);
    }
  }

  private void look() {
    Address there = firstThatMayBeThere();
    synchronized (this) {
      if (met) {
        return;
      }
      boolean patient = clock.elapsedNanos() - sinceNanos < PATIENCE_NANOS;
      if (there != null && patient) {
        timers.after(LOOK_NANOS, this::look);
        return;
      }
      if (there != null) {
        LOG.warn("{} does not refuse, but nobody was introduced from there; starting alone", there);
      }
      met = true;
      onward.accept(held);
    }
  }

  /** The first address that does not refuse: silence may be a process that is busy starting. */
  private @Nullable Address firstThatMayBeThere() {
    for (Address address : others) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(address.host(), address.port()), CONNECT_MILLIS);
        return address;
      } catch (SocketTimeoutException silent) {
        return address;
      } catch (IOException nobody) {
        LOG.debug("nobody is at {}", address, nobody);
      }
    }
    return null;
  }
}
