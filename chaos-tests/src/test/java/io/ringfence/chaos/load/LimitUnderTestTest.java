package io.ringfence.chaos.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.ringfence.chaos.wire.Answer;
import io.ringfence.chaos.wire.CheckAnswer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What an outsider concludes from the numbers of an answer. Times in ms from an edge of the hour.
 */
class LimitUnderTestTest {
  private static final long EDGE = 1_767_225_600_000L;
  private static final long HOUR = 3_600_000;

  private static CheckAnswer denial(long retry, long resetAt, long header) {
    String body =
        "{\"allowed\":false,\"retry_after_ms\":%d,\"reset_at\":%d,\"certainty\":\"exact\"}"
            .formatted(retry, resetAt);
    return CheckAnswer.of(new Answer(429, Map.of("retry-after", "" + header), body));
  }

  private static CheckAnswer admission() {
    String body =
        "{\"allowed\":true,\"retry_after_ms\":0,\"reset_at\":%d,\"certainty\":\"exact\"}"
            .formatted(EDGE + HOUR);
    return CheckAnswer.of(new Answer(200, Map.of(), body));
  }

  private static LimitUnderTest fiftyAnHour(Shape shape) {
    return new LimitUnderTest(shape, 50, Duration.ofHours(1));
  }

  @ParameterizedTest
  @CsvSource({
    // decided 10 s into the hour
    "FIXED_WINDOW, 3590000, 3600000, 3590, true",
    "FIXED_WINDOW, 3589999, 3600000, 3590, true",
    "FIXED_WINDOW, 3590000, 3600000, 3591, false",
    "FIXED_WINDOW, 3588000, 3600000, 3588, false",
    "FIXED_WINDOW, 3592000, 3600000, 3592, false",
    // the oldest entry was admitted 9 s into the hour
    "SLIDING_LOG, 3599000, 3609000, 3599, true",
    "SLIDING_LOG, 3600000, 3612000, 3600, false",
    // 71 s until a unit is back, 49 x 72 s later the bucket is full
    "TOKEN_BUCKET, 71000, 3609000, 71, true",
    "TOKEN_BUCKET, 70000, 3609000, 70, true",
    "TOKEN_BUCKET, 68000, 3609000, 68, false",
    "GCRA, 71000, 3609000, 71, true",
    "GCRA, 74000, 3609000, 74, false",
  })
  void theWaitHasToEndWhenItsOwnNumbersSay(
      Shape shape, long retry, long reset, long header, boolean right) {
    Timing timing = new Timing(EDGE + 10_000, EDGE + 10_010, 10_000_000);
    String problem = fiftyAnHour(shape).waitProblem(denial(retry, EDGE + reset, header), timing);
    assertEquals(right, problem == null, String.valueOf(problem));
  }

  @Test
  void anAdmissionTellsNoWait() {
    Timing timing = new Timing(EDGE, EDGE, 0);
    assertNull(fiftyAnHour(Shape.FIXED_WINDOW).waitProblem(admission(), timing));
  }

  @Test
  void aRefillingLimitMayAdmitWhatCameBackMeanwhile() {
    assertEquals(50, fiftyAnHour(Shape.TOKEN_BUCKET).most(Duration.ofMillis(71_998)));
    assertEquals(51, fiftyAnHour(Shape.GCRA).most(Duration.ofSeconds(72)));
    assertEquals(50, fiftyAnHour(Shape.FIXED_WINDOW).most(Duration.ofSeconds(72)));
  }

  @Test
  void fewerThanTheLimitIsAProblemToo() {
    Tally tally = new Tally();
    for (int i = 0; i < 49; i++) {
      tally.add(admission());
    }
    LimitUnderTest limit = fiftyAnHour(Shape.FIXED_WINDOW);
    assertNull(limit.countProblem(tally, Duration.ZERO));
    tally.add(denial(HOUR, EDGE + HOUR, 3_600));
    assertNotNull(limit.countProblem(tally, Duration.ZERO));
  }
}
