package io.ringfence.engine;

import io.ringfence.engine.message.DetourMessage;
import io.ringfence.engine.message.PathMessage;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.engine.message.RelayMessage;
import io.ringfence.engine.message.RelayRefusal;
import io.ringfence.engine.message.RelayedMessage;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.View;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to a member with which there is no link: through a third that has one with both.
 *
 * <p>It lies beneath the engine and the keeper of the view, and above the links. A member that is
 * linked is sent to directly, at the cost of one look into a map that is empty as a rule. One that
 * is listed in the view and not linked is sent to through the first other member, counted from its
 * own place in the view, that is linked here and has not refused within the last second. That
 * member hands on if it has a link itself, and says if not; it never asks a fourth. So every frame
 * takes one hop or two, and a frame that finds no way is lost, as it would be on a link that
 * breaks. So are those of the first moment after a loss, which most often is that of a process.
 *
 * <p><b>Order.</b> What one member sends to another keeps its order as long as its way stays: both
 * links of a detour keep theirs. Where the way changes, what is under way on the old one must not
 * arrive after what went by the new one, or an old copy of a slot could be taken for a later one.
 * So ways are numbered, ascending over the life of a process. What is relayed carries the number;
 * who returns to the link says the new number over it first. A receiver drops what has a lower
 * number than it has heard of. And who hears by a new detour closes what it still believes to be a
 * link with that member: the other has none, and what might still come out of it is old.
 *
 * <p>Which way to take is each sender's own decision, by its own links; a link that is down one way
 * is closed by whoever hears nothing, and so by both.
 *
 * <p>Thread-safe; does not block. Bounded: it keeps something for members of the view alone, and no
 * message; what is handed on waits in the queue of a link, whose bound is its own.
 */
public final class Relay implements PeerTransport {
  private static final Logger LOG = LoggerFactory.getLogger(Relay.class);
  private static final long REFUSED_NANOS = 1_000_000_000L;

  /** A process that died refuses within that time; there is no way to it. */
  static final long PATIENCE_NANOS = 20_000_000L;

  private final MemberId self;
  private final Direct direct;
  private final LongSupplier elapsedNanos;
  private final AtomicLong paths = new AtomicLong(); // the number of the latest way to anybody
  private final AtomicLong handedOn = new AtomicLong();
  private final Map<MemberId, Detour> detours = new ConcurrentHashMap<>(); // the unlinked members
  private final Map<MemberId, Origin> origins = new ConcurrentHashMap<>(); // heard by detours
  private volatile List<MemberId> members = List.of(); // of the view, by seniority

  /** The links of this node. */
  public interface Direct extends PeerTransport {
    /** Whether there is a link with that member, as far as this node knows. */
    boolean isConnected(MemberId member);

    /** Gives up what this node believes to be a link with that member. */
    void disconnect(MemberId member);
  }

  /**
   * A relay that knows of no members yet.
   *
   * @param elapsedNanos a monotonic clock
   */
  public Relay(MemberId self, Direct direct, LongSupplier elapsedNanos) {
    this.self = self;
    this.direct = direct;
    this.elapsedNanos = elapsedNanos;
  }

  @Override
  public boolean send(MemberId to, PeerMessage message) {
    Detour detour = detours.get(to);
    return detour == null ? direct.send(to, message) : detour.send(message);
  }

  /** How many members are sent to through others. */
  public int detours() {
    return detours.size();
  }

  /** How many messages of other members this node has handed on. */
  public long handedOn() {
    return handedOn.get();
  }

  /** The members that may be sent to, and asked to hand on, are now those of that view. */
  public void installed(View view) {
    members = view.members().stream().map(member -> member.id()).toList();
    Set<MemberId> listed = members.stream().collect(Collectors.toSet());
    detours.keySet().removeIf(member -> !listed.contains(member));
    origins.keySet().removeIf(member -> !listed.contains(member));
  }

  /** There may be no link with that member any more, or none came about. */
  public void unlinked(MemberId member) {
    if (members.contains(member) && !direct.isConnected(member) && !member.equals(self)) {
      detours.computeIfAbsent(member, Detour::new);
    }
  }

  /** This node has dialled that member: there is a link. */
  public void linked(MemberId member) {
    Detour detour = detours.get(member);
    if (detour != null) {
      detour.end();
    }
  }

