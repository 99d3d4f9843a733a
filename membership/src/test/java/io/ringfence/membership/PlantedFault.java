package io.ringfence.membership;

import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One rule of the protocol broken, and the directed schedule that has to notice. */
@SuppressWarnings("ImmutableEnumChecker") // the makers and the rules keep nothing
enum PlantedFault {
  LEASE_FROM_THE_ANSWERS_ARRIVAL(
      Schedule.A01_PAUSED_NODES,
      new SafetyRules() {
        @Override
        long countsFrom(long pingSentNanos, long answerReceivedNanos) {
          return answerReceivedNanos;
        }
      }),

  ANSWER_AFTER_ACCEPTING_A_LATER_VIEW(
      Schedule.ACCEPTED_BUT_NOT_LEARNED,
      new SafetyRules() {
        @Override
        boolean mayAnswer(View held, @Nullable View accepted, @Nullable ViewStamp pinged) {
          return held.stamp().equals(pinged);
        }
      }),

  BOTH_BALLOTS_OF_AN_EPOCH_ADOPTED(
      Schedule.B20_LOWER_BALLOT_COMES_LATE,
      new SafetyRules() {
        @Override
        boolean supersedes(View held, @Nullable View accepted, View theirs) {
          return theirs.name().isAfter(held.name());
        }
      }),

  HIGHER_BALLOT_IGNORED(
      Schedule.B20_LOWER_BALLOT_COMES_LATE,
      new SafetyRules() {
        @Override
        boolean supersedes(View held, @Nullable View accepted, View theirs) {
          return theirs.epoch() > held.epoch();
        }
      }),

  VIEW_WITHOUT_A_QUORUM(
      Schedule.A06_ALONE_FOR_LONG,
      new SafetyRules() {
        @Override
        boolean isQuorum(int agreeing, int voters, boolean seniorAgrees) {
          return agreeing >= 1;
        }
      }),

  HALF_WITHOUT_THE_SENIOR_IS_A_QUORUM(
      Schedule.A01_CUT_IN_HALVES,
      new SafetyRules() {
        @Override
        boolean isQuorum(int agreeing, int voters, boolean seniorAgrees) {
          return 2 * agreeing >= voters;
        }
      }),

  ONE_SURVIVOR_DECIDES_FOR_ALL(
      Schedule.B20_ONE_SURVIVOR_KNOWS,
      new SafetyRules() {
        @Override
        boolean everySurvivorAgrees(
            View view, Predicate<MemberId> agrees, Predicate<MemberId> dead) {
          return view.members().stream().map(Member::id).anyMatch(agrees);
        }
      }),

  NEWCOMER_HAS_A_LEASE_AT_ONCE(
      Schedule.B20_TWO_BALLOTS,
      new SafetyRules() {
        @Override
        boolean enters(@Nullable View held, View next, MemberId self) {
          return false;
        }
      }),

  VOTER_ADDED_WHILE_A_LEASE_MAY_RUN(
      Schedule.B05_LEFT_UNHEARD,
      new SafetyRules() {
        @Override
        boolean mayAdd(boolean departedMayHoldLease) {
          return true;
        }
      }),

  SETTLED_WITHOUT_ASKING(
      Schedule.SETTLED_AFTER_A_LOSS,
      new SafetyRules() {
        @Override
        boolean maySettle(View held, BitSet done) {
          return true;
        }
      }),

  DEAD_IN_THE_VIEW_HELD_WITHOUT_ASKING(
      Schedule.DIES_IN_A_LATER_VIEW,
      new SafetyRules() {
        @Override
        boolean noneIsLater(View held, Predicate<MemberId> saidSo, Predicate<MemberId> dead) {
          return true;
        }
      }),

  SILENCE_TAKEN_FOR_DEATH(
      Schedule.A06_FROZEN_SENIOR, seed -> new SimulatedCluster(seed).takingSilenceForDeath()),

  INCARNATION_IGNORED(
      Schedule.A10_BACK_BEFORE_ITS_REMOVAL,
      seed -> new SimulatedCluster(seed).ignoringIncarnations());

  private final Schedule noticedBy;
  private final Function<Long, SimulatedCluster> maker;

  PlantedFault(Schedule noticedBy, SafetyRules broken) {
    this(noticedBy, seed -> new SimulatedCluster(seed, broken));
  }

  PlantedFault(Schedule noticedBy, Function<Long, SimulatedCluster> maker) {
    this.noticedBy = noticedBy;
    this.maker = maker;
  }

  Schedule noticedBy() {
    return noticedBy;
  }

  /** In which of these seeds the schedule notices. */
  List<Long> noticedIn(List<Long> seeds) {
    return seeds.stream().filter(this::isNoticed).toList();
  }

  private boolean isNoticed(long seed) {
    try {
      noticedBy.play(maker.apply(seed));
      return false;
    } catch (AssertionError noticed) {
      return true;
    }
  }
}
