package io.ringfence.membership;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The schedules that break a careless protocol, as far as views and leases alone are concerned,
 * each a script that carries its id. {@link ViewInvariants} hold at every step of each.
 */
@SuppressWarnings("ImmutableEnumChecker") // the scripts are references to static methods
enum Schedule {
  /** A process that was stopped finds its lease over, whatever waited for it meanwhile. */
  A01_PAUSED_NODES(Schedule::pausedNodes),
  /** Links are cut two and two, before anybody has noticed anything. */
  A01_CUT_IN_HALVES(Schedule::cutInHalves),
  /** Three go on, two do not, though both the oldest are among the two. */
  A02_MAJORITY_WITHOUT_THE_OLDEST(Schedule::majorityWithoutTheOldest),
  /** One planned change at a time: the next newcomer waits until the first is settled. */
  A03_ONE_CHANGE_AT_A_TIME(Schedule::oneChangeAtATime),
  /** The senior proposes to one member only and dies; the stand-in finishes what it began. */
  A06_SENIOR_TELLS_ONE_AND_DIES(Schedule::seniorTellsOneAndDies),
  /** The senior is frozen; the others set it away and go on; it comes back and is junior. */
  A06_FROZEN_SENIOR(Schedule::frozenSenior),
  /** A node that is alone for long makes no views, and ends in the others' view. */
  A06_ALONE_FOR_LONG(Schedule::aloneForLong),
  /** Two lineages that never saw each other meet. */
  A06_LINEAGES_MEET(Schedule::lineagesMeet),
  /** A node is killed and back under its name at once, before anybody took note. */
  A10_BACK_BEFORE_ITS_REMOVAL(Schedule::backBeforeItsRemoval),
  /** A replacement comes while the old one is only cut off. */
  A10_REPLACED_WHILE_CUT_OFF(Schedule::replacedWhileCutOff),
  /** D is cut off, A and B admit J and die: only J goes on; D starts anew only on proof. */
  B05_ADMITTED_BEHIND_ONES_BACK(Schedule::admittedBehindOnesBack),
  /** A node that leaves and does not hear that it is out may still hold its lease. */
  B05_LEFT_UNHEARD(Schedule::leftUnheard),
  /** A join during a cut does not change the view of the node that is cut off. */
  B06_JOIN_DURING_A_CUT(Schedule::joinDuringACut),
  /** Five become three and two, and then two, one and two. */
  B08_SPLIT_AGAIN(Schedule::splitAgain),
  /** One link alone is down: nobody is set away, and views go on being made. */
  B10_ONE_LINK(Schedule::oneLink),
  /** The senior hears nobody though all hear it. */
  B12_DEAF_SENIOR(Schedule::deafSenior),
  /** A survivor that comes by its proof too late starts anew after five seconds. */
  B15_LATE_PROOF(Schedule::lateProof),
  /** The only member drains while another comes. */
  B15_ONLY_MEMBER_DRAINS(Schedule::onlyMemberDrains),
  /** All are killed, and start again. */
  B16_WHOLE_RESTART(Schedule::wholeRestart),
  /** The senior decides alone and only the newcomer hears; the other decides otherwise. */
  B20_TWO_BALLOTS(Schedule::twoBallots),
  /** Of two survivors one has heard of a view; the other must not decide without it. */
  B20_ONE_SURVIVOR_KNOWS(Schedule::oneSurvivorKnows),
  /** The same among four: a survivor hears of the lower ballot after it accepted the higher. */
  B20_LOWER_BALLOT_COMES_LATE(Schedule::lowerBallotComesLate),
  /** A voter has accepted the next view, and does not learn that it was decided. */
  ACCEPTED_BUT_NOT_LEARNED(Schedule::acceptedButNotLearned),
  /** Of two the senior falls silent: the other decides nothing, and makes no view. */
  SENIOR_OF_TWO_IS_SILENT(Schedule::seniorOfTwoIsSilent),
  /** Of two the junior falls silent: the senior goes on. */
  JUNIOR_OF_TWO_IS_SILENT(Schedule::juniorOfTwoIsSilent),
  /** A member is killed in a settled view: that it died in that is known before the next view. */
  KNOWN_TO_HAVE_DIED(Schedule::knownToHaveDied),
  /** A member dies in a view that one other has not heard of. */
  DIES_IN_A_LATER_VIEW(Schedule::diesInALaterView),
  /** A view after a loss is not settled before all who are left have said that they are done. */
  SETTLED_AFTER_A_LOSS(Schedule::settledAfterALoss),
  /** Somebody else dies before the first loss is settled. */
  LOST_BEFORE_IT_IS_SETTLED(Schedule::lostBeforeItIsSettled),
  /** Who joins is JOINING until all, itself among them, have said that they are done. */
  ACTIVE_ONCE_ALL_ARE_DONE(Schedule::activeOnceAllAreDone),
  /** Who comes after a loss waits until that is settled. */
  JOINS_AFTER_A_LOSS(Schedule::joinsAfterALoss),
  /** Two of five are cut off and an operator promotes one; both go on; later all meet. */
  PROMOTED_MINORITY(Schedule::promotedMinority),
  /** A new weight counts in the target at once, and in the base once all are done. */
  WEIGHT_COUNTS_BY_VIEWS(Schedule::weightCountsByViews),
  /** The senior dies while slots move to a new weight; the weight stays, until its bearer ends. */
  WEIGHT_OUTLIVES_THE_SENIOR(Schedule::weightOutlivesTheSenior),
  /** Who was drained goes by the others' views, and is in none. */
  DRAINED_FOLLOWS_THE_OTHERS(Schedule::drainedFollowsTheOthers),
  /** All others die while one drains: it goes on, and leaves when somebody has come. */
  DRAINING_IS_THE_LAST(Schedule::drainingIsTheLast);

