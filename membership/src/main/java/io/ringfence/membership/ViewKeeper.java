package io.ringfence.membership;

import io.ringfence.membership.Acquaintance.Standing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one node's view, and brings all nodes to the same one.
 *
 * <p>It is a step machine. Inputs tell it what happened (a set of introductions, a proof, a loss, a
 * view, a report) and {@link #tick} tells it the time; it answers through {@link ViewActions}. It
 * starts no thread, reads no clock and sends nothing by itself. Views that arrive are taken at
 * once; everything that this node decides of its own accord, it decides in {@code tick}, so the
 * order of inputs between two ticks does not matter to it.
 *
 * <p><b>Without a view</b> a node waits to be added by the senior of any lineage that a proven
 * candidate holds. It starts a lineage itself only when it finds none: no proven candidate holds a
 * view, no proven candidate was introduced earlier (that one starts instead), and every other
 * candidate has been refused, is dead, or has used up its patience. A stranger can so delay a
 * start, by a bounded time, and cannot prevent it. A node that gave up a view, or saw one that does
 * not list it, first gives whoever holds a later one the same time to add it.
 *
 * <p><b>With a view</b> the first voter that is not gone proposes the next: it collects changes for
 * a short pause, installs epoch + 1 and publishes it to the members of both views. {@link
 * Succession} says who that is, and whom the view lists.
 *
 * <p><b>A view that arrives</b> is installed when it is later than ours in our lineage, or belongs
 * to a lineage that wins over ours. If it does not list this node, the node drops what it has and
 * waits to be added again. Names within a lineage never go back on a node. A mere name, later than
 * ours, only makes us ask for the view.
 *
 * <p><b>Lost messages</b> are made good from reports: the proposer sends its view again to whoever
 * reports an older one or, being listed, none; whoever hears of a later one asks for it; and where
 * it is the proposer that is behind, anyone tells it.
 *
 * <p>Agreement here holds while introductions and proofs of death are right and all see much the
 * same, that is, in calm weather. It does not decide between proposers who disagree about that.
 * Ballots already order such views and no two share a name.
 *
 * <p>Confined to one thread, which makes every call, except {@link #current}, {@link
 * #ignoredIntroductions} and {@link #conflictingViews}, which any thread may call. Nothing blocks.
 */
public final class ViewKeeper {
  private static final Logger log = LoggerFactory.getLogger(ViewKeeper.class);
  private static final int LINEAGES_REMEMBERED = 16;

  private final Introduction self;
  private final ViewKeeperSettings settings;
  private final ViewActions actions;
  private final LongSupplier lineageIds;
  private final Acquaintances known;
  private final Succession succession;
  // The latest name seen per lineage, a name only ever grows; the lineage longest unused goes
  // first.
  private final Map<Lineage, ViewName> latest = new LinkedHashMap<>(16, 0.75f, true);

  private volatile @Nullable View view; // lists this node whenever it is not null
  private volatile long ignoredIntroductions;
  private final AtomicLong conflictingViews = new AtomicLong();
  private long nowNanos; // as of the last tick
  private boolean changePending; // whether the next view would differ from this one
  private long changeSinceNanos; // since when, if so
  private boolean viewless; // whether viewlessSinceNanos counts
  private long viewlessSinceNanos;
  private boolean leaving; // never cleared
  private long nextLeaveNanos;
  private boolean quorumSeen = true;

  /**
   * @param self what this node says of itself
   * @param lineageIds random ids for lineages that this node starts
   * @param nowNanos the time now, on the clock of all later ticks
   */
  public ViewKeeper(
      Introduction self,
      ViewKeeperSettings settings,
      ViewActions actions,
      LongSupplier lineageIds,
      long nowNanos) {
    this.self = self;
    this.settings = settings;
    this.actions = actions;
    this.lineageIds = lineageIds;
    this.nowNanos = nowNanos;
    this.known = new Acquaintances(self.id());
    this.succession = new Succession(self, known, settings.absenceNanos());
  }

  /** The view that this node holds, or null. Any thread may ask. */
  public @Nullable View current() {
    return view;
  }

  /** How many introductions were ignored because too many processes were known. Any thread. */
  public long ignoredIntroductions() {
    return ignoredIntroductions;
  }

  /** How many views bore the name of ours and listed others; 0 in a sound cluster. Any thread. */
  public long conflictingViews() {
    return conflictingViews.get();
  }

  /** Takes the whole set of introductions, oldest first, this node included. */
  public void candidates(List<Candidate> candidates) {
    known.introduce(candidates, nowNanos);
    ignoredIntroductions = known.ignored();
  }

  /**
   * A peer has proved itself on the peer channel, or has told new facts of itself. It counts as
   * within reach until {@link #unreachable}, {@link #refused}, {@link #left} or {@link #died}; one
   * of them must follow when its last connection ends.
   *
   * @param theirs the view that it holds, or null
   */
  public void authenticated(Introduction facts, @Nullable View theirs) {
    if (facts.id().equals(self.id())) {
      return;
    }
    known.prove(facts, nowNanos);
    ignoredIntroductions = known.ignored();
    Acquaintance peer = known.get(facts.id());
    if (peer != null) {
      peer.view = theirs == null ? null : theirs.name();
    }
    nextLeaveNanos = nowNanos; // a new peer has not heard that this node leaves
    if (theirs != null) {
      received(theirs);
    }
  }

  /**
   * A candidate failed to prove itself: it is a stranger, until it does. Nothing changes for a peer
   * that has proved itself, since anybody can claim its id to discovery and then fail.
   */
  public void refused(MemberId id) {
    Acquaintance peer = known.get(id);
    if (peer != null && peer.standing != Standing.PROVEN && !peer.ended()) {
      peer.standing = Standing.STRANGER;
    }
  }

  /** A peer cannot be reached now. It stays in the view: silence proves nothing. */
  public void unreachable(MemberId id) {
    Acquaintance peer = known.get(id);
    if (peer != null && peer.standing == Standing.PROVEN) {
      peer.standing = Standing.SILENT;
      peer.view = null;
      peer.owesProofSinceNanos = nowNanos;
    }
  }

  /**
   * A peer is proven dead: its address refuses connections (ECONNREFUSED and nothing else), after
   * its connection was reset or where there never was one. A restart under the same name at the
   * same address needs no call; the new incarnation's proof tells.
   */
  public void died(MemberId id) {
    Acquaintance peer = known.get(id);
    if (peer != null && peer.standing != Standing.LEFT) {
      peer.standing = Standing.DEAD;
    }
  }

  /** A peer says that it is leaving; it is in no later view. */
  public void left(MemberId id) {
    Acquaintance peer = known.get(id);
    if (peer != null) {
      peer.standing = Standing.LEFT;
    }
  }

  /**
   * This node leaves: it says so to everybody it can reach, again and again until it ends, since a
   * newcomer who may propose has not heard it before. It stays in its view until one without it
   * arrives, or it is alone, and starts no other.
   */
  public void leave() {
    if (leaving) {
      return;
    }
    leaving = true;
    announceLeave();
    View held = view;
    if (held != null && held.members().size() == 1) {
      drop(held, "the last member leaves");
    }
  }

  /**
   * A peer's status message came.
   *
   * @param theirs the name of the view that it holds, or null
   */
  public void reported(MemberId from, @Nullable ViewName theirs) {
    Acquaintance peer = known.get(from);
    if (peer == null || peer.facts == null || peer.ended()) {
      return;
    }
    peer.standing = Standing.PROVEN;
    peer.view = theirs;
    View held = view;
    if (held == null) {
      return;
    }
    if (theirs == null ? held.contains(from) : held.name().isAfter(theirs)) {
      MemberId proposer = succession.proposer(held, nowNanos);
      if (self.id().equals(proposer) || from.equals(proposer)) {
        sendAgain(held, peer);
      }
    } else if (theirs != null && theirs.isAfter(held.name())) {
      if (nowNanos - peer.nextFetchNanos >= 0) {
        peer.nextFetchNanos = nowNanos + settings.resendNanos();
        actions.fetch(from);
      }
    }
  }

  /** A view came, published or fetched, from a peer that had proved itself. */
  public void received(View theirs) {
    View held = view;
    if (held == null || !held.lineage().equals(theirs.lineage())) {
      receivedOfOtherLineage(held, theirs);
    } else if (theirs.name().isAfter(held.name())) {
      adopt(held, theirs, "a later view does not list this node");
    } else if (theirs.name().equals(held.name()) && !theirs.equals(held)) {
      conflictingViews.incrementAndGet();
      log.error("two views bear one name; keeping {}, ignoring {}", held, theirs);
    }
  }

  private void receivedOfOtherLineage(@Nullable View held, View theirs) {
    ViewName seen = latest.get(theirs.lineage());
    if ((seen != null && seen.isAfter(theirs.name())) || !hasLiveWitness(theirs)) {
      return;
    }
    if (held == null) {
      adopt(null, theirs, "");
    } else if (theirs.lineage().winsOver(held.lineage())) {
      adopt(held, theirs, "its lineage gives way to " + theirs.lineage());
    } else {
      for (Member member : theirs.members()) {
        Acquaintance peer = known.get(member.id());
        if (peer != null && peer.standing == Standing.PROVEN) {
          sendAgain(held, peer);
        }
      }
    }
  }

  /** Whether somebody else in the view still lives, so that its lineage is not a mere echo. */
  private boolean hasLiveWitness(View theirs) {
    for (Member member : theirs.members()) {
      Acquaintance peer = known.get(member.id());
      if (peer != null && peer.standing == Standing.PROVEN) {
        return true;
      }
    }
    return false;
  }

  private void adopt(@Nullable View held, View theirs, String reasonIfAbsent) {
    if (!theirs.contains(self.id())) {
      remember(theirs);
      if (held != null) {
        drop(held, leaving ? "it has left" : reasonIfAbsent);
      }
    } else if (!leaving || held != null) {
      install(theirs);
    }
  }

  /** Lets time pass, and decides what is due. Calls about every 20 ms keep the delays short. */
  public void tick(long newNanos) {
    nowNanos = newNanos;
    View held = view;
    known.refresh(held, settings.patienceNanos(), nowNanos);
    if (leaving) {
      if (nowNanos - nextLeaveNanos >= 0) {
        announceLeave();
      }
    } else if (held == null) {
      if (mayStartLineage()) {
        startLineage();
      }
    } else {
      proposeIfDue(held);
    }
  }

  private boolean mayStartLineage() {
    if (!known.introduced()) {
      return false;
    }
    if (!viewless) {
      viewless = true;
      viewlessSinceNanos = nowNanos;
    }
    boolean justDropped =
        !latest.isEmpty() && nowNanos - viewlessSinceNanos < settings.patienceNanos();
    if (justDropped || known.anyHoldsView()) {
      return false;
    }
    List<Acquaintance> listed = known.listed();
    for (int i = 0; i < listed.size(); i++) {
      Acquaintance candidate = listed.get(i);
      boolean inOurWay =
          switch (candidate.standing) {
            case PROVEN -> known.isOlderThanSelf(i);
            case INTRODUCED, SILENT -> mayStillProve(candidate);
            case STRANGER, LEFT, DEAD -> false;
          };
      if (inOurWay) {
        return false;
      }
    }
    return true;
  }

  /** Patience counts per candidate, and in total twice, however many keep turning up. */
  private boolean mayStillProve(Acquaintance candidate) {
    long patience = settings.patienceNanos();
    return nowNanos - candidate.owesProofSinceNanos < patience
        && nowNanos - viewlessSinceNanos < 2 * patience;
  }

  private void startLineage() {
    Lineage lineage = new Lineage(1, lineageIds.getAsLong());
    List<Member> members = List.of(self.as(MemberState.ACTIVE, true));
    install(new View(lineage, ViewName.proposed(1, 0, self.id()), members, true));
  }

  private void proposeIfDue(View held) {
    if (!self.id().equals(succession.proposer(held, nowNanos))) {
      changePending = false;
      return;
    }
    List<Member> next = succession.nextMembers(held, nowNanos);
    boolean changed = !next.equals(held.members());
    if (changed && !changePending) {
      changeSinceNanos = nowNanos;
    }
    changePending = changed;
    if (changed && nowNanos - changeSinceNanos >= settings.batchNanos() && noteQuorum(held)) {
      propose(held, next);
    }
  }

  private boolean noteQuorum(View held) {
    boolean seen = succession.seesQuorum(held, nowNanos);
    if (seen != quorumSeen) {
      quorumSeen = seen;
      if (seen) {
        log.info("enough voters of {} are in sight again; views can change", held.stamp());
      } else {
        log.warn("too few voters of {} are in sight; it stays as it is", held.stamp());
      }
    }
    return seen;
  }

  private void propose(View held, List<Member> members) {
    ViewName name = ViewName.proposed(held.epoch() + 1, succession.round(held), self.id());
    boolean settled = members.stream().allMatch(m -> m.inBase() == m.state().inTarget());
    View next = new View(held.lineage(), name, members, settled);
    install(next);
    publish(next, others(held, next));
  }

  private List<MemberId> others(View... views) {
    List<MemberId> others = new ArrayList<>();
    for (View each : views) {
      for (Member member : each.members()) {
        if (!member.id().equals(self.id()) && !others.contains(member.id())) {
          others.add(member.id());
        }
      }
    }
    return others;
  }

  private void publish(View published, Collection<MemberId> to) {
    if (to.isEmpty()) {
      return;
    }
    for (MemberId id : to) {
      Acquaintance peer = known.get(id);
      if (peer != null) {
        peer.nextSendNanos = nowNanos + settings.resendNanos();
      }
    }
    actions.publish(published, List.copyOf(to));
  }

  private void sendAgain(View held, Acquaintance peer) {
    if (nowNanos - peer.nextSendNanos >= 0) {
      publish(held, List.of(peer.id));
    }
  }

  private void announceLeave() {
    nextLeaveNanos = nowNanos + settings.resendNanos();
    List<MemberId> reachable = known.proven();
    if (!reachable.isEmpty()) {
      actions.announceLeave(reachable);
    }
  }

  private void install(View next) {
    View before = view;
    for (Member member : next.members()) {
      if (!member.id().equals(self.id())) {
        known.learn(member.id(), member.peer(), nowNanos);
      }
    }
    remember(next);
    view = next;
    viewless = false;
    changePending = false;
    quorumSeen = true;
    log.info(
        "{} holds {}; before: {}",
        self.id().name(),
        next,
        before == null ? "none" : before.stamp());
    actions.installed(next);
  }

  private void drop(View held, String reason) {
    view = null;
    changePending = false;
    log.warn("{} no longer holds {}: {}", self.id().name(), held.stamp(), reason);
    actions.dropped(held, reason);
  }

  private void remember(View seen) {
    latest.merge(seen.lineage(), seen.name(), (a, b) -> a.isAfter(b) ? a : b);
    if (latest.size() > LINEAGES_REMEMBERED) {
      latest.remove(latest.keySet().iterator().next());
    }
  }
}
