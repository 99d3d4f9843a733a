package io.ringfence.chaos.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.chaos.load.ScriptedLimiter.Defect;
import io.ringfence.chaos.wire.CheckRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The load and its books against a limiter whose only defect is known. */
class LoadTest {
  private static final LimitUnderTest LIMIT =
      new LimitUnderTest(Shape.FIXED_WINDOW, 5, Duration.ofHours(1));
  private static final List<Shot> SHOTS =
      List.of(
          Shot.of("a", new CheckRequest("a", "GET /")),
          Shot.of("b", new CheckRequest("b", "GET /").with("ip", "203.0.113.7")));
  private static final LoadPlan PLAN = LoadPlan.each(SHOTS, 12, 4);

  private static Ledger run(Defect defect) throws IOException {
    Ledger ledger = new Ledger(LIMIT);
    try (ScriptedLimiter limiter = new ScriptedLimiter(LIMIT.limit(), defect)) {
      Load.run(List.of(limiter.address()), PLAN, LoadSettings.calm(4), ledger);
    }
    return ledger;
  }

  @Test
  void booksOfAnExactLimiterShowNoProblem() throws IOException {
    Ledger ledger = run(Defect.NONE);
    assertEquals(List.of(), ledger.countProblems());
    assertEquals(List.of(), ledger.waitProblems());
    assertEquals(24, ledger.answered());
    assertEquals(List.of("a", "b"), ledger.counters());
  }

  @Test
  void oneAdmissionTooManyIsFound() throws IOException {
    Ledger ledger = run(Defect.ADMITS_ONE_MORE);
    assertTrue(ledger.countProblems().get(0).startsWith("a: "), ledger.countProblems()::toString);
    assertTrue(ledger.countProblems().size() >= 2, ledger.countProblems()::toString);
  }

  @Test
  void wrongWaitsAreCountedAndTheFirstKept() throws IOException {
    Ledger ledger = run(Defect.WAITS_TOO_LONG);
    assertEquals(ledger.answered(429), ledger.wrongWaits());
    assertEquals(5, ledger.waitProblems().size());
  }

  @Test
  void aFiveHundredFailsTheLoad() {
    IllegalStateException e = assertThrows(IllegalStateException.class, () -> run(Defect.FAILS));
    assertTrue(e.toString().contains("status 500 for a check"), e::toString);
  }

  @Test
  void aBrokenConnectionFailsTheLoadWhereItsNodeMustStay() {
    IllegalStateException e = assertThrows(IllegalStateException.class, () -> run(Defect.HANGS_UP));
    assertTrue(e.toString().contains("the load failed"), e::toString);
  }

  @Test
  void anEndlessLoadEndsWhenStopped() throws IOException {
    Ledger ledger = new Ledger(LIMIT);
    LoadPlan endless = new LoadPlan(SHOTS, LoadPlan.ENDLESS, 4);
    try (ScriptedLimiter limiter = new ScriptedLimiter(LIMIT.limit(), Defect.NONE);
        Load load = Load.start(List.of(limiter.address()), endless, LoadSettings.calm(2), ledger)) {
      load.stop();
      load.finish();
    }
    assertEquals(List.of(), ledger.countProblems());
  }
}