  private static final int QUIET_MILLIS = RandomSchedule.CONVERGED_WITHIN_MILLIS;

  private final Consumer<SimulatedCluster> script;

  Schedule(Consumer<SimulatedCluster> script) {
    this.script = script;
  }

  void play(SimulatedCluster cluster) {
    script.accept(cluster);
  }

  private static List<MemberId> start(SimulatedCluster cluster, int nodes) {
    List<MemberId> ids = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      ids.add(cluster.start(Character.toString('a' + i)));
    }
    View view = cluster.awaitOneView(QUIET_MILLIS);
    List<MemberId> listed = view.members().stream().map(Member::id).toList();
    cluster.check(listed.equals(ids), () -> "not by seniority: " + view);
    return ids;
  }

  private static MemberState stateOf(SimulatedCluster cluster, MemberId member, MemberId at) {
    Member listed = cluster.held(at).member(member);
    if (listed == null) {
      throw cluster.failure(member + " is not listed at " + at);
    }
    return listed.state();
  }

  private static boolean lists(SimulatedCluster cluster, MemberId at, MemberId member) {
    View view = cluster.keeper(at).current();
    return view != null && view.contains(member);
  }

  private static void promotedMinority(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster, 5);
    MemberId d = ids.get(3);
    MemberId e = ids.get(4);
    Lineage before = cluster.held(d).lineage();
    cluster.check(cluster.keeper(d).promote() != null, "a node with a lease is promoted");
    cluster.split(ids.subList(0, 3), ids.subList(3, 5));
    cluster.run(3_000);
    cluster.check(!cluster.leased(d) && !cluster.leased(e), "the minority has a lease");
    cluster.check(cluster.keeper(e).promote() == null, "a node without a lease is not promoted");
    cluster.runUntil(
        "the minority goes on",
        QUIET_MILLIS,
        c -> c.leased(d) && c.leased(e) && lists(c, e, d) && lists(c, d, e));
    cluster.check(!cluster.held(d).lineage().equals(before), "it is no lineage of its own");
    cluster.healAll();
    View view = cluster.awaitOneView(QUIET_MILLIS);
    cluster.check(view.lineage().equals(before), () -> "the smaller lineage stays: " + view);
    cluster.check(view.members().size() == 5, () -> "somebody is missing: " + view);
  }

  private static void pausedNodes(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster, 3);
    long epoch = cluster.held(ids.get(0)).epoch();
    for (MemberId paused : ids) {
      for (int pause : List.of(200, 600, 800)) {
        cluster.run(cluster.random.nextInt(200));
        cluster.freeze(paused);
        cluster.run(pause);
        cluster.thaw(paused);
        cluster.check(
            pause < 500 || !cluster.leased(paused), () -> paused + " wakes up with a lease");
        cluster.run(500);
        cluster.check(cluster.leased(paused), () -> paused + " does not go on");
      }
    }
    cluster.check(cluster.held(ids.get(0)).epoch() == epoch, "a short pause changed the view");
  }

  private static void cutInHalves(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster, 4);
    List<MemberId> withSenior = List.of(ids.get(0), ids.get(2));
    List<MemberId> without = List.of(ids.get(1), ids.get(3));
    View before = cluster.held(ids.get(1));
    cluster.split(withSenior, without);
    cluster.run(4_000);
    withSenior.forEach(id -> cluster.check(cluster.leased(id), () -> id + " does not go on"));
    for (MemberId id : without) {
      cluster.check(!cluster.leased(id), () -> id + " goes on without the senior");
      cluster.check(before.equals(cluster.held(id)), () -> id + " made a view");
    }
    cluster.healAll();
    cluster.awaitOneView(QUIET_MILLIS);
  }

  private static void majorityWithoutTheOldest(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster, 5);
    List<MemberId> cutOff = ids.subList(0, 2);
    cluster.split(cutOff, ids.subList(2, 5));
    cluster.run(4_000);
    ids.subList(2, 5).forEach(id -> cluster.check(cluster.leased(id), () -> id + " stands still"));
    cutOff.forEach(id -> cluster.check(!cluster.leased(id), () -> id + " goes on"));
    cluster.healAll();
    View healed = cluster.awaitOneView(QUIET_MILLIS);
    cluster.check(healed.senior().id().equals(ids.get(2)), "who was away is still senior");
  }

  private static void oneChangeAtATime(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster, 3);
    MemberId senior = ids.get(0);
    MemberId first = cluster.start("j1");
    cluster.runUntil("j1 joins", 3_000, c -> lists(c, senior, first));
    MemberId second = cluster.start("j2");
    cluster.runUntil(
        "j2 joins",
        5_000,
        c -> {
          boolean joins = lists(c, senior, second);
          c.check(
              !joins || stateOf(c, first, senior) == MemberState.ACTIVE,
              "j2 joins while j1 is JOINING");
          return joins;
        });
    cluster.awaitOneView(QUIET_MILLIS);
  }

  private static void seniorTellsOneAndDies(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster, 4);
    MemberId a = ids.get(0);
    cluster.cutOneWay(a, ids.get(1));
    cluster.cutOneWay(a, ids.get(2));
    MemberId j = cluster.start("j");
    cluster.runUntil("a decides", 3_000, c -> lists(c, a, j));
    cluster.run(cluster.random.nextInt(60));
    cluster.kill(a);
    cluster.healAll();
    cluster.awaitOneView(QUIET_MILLIS);
  }

  private static void frozenSenior(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster, 3);
    MemberId a = ids.get(0);
    MemberId b = ids.get(1);
    cluster.freeze(a);
    cluster.runUntil("a is away", 2_000, c -> stateOf(c, a, b) == MemberState.AWAY);
    cluster.run(cluster.random.nextInt(4_000));
    cluster.thaw(a);
    View view = cluster.awaitOneView(QUIET_MILLIS);
    cluster.check(view.senior().id().equals(b), "who was away is still senior");
  }

  private static void aloneForLong(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster, 3);
    MemberId alone = ids.get(cluster.random.nextInt(3));
    View before = cluster.held(alone);
    List<MemberId> others = ids.stream().filter(id -> !id.equals(alone)).toList();
    cluster.split(List.of(alone), others);
    others.forEach(id -> cluster.forgetFor(id, 12_000));
    cluster.run(12_500);
    cluster.check(before.equals(cluster.held(alone)), "a node that is alone makes views");
    cluster.check(!cluster.leased(alone), "a node that is alone has a lease");
    cluster.healAll();
    cluster.awaitOneView(QUIET_MILLIS);
  }

  private static void lineagesMeet(SimulatedCluster cluster) {
    for (int i = 0; i < 6; i++) {
      cluster.startOnIsland("n" + i, i % 2);
    }
    cluster.run(6_000);
    Lineage winner =
        cluster.liveIds().stream().map(id -> cluster.held(id).lineage()).sorted().toList().get(0);
    cluster.joinIslands();
    cluster.run(500);
    View view = cluster.awaitOneView(QUIET_MILLIS);
    cluster.check(view.lineage().equals(winner), () -> "not the winner " + winner);
  }

  private static void backBeforeItsRemoval(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster, 3);
    MemberId old = ids.get(cluster.random.nextInt(3));
    Address peer = cluster.peerOf(old);
    cluster.kill(old);
    cluster.run(cluster.random.nextInt(40));
    MemberId reborn = cluster.start(old.name(), 0, peer);
    View view = cluster.awaitOneView(QUIET_MILLIS);
    cluster.check(view.members().get(2).id().equals(reborn), () -> "not at the end of " + view);
  }

  private static void replacedWhileCutOff(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster, 3);
    MemberId old = ids.get(2);
    MemberId a = ids.get(0);
    cluster.split(List.of(old), ids.subList(0, 2));
    MemberId fresh = cluster.start(old.name());
    cluster.runUntil("the old one is away or gone", 3_000, c -> !presentAt(c, old, a));
    cluster.runUntil("the new one is active", 5_000, c -> activeAt(c, fresh, a));
    cluster.check(!lists(cluster, a, old), "both are listed under one name");
    cluster.healAll();
    cluster.run(8_000);
    cluster.check(activeAt(cluster, fresh, a), "the new one did not stay");
    cluster.check(!cluster.leased(old), "the old one goes on");
    cluster.kill(old);
    cluster.awaitOneView(QUIET_MILLIS);
  }

  private static boolean presentAt(SimulatedCluster cluster, MemberId member, MemberId at) {
    Member listed = cluster.held(at).member(member);
    return listed != null && listed.state().isPresent();
  }

  private static boolean activeAt(SimulatedCluster cluster, MemberId member, MemberId at) {
    Member listed = cluster.held(at).member(member);
    return listed != null && listed.state() == MemberState.ACTIVE;
  }

  private static void admittedBehindOnesBack(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster, 3);
    MemberId a = ids.get(0);
    MemberId b = ids.get(1);
    MemberId d = ids.get(2);
    cluster.split(List.of(d), List.of(a, b));
    MemberId j = cluster.start("j");
    cluster.cut(d, j);
    cluster.runUntil("j is active", 5_000, c -> activeAt(c, j, a) && activeAt(c, j, j));
    cluster.runUntil("j holds a lease", 1_000, c -> c.leased(j));
    cluster.check(!cluster.leased(d), "d goes on");
    cluster.kill(a);
    cluster.kill(b);
    cluster.runUntil("j goes on alone", 1_000, c -> c.held(j).voters().size() == 1);
    cluster.check(cluster.leased(j), "j lost its lease");
    cluster.heal(d, a);
    cluster.heal(d, b);
    cluster.run(3_000);
    cluster.check(!cluster.leased(d), "d goes on at once");
    cluster.healAll();
    cluster.awaitOneView(QUIET_MILLIS);
  }

  private static void leftUnheard(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster.losing(0).delaying(10), 3);
    MemberId a = ids.get(0);
    MemberId b = ids.get(1);
    MemberId d = ids.get(2);
    cluster.stop(d);
    cluster.runUntil("d drains", 2_000, c -> stateOf(c, d, a) == MemberState.DRAINING);
    cluster.losing(
        (from, to, word) ->
            to.equals(d)
                && (word instanceof ViewWord.Propose || word instanceof ViewWord.Accepted));
    MemberId j = cluster.start("j");
    cluster.runUntil("d is out", 2_000, c -> !lists(c, a, d));
    cluster.cutOneWay(a, d);
    cluster.cutOneWay(b, d);
    cluster.runUntil("j is active", 5_000, c -> activeAt(c, j, a));
    cluster.losing((from, to, word) -> false);
    cluster.healAll();
    cluster.run(6_000);
    cluster.awaitOneView(QUIET_MILLIS);
  }

  private static void joinDuringACut(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster, 3);
    MemberId cutOff = ids.get(2);
    View before = cluster.held(cutOff);
    cluster.split(List.of(cutOff), ids.subList(0, 2));
    MemberId j = cluster.start("j");
    cluster.cut(cutOff, j);
    cluster.runUntil("j is active", 5_000, c -> activeAt(c, j, ids.get(0)));
    cluster.check(before.equals(cluster.held(cutOff)), "the node that is cut off has another n");
    cluster.check(cluster.held(ids.get(0)).members().size() == 4, "who is away does not count");
    cluster.healAll();
    cluster.awaitOneView(QUIET_MILLIS);
  }

  private static void splitAgain(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster, 5);
    cluster.split(ids.subList(3, 5), ids.subList(0, 3));
    cluster.runUntil("three go on", 3_000, c -> c.held(ids.get(0)).voters().size() == 3);
    cluster.run(500);
    cluster.split(List.of(ids.get(0)), ids.subList(1, 3));
    cluster.runUntil("two of the three go on", 3_000, c -> c.held(ids.get(1)).voters().size() == 2);
    cluster.run(1_000);
    cluster.check(cluster.leased(ids.get(1)) && cluster.leased(ids.get(2)), "two of three stand");
    cluster.check(!cluster.leased(ids.get(0)), "one of three goes on");
    cluster.check(!cluster.leased(ids.get(3)) && !cluster.leased(ids.get(4)), "two of five go on");
    cluster.healAll();
    cluster.awaitOneView(QUIET_MILLIS);
  }

  private static void oneLink(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster, 3);
    long epoch = cluster.held(ids.get(0)).epoch();
    cluster.cut(ids.get(0), ids.get(1));
    cluster.run(5_000);
    for (MemberId id : ids) {
      cluster.check(cluster.held(id).epoch() == epoch, () -> "the view changed at " + id);
      cluster.check(cluster.leased(id), () -> id + " stands still");
    }
    MemberId j = cluster.start("j");
    for (MemberId id : ids) {
      cluster.runUntil("j is active", 5_000, c -> activeAt(c, j, id));
      cluster.check(presentAt(cluster, ids.get(1), id), "b was set away");
    }
    cluster.healAll();
    cluster.awaitOneView(QUIET_MILLIS);
  }

  private static void deafSenior(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster, 3);
    MemberId a = ids.get(0);
    MemberId b = ids.get(1);
    cluster.cutOneWay(b, a);
    cluster.cutOneWay(ids.get(2), a);
    cluster.runUntil("a is away", 4_000, c -> stateOf(c, a, b) == MemberState.AWAY);
    cluster.run(3_000);
    cluster.check(stateOf(cluster, a, b) == MemberState.AWAY, "a is taken back unheard");
    cluster.healAll();
    cluster.awaitOneView(QUIET_MILLIS);
  }

  private static void lateProof(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster, 2);
    MemberId b = ids.get(1);
    cluster.cut(ids.get(0), b);
    cluster.run(1_000);
    cluster.kill(ids.get(0));
    cluster.run(2_000);
    cluster.check(!cluster.leased(b), "b goes on without a proof");
    Lineage before = cluster.held(b).lineage();
    cluster.healAll();
    cluster.run(4_500);
    cluster.check(!cluster.leased(b), "b goes on too early");
    View view = cluster.awaitOneView(3_000);
    cluster.check(!view.lineage().equals(before), "not a new lineage");
  }

  private static void onlyMemberDrains(SimulatedCluster cluster) {
    MemberId only = start(cluster, 1).get(0);
    cluster.start("j");
    cluster.run(cluster.random.nextInt(1_500));
    cluster.stop(only);
    cluster.runUntil("it is gone", 6_000, c -> !c.lives(only));
    cluster.awaitOneView(QUIET_MILLIS);
  }

  private static void wholeRestart(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster, 3);
    Lineage before = cluster.held(ids.get(0)).lineage();
    List<Address> peers = ids.stream().map(cluster::peerOf).toList();
    ids.forEach(cluster::kill);
    for (int i = 0; i < ids.size(); i++) {
      cluster.run(cluster.random.nextInt(300));
      cluster.start(ids.get(i).name(), 0, peers.get(i));
    }
    View view = cluster.awaitOneView(QUIET_MILLIS);
    cluster.check(!view.lineage().equals(before), "a lineage outlived all who knew it");
  }

  private static void twoBallots(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster.losing(0).delaying(10), 2);
    MemberId a = ids.get(0);
    MemberId b = ids.get(1);
    MemberId j = cluster.start("j");
    cluster.runUntil("a decides", 3_000, c -> lists(c, a, j));
    cluster.cutOneWay(a, b);
    cluster.cut(b, j);
    ViewName lower = cluster.held(a).name();
    cluster.runUntil("j hears", 100, c -> lists(c, j, j));
    cluster.run(50);
    cluster.check(!lists(cluster, b, j), "b has heard");
    cluster.kill(a);
    cluster.heal(a, b);
    cluster.runUntil("b decides", 400, c -> !lists(c, b, a));
    ViewName higher = cluster.held(b).name();
    cluster.check(
        higher.epoch() == lower.epoch() && higher.isAfter(lower), "not a higher ballot: " + higher);
    cluster.run(300);
    cluster.check(cluster.held(j).name().equals(lower), "j cannot know yet");
    cluster.heal(b, j);
    cluster.runUntil(
        "j gives the lower ballot up",
        2_000,
        c -> c.keeper(j).current() == null || !c.held(j).name().equals(lower));
    cluster.awaitOneView(QUIET_MILLIS);
  }

  private static void oneSurvivorKnows(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster.losing(0).delaying(10), 4);
    MemberId a = ids.get(0);
    MemberId b = ids.get(1);
    MemberId c = ids.get(2);
    MemberId d = ids.get(3);
    cluster.cutOneWay(a, b);
    cluster.cutOneWay(a, c);
    cluster.mute(d);
    MemberId j = cluster.start("j");
    cluster.mute(j);
    cluster.cut(b, j);
    cluster.cut(c, j);
    cluster.runUntil("a decides with d", 3_000, each -> lists(each, a, j));
    long epoch = cluster.held(c).epoch();
    cluster.runUntil("d hears", 100, each -> lists(each, d, j));
    cluster.run(12);
    cluster.kill(a);
    cluster.kill(b);
    cluster.heal(a, b);
    cluster.heal(a, c);
    cluster.runUntil("c has no lease", 600, each -> !each.leased(c));
    cluster.check(cluster.held(c).epoch() == epoch, "c decided without d");
    cluster.healAll();
    cluster.unmute(d);
    cluster.unmute(j);
    cluster.awaitOneView(QUIET_MILLIS);
  }

  private static void lowerBallotComesLate(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster.losing(0).delaying(10), 4);
    MemberId a = ids.get(0);
    MemberId b = ids.get(1);
    MemberId c = ids.get(2);
    MemberId d = ids.get(3);
    MemberId j = cluster.start("j");
    cluster.losing(
        (from, to, word) ->
            (to.equals(c) || to.equals(d))
                && (from.equals(j)
                    || ((from.equals(a) || from.equals(b))
                        && (word instanceof ViewWord.Propose
                            || word instanceof ViewWord.Accepted))));
    cluster.runUntil("a decides", 3_000, each -> lists(each, a, j));
    cluster.mute(b);
    cluster.cut(a, c);
    cluster.cut(a, d);
    cluster.cut(b, c);
    cluster.cut(b, d);
    cluster.cut(c, j);
    cluster.runUntil("j hears", 500, each -> lists(each, j, j));
    cluster.run(12);
    cluster.kill(a);
    cluster.kill(b);
    cluster.heal(a, c);
    cluster.heal(a, d);
    cluster.heal(b, c);
    cluster.heal(b, d);
    cluster.mute(c);
    cluster.runUntil(
        "c decides, or has no lease to do so", 600, e -> !lists(e, c, a) || !e.leased(c));
    cluster.losing((from, to, word) -> false);
    cluster.run(300);
    cluster.unmute(c);
    cluster.healAll();
    cluster.awaitOneView(QUIET_MILLIS);
  }

  private static void acceptedButNotLearned(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster.losing(0).delaying(10), 3);
    MemberId a = ids.get(0);
    MemberId d = ids.get(2);
    cluster.stop(d);
    cluster.runUntil("d drains", 2_000, c -> stateOf(c, d, a) == MemberState.DRAINING);
    cluster.runUntil(
        "all know",
        1_000,
        c -> ids.stream().allMatch(id -> stateOf(c, d, id) == MemberState.DRAINING));
    cluster.losing(
        (from, to, word) ->
            (word instanceof ViewWord.Accepted && (from.equals(a) || to.equals(d)))
                || (word instanceof ViewWord.Propose && to.equals(d)));
    cluster.mute(a);
    cluster.runUntil("d is out", 2_000, c -> !lists(c, a, d));
    cluster.run(1_200);
    cluster.losing((from, to, word) -> false);
    cluster.unmute(a);
    cluster.run(6_000);
    cluster.awaitOneView(QUIET_MILLIS);
  }

  private static void seniorOfTwoIsSilent(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster, 2);
    View both = cluster.awaitOneView(QUIET_MILLIS);
    MemberId b = ids.get(1);
    cluster.freeze(ids.get(0));
    cluster.run(600);
    for (int i = 0; i < 30; i++) {
      cluster.run(100);
      cluster.check(!cluster.leased(b), "half without the senior holds a lease");
      cluster.check(cluster.held(b).equals(both), "half without the senior makes a view");
    }
    cluster.thaw(ids.get(0));
    cluster.awaitOneView(QUIET_MILLIS);
  }

  private static void juniorOfTwoIsSilent(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster.losing(0), 2);
    cluster.awaitOneView(QUIET_MILLIS);
    MemberId a = ids.get(0);
    cluster.freeze(ids.get(1));
    for (int i = 0; i < 30; i++) {
      cluster.run(100);
      cluster.check(cluster.leased(a), "the senior has lost its lease");
    }
    cluster.check(stateOf(cluster, ids.get(1), a) == MemberState.AWAY, "b is not away");
    cluster.thaw(ids.get(1));
    cluster.awaitOneView(QUIET_MILLIS);
  }

  private static void knownToHaveDied(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster.losing(0).delaying(10), 3 + cluster.random.nextInt(2));
    View settled = cluster.awaitOneView(QUIET_MILLIS);
    MemberId victim = ids.get(cluster.random.nextInt(ids.size()));
    cluster.kill(victim);
    ids.remove(victim);
    cluster.runUntil(
        "the others know it",
        500,
        each ->
            ids.stream()
                .allMatch(
                    id ->
                        each.knownDeaths(id, settled).equals(Set.of(victim))
                            || !lists(each, id, victim)));
    cluster.check(
        ids.stream().anyMatch(id -> !cluster.knownDeaths(id, settled).isEmpty()),
        "the next view came before anybody knew");
    cluster.awaitOneView(QUIET_MILLIS);
  }

  private static void diesInALaterView(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster.losing(0).delaying(10), 4);
    View settled = cluster.awaitOneView(QUIET_MILLIS);
    MemberId a = ids.get(0);
    MemberId b = ids.get(1);
    MemberId c = ids.get(2);
    ids.forEach(cluster::mute);
    cluster.losing((from, to, word) -> to.equals(b));
    cluster.weigh(c, 5);
    cluster.runUntil("it is agreed", 1_000, each -> listed(each, c, c).weight() == 5);
    cluster.runUntil("a knows", 1_000, each -> listed(each, a, c).weight() == 5);
    cluster.kill(a);
    cluster.run(300);
    cluster.check(
        cluster.knownDeaths(b, settled).isEmpty(), "b takes a for having died in its own view");
    cluster.losing((from, to, word) -> false);
    ids.forEach(cluster::unmute);
    cluster.awaitOneView(QUIET_MILLIS);
  }

  /** Waits until that node holds a view in which that member is not present. */
  private static View awaitLoss(SimulatedCluster cluster, MemberId lost, MemberId at) {
    cluster.runUntil(lost + " is lost", 3_000, c -> !lists(c, at, lost));
    return cluster.held(at);
  }

  private static void settledAfterALoss(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster, 4);
    MemberId a = ids.get(0);
    MemberId slow = ids.get(cluster.random.nextInt(3));
    cluster.holdUp(slow);
    cluster.kill(ids.get(3));
    View moving = awaitLoss(cluster, ids.get(3), a);
    cluster.check(!moving.settled(), () -> "settled at once: " + moving);
    cluster.run(3_000);
    cluster.check(moving.equals(cluster.held(a)), () -> "it does not wait for " + slow);
    cluster.letFinish(slow);
    View settled = cluster.awaitOneView(1_000);
    cluster.check(
        settled.epoch() == moving.epoch() + 1 && settled.members().equals(moving.members()),
        () -> moving + " is followed by " + settled);
  }

  private static void lostBeforeItIsSettled(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster, 5);
    MemberId a = ids.get(0);
    cluster.holdUp(ids.get(1));
    cluster.kill(ids.get(4));
    View first = awaitLoss(cluster, ids.get(4), a);
    cluster.runUntil("all but b know", 1_000, c -> first.equals(c.held(ids.get(3))));
    cluster.kill(ids.get(3));
    cluster.runUntil("d is lost", 1_000, c -> !lists(c, a, ids.get(3)));
    View second = cluster.held(a);
    cluster.check(!second.settled(), () -> "settled: " + second);
    cluster.check(second.epoch() == first.epoch() + 1, () -> "something came between: " + second);
    cluster.letFinish(ids.get(1));
    View settled = cluster.awaitOneView(QUIET_MILLIS);
    cluster.check(
        settled.epoch() == second.epoch() + 1, () -> second + " is followed by " + settled);
  }

  private static void activeOnceAllAreDone(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster, 3);
    MemberId a = ids.get(0);
    MemberId old = ids.get(cluster.random.nextInt(3));
    MemberId j = cluster.start("j");
    cluster.holdUp(old);
    cluster.holdUp(j);
    cluster.runUntil("j joins and holds a lease", 5_000, c -> lists(c, a, j) && c.leased(j));
    cluster.run(1_000);
    cluster.check(stateOf(cluster, j, a) == MemberState.JOINING, "nobody was asked");
    MemberId first = cluster.random.nextBoolean() ? old : j;
    cluster.letFinish(first);
    cluster.run(1_000);
    cluster.check(stateOf(cluster, j, a) == MemberState.JOINING, () -> first + " was enough");
    cluster.letFinish(first.equals(j) ? old : j);
    cluster.awaitOneView(1_000);
    cluster.check(activeAt(cluster, j, a), "j is not active");
  }

  private static void joinsAfterALoss(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster, 3);
    MemberId a = ids.get(0);
    cluster.holdUp(ids.get(1));
    cluster.kill(ids.get(2));
    View moving = awaitLoss(cluster, ids.get(2), a);
    MemberId j = cluster.start("j");
    cluster.run(3_000);
    cluster.check(moving.equals(cluster.held(a)), "j does not wait");
    cluster.letFinish(ids.get(1));
    cluster.runUntil("it is settled", 1_000, c -> c.held(a).settled());
    cluster.check(!lists(cluster, a, j), "j comes with the settled view");
    cluster.runUntil("j joins", 1_000, c -> lists(c, a, j));
    cluster.check(cluster.held(a).epoch() == moving.epoch() + 2, "it took more than two views");
    cluster.awaitOneView(QUIET_MILLIS);
  }

  private static Member listed(SimulatedCluster cluster, MemberId at, MemberId member) {
    Member listed = cluster.held(at).member(member);
    if (listed == null) {
      throw cluster.failure(member + " is not listed at " + at);
    }
    return listed;
  }

  private static void weightCountsByViews(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster, 3);
    MemberId a = ids.get(0);
    MemberId b = ids.get(1);
    MemberId slow = ids.get(cluster.random.nextInt(3));
    long epoch = cluster.held(a).epoch();
    cluster.holdUp(slow);
    cluster.weigh(b, 3);
    cluster.runUntil("it is agreed", 1_000, c -> listed(c, a, b).weight() == 3);
    cluster.weigh(ids.get(2), 2);
    cluster.run(2_000);
    View moving = cluster.held(a);
    cluster.check(listed(cluster, a, b).baseWeight() == 1, () -> "before all are done: " + moving);
    cluster.check(moving.epoch() == epoch + 1, () -> "it does not wait for " + slow);
    cluster.letFinish(slow);
    View settled = cluster.awaitOneView(QUIET_MILLIS);
    List<Integer> weights = settled.members().stream().map(Member::baseWeight).toList();
    cluster.check(weights.equals(List.of(1, 3, 2)), () -> "the weights are " + weights);
  }

  private static void weightOutlivesTheSenior(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster, 4);
    MemberId a = ids.get(0);
    MemberId b = ids.get(1);
    MemberId c = ids.get(2);
    cluster.holdUp(ids.get(3));
    cluster.weigh(c, 5);
    cluster.runUntil("it is agreed", 1_000, each -> listed(each, a, c).weight() == 5);
    cluster.kill(a);
    cluster.runUntil("a is lost", 3_000, each -> !lists(each, b, a));
    cluster.check(listed(cluster, b, c).weight() == 5, "the weight is lost");
    cluster.check(listed(cluster, b, c).baseWeight() == 1, "slots are said to have moved");
    cluster.letFinish(ids.get(3));
    cluster.awaitOneView(QUIET_MILLIS);
    cluster.check(listed(cluster, b, c).baseWeight() == 5, "the weight does not count");
    Address peer = cluster.peerOf(c);
    cluster.kill(c);
    MemberId again = cluster.start(c.name(), 0, peer);
    cluster.awaitOneView(QUIET_MILLIS);
    cluster.check(listed(cluster, b, again).weight() == 1, "a new process has the old weight");
  }

  private static void drainedFollowsTheOthers(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster, 4);
    MemberId a = ids.get(0);
    MemberId d = ids.get(cluster.random.nextInt(3));
    MemberId other = ids.get(3);
    cluster.drain(d);
    cluster.drain(d);
    cluster.runUntil("it is out", 3_000, c -> !lists(c, other, d) && !lists(c, d, d));
    cluster.run(5_000);
    cluster.check(!lists(cluster, other, d), "it is back");
    cluster.kill(a.equals(d) ? ids.get(1) : a);
    cluster.runUntil(
        "it goes by the view that follows",
        5_000,
        c -> c.held(other).settled() && c.held(other).equals(c.overheard(d)));
    cluster.check(cluster.held(other).members().size() == 2, "somebody is missing");
  }

  private static void drainingIsTheLast(SimulatedCluster cluster) {
    List<MemberId> ids = start(cluster, 2);
    MemberId d = ids.get(cluster.random.nextInt(2));
    MemberId other = d.equals(ids.get(0)) ? ids.get(1) : ids.get(0);
    cluster.holdUp(d);
    cluster.drain(d);
    cluster.runUntil("it drains", 2_000, c -> stateOf(c, d, d) == MemberState.DRAINING);
    cluster.kill(other);
    cluster.runUntil(
        "it goes on alone",
        QUIET_MILLIS,
        c -> lists(c, d, d) && !lists(c, d, other) && activeAt(c, d, d) && c.leased(d));
    cluster.run(1_000);
    cluster.check(cluster.leased(d), "it holds no lease");
    MemberId j = cluster.start("j");
    cluster.letFinish(d);
    cluster.runUntil("j takes over", QUIET_MILLIS, c -> lists(c, j, j) && !lists(c, j, d));
    cluster.runUntil("it is out", 3_000, c -> !lists(c, d, d) && c.leased(j));
  }
}
