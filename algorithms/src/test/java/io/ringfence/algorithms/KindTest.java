package io.ringfence.algorithms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KindTest {
  /** Codes and names that are out in the world; a line may be added here, never changed. */
  @ParameterizedTest
  @CsvSource({
    "1, token-bucket, TOKEN_BUCKET, ELAPSED",
    "2, leaking-bucket, LEAKING_BUCKET, ELAPSED",
    "3, gcra, GCRA, ELAPSED",
    "4, fixed-window, FIXED_WINDOW, WALL",
    "5, sliding-window-log, SLIDING_WINDOW_LOG, ELAPSED",
    "6, sliding-window-counter, SLIDING_WINDOW_COUNTER, WALL"
  })
  void codesNamesAndTimelinesStay(int wireCode, String configName, Kind kind, Timeline timeline) {
    assertEquals(wireCode, kind.wireCode());
    assertEquals(kind, Kind.ofWireCode(wireCode));
    assertEquals(configName, kind.configName());
    assertEquals(Optional.of(kind), Kind.ofConfigName(configName));
    Algorithm algorithm = Algorithm.of(kind, 10, 1_000_000_000L, kind.defaultBurst(10));
    assertEquals(kind, algorithm.kind());
    assertEquals(timeline, algorithm.timeline());
  }

  @Test
  void thereAreSix() {
    assertEquals(6, Kind.values().length);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 7, 255})
  void unknownCodesAreRefused(int wireCode) {
    assertThrows(IllegalArgumentException.class, () -> Kind.ofWireCode(wireCode));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Token-Bucket", "token_bucket", "leaky-bucket", "concurrency"})
  void unknownNamesAreNone(String name) {
    assertEquals(Optional.empty(), Kind.ofConfigName(name));
  }

  @ParameterizedTest
  @CsvSource({
    "TOKEN_BUCKET, 50, 50",
    "GCRA, 50, 1",
    "LEAKING_BUCKET, 50, 0",
    "FIXED_WINDOW, 50, 0",
    "GCRA, 0, 0"
  })
  void defaultBursts(Kind kind, long limit, long burst) {
    assertEquals(burst, kind.defaultBurst(limit));
  }
}
