package io.ringfence.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The small form of the command: it runs, every check is answered, nothing is said about speed. */
class LoadRunTest {
  @Test
  void everyRowIsMeasured() throws Exception {
    List<Measured> rows = LoadRun.run(2_000);
    assertEquals(6, rows.size());
    for (Measured row : rows) {
      assertEquals(2_000, row.latency().getTotalCount(), row.what());
      assertTrue(row.perSecond() > 0);
      System.out.println(row.row());
    }
  }
}
