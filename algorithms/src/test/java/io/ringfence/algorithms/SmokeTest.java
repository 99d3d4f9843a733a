package io.ringfence.algorithms;

import static org.junit.jupiter.api.Assertions.assertEquals;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class SmokeTest {
  @Test
  void runs() {
    assertEquals(2, 1 + 1);
  }

  @Property(tries = 10)
  void property(@ForAll int x) {
    assertEquals(x, x);
  }
}
