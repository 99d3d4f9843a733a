package io.ringfence.engine;

import io.ringfence.engine.message.CounterAsk;
import io.ringfence.membership.MemberId;
import io.ringfence.rules.Ask;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a check that one owner decides in one locked step.
 *
 * @param owner who decides, or null where nobody is known to
 * @param stage the stage of all of them
 * @param members the counters, in the order of asking
 */
record Round(@Nullable MemberId owner, int stage, List<Routed> members) {

  /**
   * A counter with its place.
   *
   * @param ask what is asked
   * @param index its place in the order of asking, from 0
   * @param slot where it lives
   * @param key its identity
   */
  record Routed(Ask ask, int index, int slot, CounterKey key) {

    boolean shadow() {
      return ask.rule().effect().presentation().shadow();
    }
  }

  /**
   * Groups what is still to be asked by stage and owner. Each owner is asked once a stage, when the
   * first of its counters is due.
   */
  static List<Round> of(List<Routed> due, @Nullable Topology topology) {
    List<Round> rounds = new ArrayList<>(2);
    for (Routed routed : due) {
      MemberId owner = topology == null ? null : topology.deciderOf(routed.slot());
      int stage = routed.ask().rule().order().stage();
      Round round = find(rounds, owner, stage);
      if (round == null) {
        round = new Round(owner, stage, new ArrayList<>(due.size()));
        rounds.add(round);
      }
      round.members().add(routed);
    }
    return rounds;
  }

  /** Whether one of the counters lives in that slot. */
  boolean asksFor(int slot) {
    return members.stream().anyMatch(member -> member.slot() == slot);
  }

  List<Ask> asks() {
    return members.stream().map(Routed::ask).toList();
  }

  /** The counters as this node's own table knows them. */
  List<Target> targets() {
    List<Target> targets = new ArrayList<>(members.size());
    for (Routed member : members) {
      Ask ask = member.ask();
      targets.add(
          new Target(
              member.key(),
              member.slot(),
              ask.limit().algorithm(),
              ask.cost(),
              member.shadow(),
              ask.rule().effect().failure()));
    }
    return targets;
  }

  /** The counters as a message names them. */
  List<CounterAsk> counters() {
    List<CounterAsk> counters = new ArrayList<>(members.size());
    for (Routed member : members) {
      Ask ask = member.ask();
      counters.add(
          new CounterAsk(
              ask.limit().id(), member.shadow(), member.slot(), member.key().values(), ask.cost()));
    }
    return counters;
  }

  private static @Nullable Round find(List<Round> rounds, @Nullable MemberId owner, int stage) {
    for (Round round : rounds) {
      if (round.stage == stage && Objects.equals(round.owner, owner)) {
        return round;
      }
    }
    return null;
  }
}
