package io.ringfence.chaos.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that is split comes to the same table as one that is not. */
class ResultsTest {
  @TempDir private Path home;

  private static Outcome outcome(int trial, long admittedMax, long over, Double firstRight) {
    return new Outcome(
        "kill-sync",
        "kill -9",
        "sync",
        trial,
        50,
        List.of("n1"),
        10,
        9,
        admittedMax,
        10,
        10,
        9,
        10,
        false,
        over,
        0,
        0,
        1,
        0,
        0,
        2,
        20 + trial,
        3,
        15,
        List.of(firstRight),
        List.of());
  }

  @Test
  void linesOfSeveralRunsMakeOneRow() throws IOException {
    Path file = home.resolve("there").resolve("results.jsonl");
    new Results(file).add(List.of(outcome(1, 10, 0, 40.0), outcome(2, 10, 0, 60.0)));
    new Results(file).add(List.of(outcome(3, 10, 0, 90.0)));
    Results all = new Results(file);
    assertTrue(all.allRight());
    List<Row> rows = all.rows();
    assertEquals(1, rows.size());
    assertEquals(
        List.of(
            "kill -9", "sync", "3", "30", "9 to 10", "10", "9 to 10", "1", "0", "0", "0", "6", "23",
            "3", "60, 90", "45, 75"),
        rows.get(0).cells());
    assertEquals(Row.HEADS.size(), rows.get(0).cells().size());
  }

  @Test
  void oneOutcomeThatIsOffMakesTheRunFail() throws IOException {
    Path file = home.resolve("results.jsonl");
    new Results(file).add(List.of(outcome(1, 10, 0, 40.0), outcome(2, 11, 1, 40.0)));
    assertFalse(new Results(file).allRight());
    assertEquals("9 to 11", new Results(file).rows().get(0).cells().get(4));
  }

  @Test
  void aTrialThatCameToNoEndIsARowOfItsOwnAndFails() throws IOException {
    Path file = home.resolve("results.jsonl");
    new Results(file).add(List.of(Outcome.broken(Faults.named("join"), 4, "no view")));
    assertFalse(new Results(file).allRight());
    assertEquals("came to no end", new Results(file).rows().get(0).cells().get(1));
  }
}
