package io.ringfence.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.Kind;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LimitIdTest {

  @Test
  void idsAreTheSameOnEveryNodeAndInEveryRelease() {
    assertEquals(0x6a7dd00a59e116d1L, id("write-api", null, List.of("client"), "token-bucket"));
    assertEquals(
        0xa320fbd17d7f90ecL, id("free", "daily", List.of("client", "route"), "fixed-window"));
    assertEquals(0x72a0e7a8efd31b72L, id("ceiling", null, List.of(), "token-bucket"));
  }

  @Test
  void noTwoDifferentLimitsHashTheSameBytes() {
    Set<Long> ids =
        new HashSet<>(
            List.of(
                id("a", null, List.of("bc"), "d"),
                id("ab", null, List.of("c"), "d"),
                id("a", "b", List.of("c"), "d"),
                id("a", null, List.of("b", "c"), "d"),
                id("a", "b", List.of(), "cd"),
                id("", "a", List.of("bc"), "d"),
                id("a", null, List.of("c", "b"), "d"),
                id("a", null, List.of(), "d"),
                id("a", null, List.of(""), "d"),
                id("a", null, List.of("bcd"), "")));

    assertEquals(10, ids.size());
  }

  @Test
  void theNumbersOfALimitAreNotPartOfItsIdentity() {
    assertEquals(
        Limit.of("a", List.of("ip"), null, Algorithm.of(Kind.GCRA, 5, 1_000_000_000L, 1), "1s")
            .id(),
        Limit.of("a", List.of("ip"), null, Algorithm.of(Kind.GCRA, 9, 60_000_000_000L, 3), "60s")
            .id());
  }

  private static long id(String rule, @Nullable String name, List<String> by, String algorithm) {
    return LimitId.of(rule, name, by, algorithm);
  }
}
