package io.ringfence.membership;

import io.ringfence.membership.Acquaintance.Standing;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one node's view and its lease, and brings all nodes to the same view.
 *
 * <p>It is a step machine. Inputs tell it what happened (a set of introductions, a proof, a loss, a
 * view, a word of a member) and {@link #tick} tells it the time; it answers through {@link
 * ViewActions}. It starts no thread, reads no clock and sends nothing by itself. Words are answered
 * and decided views taken at once; everything that this node decides of its own accord, it decides
 * in {@code tick}.
 *
 * <p>The subjects are apart: {@link Agreement} decides which view comes next, {@link Succession}
 * what it should say, {@link FailureSuspicion} who is silent, {@link Departures} whose lease may
 * still run, {@link Lease} whether this node may decide, {@link LineageMeeting} which of two
 * lineages gives way, {@link Founding} whether to start one, {@link Stranding} whether to give one
 * up, {@link PingRounds} whom to ping, {@link Hearsay} whom to ask for its view, {@link Deaths} who
 * has died in the view held, and {@link SafetyRules} has the judgements that all of it rests on.
 *
 * <p><b>Pings</b> go to the voters of the view, and more seldom to everybody else who is proven.
 * They ask for a share of a lease, and tell which view the sender holds; answers tell the same of
 * their sender. Whoever hears so of a later view asks for it: a name alone changes nothing. Lost
 * views are made good this way, within a few pings.
 *
 * <p><b>A view that arrives</b> has been decided. It is held if it supersedes the one held in the
 * same lineage, or belongs to a lineage to which ours gives way. A node that it lists as AWAY holds
 * it and owns nothing by it, so it can ask those who do; a node that it does not list holds no view
 * and waits to be added.
 *
 * <p><b>Stranded</b> is a node without a lease that has proof that every other voter of its view is
 * dead, or sees that it holds no lease either. After a time ({@code aloneNanos}) the first of them
 * gives the view up and starts a lineage, to which the others give way, or joins one that it finds.
 * Where a voter may live elsewhere there is no such way out, only the operator's.
 *
 * <p>Confined to one thread, which makes every call, except {@link #current}, {@link #lease},
 * {@link #ignoredIntroductions} and {@link #conflictingViews}, which any thread may call. Nothing
 * blocks.
 */
public final class ViewKeeper {
  private static final Logger log = LoggerFactory.getLogger(ViewKeeper.class);

  private final Introduction self;
  private final ViewKeeperSettings settings;
  private final ViewActions actions;
  private final LongSupplier lineageIds;
  private final SafetyRules rules;
  private final Acquaintances known;
  private final FailureSuspicion suspicion;
  private final Departures departures;
  private final Agreement agreement;
  private final Succession succession;
  private final LineageMeeting lineages = new LineageMeeting();
  private final Founding founding;
  private final Stranding stranding;
  private final PingRounds pings;
  private final Hearsay hearsay;
  private final Deaths deaths;
  private final Lease lease;

  private volatile @Nullable View view; // lists this node whenever it is not null
  private @Nullable View overheard; // the latest view of others, once this node has left
  private volatile long ignoredIntroductions;
  private final AtomicLong conflictingViews = new AtomicLong();
  private long nowNanos; // as of the last tick
  private boolean changePending; // whether the next view would differ from this one
  private long changeSinceNanos; // since when, if so
  private boolean leaving; // never cleared: whether this node wants to be in no view
  private boolean ending; // never cleared; only while leaving: whether the process ends then
  private long nextLeaveNanos;

  /**
   * @param self what this node says of itself
   * @param lease this node's, new; its start is that of the clock of all later ticks
   * @param lineageIds random ids for lineages that this node starts
   */
  public ViewKeeper(
      Introduction self,
      ViewKeeperSettings settings,
      Lease lease,
      ViewActions actions,
      LongSupplier lineageIds) {
    this.self = self;
    this.settings = settings;
    this.lease = lease;
    this.actions = actions;
    this.lineageIds = lineageIds;
    this.rules = lease.rules();
    this.nowNanos = lease.heldUntilNanos();
    this.nextLeaveNanos = nowNanos;
    LeaseSettings times = lease.settings();
    this.known = new Acquaintances(self.id());
    this.suspicion = new FailureSuspicion(self.id(), known, rules, times);
    this.departures = new Departures(times);
    this.agreement = new Agreement(self.id(), rules, actions, settings.resendNanos());
    this.succession = new Succession(self, known, suspicion, rules, times);
    this.founding = new Founding(known, settings.patienceNanos());
    this.stranding = new Stranding(self.id(), known, suspicion, settings.aloneNanos());
    this.hearsay = new Hearsay(lineages, suspicion, actions, settings.resendNanos(), times);
    this.pings = new PingRounds(times.pingNanos(), settings.resendNanos(), nowNanos);
    this.deaths = new Deaths(rules, lease);
  }

  /** The view that this node holds, or null. Any thread may ask. */
  public @Nullable View current() {
    return view;
  }

  /** This node's lease, the same object for ever. Any thread may ask. */
  public Lease lease() {
    return lease;
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
   * within reach until {@link #unreachable}, {@link #refused} or {@link #died}; one of them must
   * follow when its last connection ends.
   *
   * @param theirs the view that it holds, or null
   */
  public void authenticated(Introduction facts, @Nullable View theirs) {
    if (facts.id().equals(self.id())) {
      return;
    }
    known.prove(facts, nowNanos);
    ignoredIntroductions = known.ignored();
    nextLeaveNanos = nowNanos; // a new peer has not heard that this node leaves
    Acquaintance peer = known.get(facts.id());
    if (peer == null) {
      return;
    }
    peer.view = theirs == null ? null : theirs.stamp();
    suspicion.heard(peer, nowNanos);
    actions.say(ping(), List.of(facts.id()));
    if (theirs != null) {
      received(facts.id(), theirs);
    }
  }

  /**
   * A candidate failed to prove itself: it is a stranger, until it does. Nothing changes for a peer
   * that has proved itself, since anybody can claim its id to discovery and then fail.
   */
  public void refused(MemberId id) {
    Acquaintance peer = known.get(id);
    if (peer != null && !peer.isProven() && !peer.isDead()) {
      peer.standing = Standing.STRANGER;
    }
  }

  /** A peer cannot be reached now. It stays in the view: no connection proves nothing. */
  public void unreachable(MemberId id) {
    Acquaintance peer = known.get(id);
    if (peer != null && peer.isProven()) {
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
    if (peer != null) {
      peer.standing = Standing.DEAD;
      peer.view = null;
    }
  }

  /** A peer says that it is leaving: it drains, and is in no later view. */
  public void left(MemberId id) {
    Acquaintance peer = known.get(id);
    if (peer != null) {
      peer.leaving = true;
    }
  }

  /**
   * This node leaves: it says so to everybody it can reach, again and again until it ends, since a
   * newcomer who may propose has not heard it before. It stays in its view until one without it
   * arrives, or nobody else is present in it, and starts no other.
   */
  public void leave() {
    if (ending) {
      return;
    }
    ending = true;
    leaving = true;
    announceLeave();
    View held = view;
    if (held != null && held.hasNoneBut(self.id())) {
      drop(held, null, "the last member leaves");
    }
  }

  /**
   * An operator takes this node out of the view, and the process goes on. It differs from {@link
   * #leave} where all others are lost meanwhile: then this node stays in its view as its only
   * member, and leaves once somebody has come. It may be said any number of times.
   *
   * @return null if it leaves, or has left; or why it does not, for people
   */
  public @Nullable String drain() {
    View held = view;
    if (leaving) {
      return null;
    }
    if (held == null) {
      return "it is in no view";
    }
    if (held.members().stream().noneMatch(this::mayTakeSlots)) {
      return "no other member is there to take its slots";
    }
    leaving = true;
    log.info("{} is drained by an operator", self.id().name());
    announceLeave();
    return null;
  }

  private boolean mayTakeSlots(Member member) {
    Acquaintance a = known.get(member.id());
    return !member.id().equals(self.id())
        && member.state().inTarget()
        && (a == null || !(a.leaving || a.isDead()));
  }

  /**
   * An operator gives this node another weight, until the process ends. It counts from the next
   * planned change of the view on.
   *
   * @throws IllegalArgumentException when the weight is outside 1..100
   */
  public void weigh(int weight) {
    if (succession.weigh(weight)) {
      log.info("{} is to have weight {}", self.id().name(), weight);
      pings.atOnce(nowNanos); // whoever proposes is to know it
    }
  }

  /** The weight that a member has said it is to have, 1 to 100; 0 where it has said nothing. */
  public int weightSaid(MemberId id) {
    Acquaintance peer = known.get(id);
    return id.equals(self.id()) ? succession.weight() : peer == null ? 0 : peer.weight;
  }

  /** A decided view came, published or fetched, from a peer that had proved itself. */
  public void received(MemberId from, View theirs) {
    View held = view;
    Acquaintance sender = known.get(from);
    if (held != null && held.lineage().equals(theirs.lineage())) {
      receivedOfOwnLineage(held, theirs);
    } else if (sender != null && sender.isProven() && !lineages.isOutdated(theirs.stamp())) {
      if (held == null) {
        adopt(null, theirs, "");
      } else if (lineages.givesWay(
          held.lineage(), suspicion.isAlive(held, nowNanos), theirs.lineage(), sender.leased)) {
        adopt(held, theirs, "its lineage gives way to " + theirs.lineage());
      }
    }
  }

  private void receivedOfOwnLineage(View held, View theirs) {
    if (rules.supersedes(held, agreement.accepted(), theirs)) {
      adopt(held, theirs, "a later view does not list this node");
    } else if (theirs.name().equals(held.name()) && !theirs.equals(held)) {
      conflictingViews.incrementAndGet();
      log.error("two views bear one name; keeping {}, ignoring {}", held, theirs);
    }
  }

  private void adopt(@Nullable View held, View theirs, String reasonIfAbsent) {
    if (!theirs.contains(self.id())) {
      if (held == null && leaving) {
        overhear(theirs);
        return;
      }
      lineages.saw(theirs.stamp());
      if (held != null) {
        drop(held, theirs, leaving ? "it has left" : reasonIfAbsent);
      }
    } else if (!leaving || held != null) {
      install(theirs);
    }
  }

  /** Others hold a view, while this node has left: it follows them as it would as a member. */
  private void overhear(View theirs) {
    View before = overheard;
    boolean goesOn = theirs.members().stream().anyMatch(m -> isLeased(m.id(), theirs.lineage()));
    if (before == null
        || (before.lineage().equals(theirs.lineage())
            ? theirs.name().isAfter(before.name())
            : lineages.givesWay(
                before.lineage(), suspicion.isAlive(before, nowNanos), theirs.lineage(), goesOn))) {
      overheard = theirs;
      lineages.saw(theirs.stamp());
      actions.overheard(theirs);
    }
  }

  private boolean isLeased(MemberId id, Lineage lineage) {
    Acquaintance a = known.get(id);
    return a != null && a.leased && a.view != null && a.view.lineage().equals(lineage);
  }

  /** A member, or a peer that had proved itself, says something. */
  public void heard(MemberId from, ViewWord word) {
    Acquaintance peer = known.get(from);
    if (peer == null || peer.isDead()) {
      return;
    }
    if (peer.standing == Standing.SILENT && peer.facts != null) {
      peer.standing = Standing.PROVEN;
    }
    suspicion.heard(peer, nowNanos);
    if (word instanceof ViewWord.Ping ping) {
      pinged(peer, ping);
    } else if (word instanceof ViewWord.Pong pong) {
      answered(peer, pong);
    } else if (word instanceof ViewWord.Prepare prepare) {
      View held = view;
      agreement.prepare(from, prepare, held != null && succession.mayLead(held, from, nowNanos));
    } else if (word instanceof ViewWord.Promise promise) {
      agreement.promise(from, promise);
    } else if (word instanceof ViewWord.Propose propose) {
      agreement.propose(from, propose);
    } else if (word instanceof ViewWord.Accepted accepted) {
      agreement.accepted(from, accepted);
    }
  }

  private void pinged(Acquaintance peer, ViewWord.Ping ping) {
    suspicion.heard(peer, ping, nowNanos);
    peer.weight = ping.weight();
    View held = view;
    Member asking = held == null ? null : held.member(peer.id);
    boolean granted =
        held != null
            && asking != null
            && asking.state().isPresent()
            && votes(held)
            && ping.leaseNanos() <= lease.settings().leaseNanos()
            && rules.mayAnswer(held, agreement.accepted(), ping.view());
    ViewStamp ours = held == null ? null : held.stamp();
    actions.say(new ViewWord.Pong(ours, granted, ping.token()), List.of(peer.id));
    hearsay.holds(peer, ping.view(), held, nowNanos);
  }

  private void answered(Acquaintance peer, ViewWord.Pong pong) {
    View held = view;
    boolean counts =
        pong.granted()
            && held != null
            && held.stamp().equals(pong.view())
            && nowNanos - pong.token() >= 0;
    if (counts) {
      lease.answered(peer.id, rules.countsFrom(pong.token(), nowNanos));
      countLease();
      tellDeaths();
    }
    hearsay.holds(peer, pong.view(), held, nowNanos);
  }

  /** Lets time pass, and decides what is due. Calls about every 10 ms keep the delays short. */
  public void tick(long newNanos) {
    long passedNanos = newNanos - nowNanos;
    nowNanos = newNanos;
    if (passedNanos >= lease.settings().leaseNanos() / 2) {
      known.slept(passedNanos);
      founding.slept(passedNanos);
    }
    known.refresh(view, settings.patienceNanos(), nowNanos);
    countLease();
    noteLease();
    suspicion.tick(lease.isHeldAt(nowNanos), nowNanos);
    if (leaving && nowNanos - nextLeaveNanos >= 0) {
      announceLeave();
    }
    View held = view;
    if (held != null) {
      if (deaths.note(held, known::isDead, nowNanos)) {
        pings.atOnce(nowNanos);
      }
      goOn(held);
    } else if (!leaving && founding.isDue(lineages.sawAny(), nowNanos)) {
      startLineage(1);
    }
    pingIfDue();
    tellDeaths();
  }

  private void tellDeaths() {
    View held = view;
    if (held != null) {
      deaths.news(held, known::isDead).forEach(member -> actions.diedIn(held, member));
    }
  }

  private void noteLease() {
    View held = view;
    switch (lease.tick(nowNanos)) {
      case GAINED -> {
        log.info("{} holds a lease", self.id().name());
        actions.leaseGained();
      }
      case LAPSED ->
          log.warn(
              "{} holds no lease any more, and decides nothing until it has one: {}",
              self.id().name(),
              held == null ? "it is in no view" : "no quorum of the voters answers, in " + held);
      case UNCHANGED -> {
        // nothing to tell
      }
    }
  }

  private void goOn(View held) {
    if (ending && held.hasNoneBut(self.id())) {
      drop(held, null, "the last member leaves");
      return;
    }
    View decided = agreement.step(standing(held), nowNanos);
    if (decided == null) {
      giveUpIfStranded(held);
    } else {
      decided(held, decided, agreement.isProposing(decided.name()));
    }
  }

  private Agreement.Standing standing(View held) {
    boolean leads = succession.leads(held, nowNanos);
    Successor next =
        leads
            ? succession.next(held, rules.mayAdd(departedMayHoldLease()), leaving, nowNanos)
            : null;
    if (next != null && !changePending) {
      changeSinceNanos = nowNanos;
    }
    changePending = next != null;
    boolean due = next != null && nowNanos - changeSinceNanos >= settings.batchNanos();
    return new Agreement.Standing(
        leads, due ? next : null, lease.isHeldAt(nowNanos), known::isDead);
  }

  /** Whether somebody who has departed from the view held may still hold a lease. */
  boolean departedMayHoldLease() {
    return departures.mayHoldLease(known::isDead, nowNanos);
  }

  /**
   * Whether somebody may still decide who fell silent while it was present, as of the last tick and
   * by what this node knows: for 1.1 leases after this node learned the view that set it AWAY,
   * unless it is proven dead; and for as long after a first view, or one that did not follow the
   * one held before, since that leaves open who fell silent. While this is false no slot is open at
   * anybody who is not present in the view held.
   */
  public boolean departedMayDecide() {
    return departures.mayDecide(known::isDead, nowNanos);
  }

  /**
   * All slots of this node are where they belong in that view: those that it owns are open here and
   * their backups hold full copies. It may be said any number of times, and is ignored unless the
   * view is the one held. A view that is not settled is followed by one that is, once every present
   * member has said this in it; in a settled view nobody needs to.
   */
  public void slotsAreDone(ViewStamp which) {
    View held = view;
    if (held != null && held.stamp().equals(which) && succession.slotsAreDone()) {
      pings.atOnce(nowNanos); // the others wait for it
    }
  }

  private void decided(View before, View next, boolean proposer) {
    if (next.contains(self.id())) {
      install(next);
    } else {
      lineages.saw(next.stamp());
      drop(before, next, leaving ? "it has left" : "the next view does not list this node");
    }
    if (proposer) {
      Collection<MemberId> to = others(before, next);
      if (!to.isEmpty()) {
        actions.publish(next, to);
      }
    }
  }

  private void giveUpIfStranded(View held) {
    if (!stranding.isLasting(held, lease.isHeldAt(nowNanos), nowNanos)) {
      return;
    }
    String reason = "no voter that may live holds a lease, and the others are proven dead";
    if (votes(held) && !leaving && !known.anyHoldsOther(held.lineage())) {
      startAnew(held, 1, reason);
    } else {
      drop(held, null, reason);
      founding.isAbandoned();
    }
  }

  /**
   * An operator decides that this node goes on by itself, as it is cut off from a quorum that he
   * does not expect back soon. It starts a lineage, to which whoever it reaches and who holds no
   * lease gives way. If the others go on as well, each side admits every limit until they meet, and
   * then this side gives way.
   *
   * @return null if it does, or why it does not, for people
   */
  public @Nullable String promote() {
    View held = view;
    if (leaving) {
      return "it is leaving its cluster";
    }
    if (held == null) {
      return "it is in no view; it starts a lineage or joins one by itself";
    }
    if (lease.isHeldAt(nowNanos)) {
      return "it holds a lease: its side of the cluster goes on already";
    }
    startAnew(held, 0, "an operator promotes this node");
    return null;
  }

  /** Leaves a view behind for a lineage of its own, and keeps what it owns. */
  private void startAnew(View held, int sizeAtBirth, String reason) {
    log.warn("{} leaves {} behind and starts a lineage: {}", self.id().name(), held, reason);
    startLineage(sizeAtBirth);
  }

  private void startLineage(int sizeAtBirth) {
    Lineage lineage = new Lineage(sizeAtBirth, lineageIds.getAsLong());
    int weight = succession.weight();
    List<Member> members =
        List.of(
            new Member(self.id(), self.peer(), self.http(), weight, MemberState.ACTIVE, weight));
    install(new View(lineage, ViewName.proposed(1, 0, self.id()), members, true));
  }

  private boolean votes(View held) {
    Member me = held.member(self.id());
    return me != null && me.state().votes();
  }

  private void countLease() {
    lease.count(known::isDead, departedMayHoldLease());
  }

  private void pingIfDue() {
    View held = view;
    Set<MemberId> to = pings.due(held, known, nowNanos);
    if (to.remove(self.id())
        && held != null
        && rules.mayAnswer(held, agreement.accepted(), held.stamp())) {
      lease.answered(self.id(), nowNanos);
      countLease();
    }
    if (!to.isEmpty()) {
      actions.say(ping(), to);
    }
  }

  private ViewWord.Ping ping() {
    View held = view;
    return new ViewWord.Ping(
        held == null ? null : held.stamp(),
        lease.isHeldAt(nowNanos),
        lease.settings().leaseNanos(),
        nowNanos,
        held == null ? new BitSet() : suspicion.silent(held, nowNanos),
        held == null ? new BitSet() : succession.done(held),
        succession.weight());
  }

  private List<MemberId> others(View... views) {
    Set<MemberId> others = new LinkedHashSet<>();
    for (View each : views) {
      each.members().forEach(member -> others.add(member.id()));
    }
    others.remove(self.id());
    return new ArrayList<>(others);
  }

  private void announceLeave() {
    nextLeaveNanos = nowNanos + settings.resendNanos();
    List<MemberId> reachable = known.proven();
    if (!reachable.isEmpty()) {
      actions.announceLeave(reachable);
    }
  }

  private void install(View next) {
    View held = view;
    View before = held != null && held.lineage().equals(next.lineage()) ? held : null;
    for (Member member : next.members()) {
      if (!member.id().equals(self.id())) {
        known.learn(member.id(), member.peer(), nowNanos);
      }
    }
    lineages.saw(next.stamp());
    view = next;
    changePending = false;
    succession.reset();
    deaths.reset();
    stranding.reset();
    founding.hasView();
    suspicion.installed(before, next, nowNanos);
    known.returnAnew(before, next);
    departures.installed(before, next, nowNanos);
    agreement.hold(next);
    holdLease(before, next);
    pings.atOnce(nowNanos);
    log.info(
        "{} holds {}; before: {}", self.id().name(), next, held == null ? "none" : held.stamp());
    actions.installed(next);
  }

  private void holdLease(@Nullable View before, View next) {
    Member me = next.member(self.id());
    if (me == null || !me.state().isPresent()) {
      lease.leave(nowNanos);
    } else {
      lease.enter(next, rules.enters(before, next, self.id()), nowNanos);
    }
  }

  private void drop(View held, @Nullable View successor, String reason) {
    view = null;
    overheard = leaving ? successor : null;
    changePending = false;
    succession.reset();
    deaths.reset();
    stranding.reset();
    agreement.hold(null);
    log.warn("{} no longer holds {}: {}", self.id().name(), held.stamp(), reason);
    actions.dropped(held, successor, reason);
    // After that: a member without a lease would be cut off, and answer callers as one that is.
    lease.leave(nowNanos);
  }
}
