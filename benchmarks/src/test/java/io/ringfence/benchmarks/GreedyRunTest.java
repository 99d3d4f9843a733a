package io.ringfence.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.benchmarks.GreedyRun.Size;
import io.ringfence.benchmarks.Neighbours.Length;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The small form of the command: greedy keys are denied, others are not; nothing about speed. */
class GreedyRunTest {
  @Test
  void everyRowIsMeasured() throws Exception {
    List<Neighbours> rows = new ArrayList<>();
    GreedyRun.run(new Size(new Length(1, 1), 2_000, 200, 2_000), rows::add);
    assertEquals(5, rows.size());
    for (Neighbours row : rows) {
      assertTrue(row.without().getTotalCount() > 0, row.what());
      assertTrue(row.with().getTotalCount() > 0, row.what());
      System.out.println(row.row());
    }
  }
}
