package io.ringfence.chaos.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.chaos.cluster.Place;
import io.ringfence.chaos.faults.Check.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the books of a trial must show when a cluster does what it must not. */
class JudgeTest {
  private static final int LIMIT = 3;
  private static final Timings TIMES =
      new Timings(Duration.ofMillis(500), Duration.ofMillis(110), Duration.ofMillis(500));
  private static final TrialSettings SETTINGS = new TrialSettings(1, LIMIT, 1, 1, TIMES);
  private static final Window WINDOW = new Window(10_000);
  private static final long HALF_OVER_MILLIS = 5_000_000;
  private static final long STRUCK = millis(10_000);
  private static final long DONE = millis(10_010);
  private static final long QUIET = millis(12_000);

  private final List<Check> checks = new ArrayList<>();
  private boolean disturbed;

  private static long millis(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }

  private JudgeTest asked(long sentMillis, long tookMillis, Reply reply) {
    checks.add(
        new Check(0, "n2", millis(sentMillis), millis(sentMillis + tookMillis), reply, "n2"));
    return this;
  }

  private JudgeTest asked(long sentMillis, Reply reply) {
    return asked(sentMillis, 1, reply);
  }

  private Outcome under(Fault fault, String owner) {
    Target target = new Target(Set.of("n1"), "n1", Set.of("n2", "n3"));
    Course course =
        new Course(
            1,
            target,
            new Incident(STRUCK, DONE, HALF_OVER_MILLIS),
            QUIET,
            WINDOW,
            new Askers.Seen(List.of(), Duration.ZERO, 0, 0),
            disturbed,
            Duration.ZERO);
    Place place = new Place(owner, owner.equals("n2") ? "n3" : "n2");
    return new Judge(fault, SETTINGS, course, List.of(place), checks).outcome(0);
  }

  private static Fault kill(String durability, String onStateLost) {
    return new Kill("kill", Nodes.first(3), List.of(Policy.closed(durability, onStateLost)));
  }

  private static Fault stop() {
    return new Stop("stop", Duration.ofSeconds(30), List.of(Policy.closed("sync", "fresh")));
  }

  @Test
  void theLimitIsRight() {
    asked(1_000, Reply.ADMITTED).asked(11_000, Reply.ADMITTED).asked(13_000, Reply.ADMITTED);
    Outcome outcome = asked(13_100, Reply.DENIED).under(kill("sync", "fresh"), "n1");
    assertTrue(outcome.right(), outcome::toString);
    assertEquals(3, outcome.admittedMax());
    assertEquals(3, outcome.allowedMax());
    assertEquals(3, outcome.floorMin());
  }

  @Test
  void oneMoreThanTheLimitIsOff() {
    for (int i = 0; i <= LIMIT; i++) {
      asked(13_000 + i * 10L, Reply.ADMITTED);
    }
    assertEquals(1, under(kill("sync", "fresh"), "n1").over());
  }

  @Test
  void oneLessIsOffUnlessItWasUnderWay() {
    asked(1_000, Reply.ADMITTED).asked(13_000, Reply.ADMITTED).asked(13_100, Reply.DENIED);
    Outcome missing = under(kill("sync", "fresh"), "n1");
    assertEquals(1, missing.under());
    assertEquals(1, missing.falseDenials());
    Outcome lost = asked(9_990, 500, Reply.NONE).under(kill("sync", "fresh"), "n1");
    assertTrue(lost.right(), lost::toString);
    assertEquals(1, lost.inFlightMax());
  }

  @Test
  void aChargeThatWasRefusedAtItsDeadlineMayStand() {
    asked(1_000, Reply.ADMITTED).asked(13_000, Reply.ADMITTED).asked(13_100, Reply.DENIED);
    Outcome fast = asked(11_000, 5, Reply.REFUSED_BY_POLICY).under(kill("sync", "fresh"), "n1");
    assertEquals(1, fast.under());
    Outcome late = asked(11_000, 501, Reply.REFUSED_BY_POLICY).under(kill("sync", "fresh"), "n1");
    assertEquals(0, late.under());
  }