  /** That member is dead; nobody reaches it. */
  public void died(MemberId member) {
    detours.remove(member);
    origins.remove(member);
  }

  /**
   * Something came over a link.
   *
   * @param deliver told of what is for this node, and of who has said it
   */
  public void received(
      MemberId from, PeerMessage message, BiConsumer<MemberId, PeerMessage> deliver) {
    if (!(message instanceof DetourMessage)) {
      deliver.accept(from, message);
    } else if (message instanceof RelayMessage relay) {
      handOn(from, relay);
    } else if (message instanceof RelayedMessage relayed) {
      origins.computeIfAbsent(relayed.from(), Origin::new).heard(relayed, deliver);
    } else if (message instanceof PathMessage path) {
      origins.computeIfAbsent(from, Origin::new).isDirect(path.path());
    } else if (message instanceof RelayRefusal refusal) {
      Detour detour = detours.get(refusal.to());
      if (detour != null) {
        detour.refused(from);
      }
    }
  }

  private void handOn(MemberId from, RelayMessage relay) {
    RelayedMessage handed = new RelayedMessage(from, relay.path(), relay.message());
    if (direct.isConnected(relay.to()) && direct.send(relay.to(), handed)) {
      handedOn.incrementAndGet();
    } else {
      direct.send(from, new RelayRefusal(relay.to()));
    }
  }

  /** The way to a member without a link. Guarded by its own monitor. */
  private final class Detour {
    private final MemberId to;
    private final long sinceNanos = elapsedNanos.getAsLong();
    private final Map<MemberId, Long> refusedAtNanos = new HashMap<>(); // of members of the view
    private @Nullable MemberId through;
    private long path;
    private boolean looks; // false to true once: a way is looked for
    private boolean ended; // false to true once: the link is there

    Detour(MemberId to) {
      this.to = to;
    }

    synchronized boolean send(PeerMessage message) {
      if (ended) {
        return direct.send(to, message);
      }
      if (!looks && elapsedNanos.getAsLong() - sinceNanos < PATIENCE_NANOS) {
        return false;
      }
      if (!looks) {
        looks = true;
        LOG.warn("{} has no link with {} and looks for a way through another member", self, to);
      }
      if (through == null || !leadsOn(through)) {
        turn(members.stream().filter(this::comesLater).filter(this::leadsOn).findFirst());
      }
      if (through == null) {
        turn(members.stream().filter(this::leadsOn).findFirst());
      }
      return through != null && direct.send(through, new RelayMessage(to, path, message));
    }

    private void turn(Optional<MemberId> next) {
      through = next.orElse(null);
      if (through != null) {
        path = paths.incrementAndGet();
        LOG.info("{} sends to {} through {}", self, to, through);
      }
    }

    /** Whether a member comes after the one without a link, so that not all ask the same third. */
    private boolean comesLater(MemberId member) {
      return members.indexOf(member) > members.indexOf(to);
    }

    private boolean leadsOn(MemberId member) {
      Long refused = refusedAtNanos.get(member);
      return !member.equals(to)
          && !member.equals(self)
          && !detours.containsKey(member)
          && direct.isConnected(member)
          && (refused == null || elapsedNanos.getAsLong() - refused >= REFUSED_NANOS);
    }

    synchronized void refused(MemberId by) {
      refusedAtNanos.keySet().retainAll(members);
      refusedAtNanos.put(by, elapsedNanos.getAsLong());
      if (by.equals(through)) {
        through = null;
      }
    }

    /** The link is there, and the first thing that it carries says so. */
    synchronized void end() {
      if (!ended && direct.send(to, new PathMessage(paths.incrementAndGet()))) {
        ended = true;
        detours.remove(to, this);
        LOG.info("{} has a link with {} again", self, to);
      }
    }
  }

  /** A member that is heard by detours. Guarded by its own monitor, also while it is heard. */
  private final class Origin {
    private final MemberId id;
    private long path; // the highest number heard of; what has a lower one is late

    Origin(MemberId id) {
      this.id = id;
    }

    synchronized void heard(RelayedMessage relayed, BiConsumer<MemberId, PeerMessage> deliver) {
      if (relayed.path() < path) {
        return;
      }
      if (relayed.path() > path) {
        path = relayed.path();
        direct.disconnect(id);
      }
      deliver.accept(id, relayed.message());
    }

    synchronized void isDirect(long number) {
      path = Math.max(path, number);
    }
  }
}