  @Test
  void asyncAllowsWhatNoBackupMayKnowOfTheDeadOwnersKeysAlone() {
    asked(1_000, Reply.ADMITTED).asked(9_950, Reply.ADMITTED);
    for (int i = 0; i < 2; i++) {
      asked(13_000 + i * 10L, Reply.ADMITTED);
    }
    assertEquals(0, under(kill("async", "fresh"), "n1").over());
    assertEquals(1, under(kill("async", "fresh"), "n2").over());
    asked(13_100, Reply.ADMITTED);
    assertEquals(1, under(kill("async", "fresh"), "n1").over());
  }

  @Test
  void ofALostCounterOnStateLostSaysWhatIsLeft() {
    asked(1_000, Reply.ADMITTED).asked(13_000, Reply.ADMITTED);
    assertEquals(1, under(kill("none", "spent"), "n1").over());
    Outcome prorated = under(kill("none", "prorated"), "n1"); // half of 3, rounded up, is used
    assertEquals(0, prorated.over());
    assertEquals(2, prorated.allowedMax());
    assertEquals(4, under(kill("none", "fresh"), "n1").allowedMax());
    assertEquals(LIMIT, under(kill("none", "fresh"), "n2").allowedMax());
  }

  @Test
  void eachNodeWithoutALeaseMayAdmitItsShareAndNoMore() {
    for (int i = 0; i < LIMIT; i++) {
      asked(1_000 + i * 10L, Reply.ADMITTED);
    }
    Fault split = new Split("split", Nodes.first(3), 1, List.of(Policy.cutOff("sync", "share")));
    assertEquals(LIMIT + 1, under(split, "n1").allowedMax()); // n1 is cut off
    asked(11_000, Reply.ADMITTED_BY_POLICY); // by n2
    assertEquals(LIMIT + 2, under(split, "n1").allowedMax());
    asked(11_010, Reply.ADMITTED_BY_POLICY).asked(11_020, Reply.ADMITTED_BY_POLICY);
    assertEquals(1, under(split, "n1").over());
  }

  @Test
  void whereAnotherNodeSeemedGoneTooTheBoundIsThatOfTwoLosses() {
    for (int i = 0; i < 2 * LIMIT; i++) {
      asked(13_000 + i * 10L, Reply.ADMITTED);
    }
    assertEquals(1, under(kill("sync", "fresh"), "n1").over());
    disturbed = true;
    assertEquals(0, under(kill("sync", "fresh"), "n1").over());
    assertEquals(1, under(kill("sync", "spent"), "n1").over());
    asked(13_100, Reply.ADMITTED);
    assertEquals(1, under(kill("sync", "fresh"), "n1").over());
  }

  @Test
  void whatIsAdmittedAfterAllDebitsThoughTheLimitWasUsedIsForgotten() {
    for (int i = 0; i < LIMIT; i++) {
      asked(1_000 + i * 10L, Reply.ADMITTED);
    }
    assertEquals(0, under(stop(), "n1").forgotten());
    Outcome late = asked(13_000, Reply.ADMITTED).under(stop(), "n1");
    assertEquals(1, late.forgotten());
    assertFalse(late.right());
  }

  @Test
  void noCheckMayFailWhileNodesMove() {
    asked(1_000, Reply.ADMITTED).asked(1_100, Reply.ADMITTED).asked(13_000, Reply.ADMITTED);
    Fault drain = new Move("drain", Move.Kind.DRAIN, List.of(Policy.closed("sync", "fresh")));
    assertTrue(under(drain, "n1").right());
    assertEquals(1, asked(11_000, Reply.REFUSED_BY_POLICY).under(drain, "n1").failed());
  }
}
