package io.ringfence.chaos.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Collections;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OffersTest {
  private static final int KEYS = 500;
  private static final int LIMIT = 5;

  private final Offers offers = Offers.draw(KEYS, LIMIT, new Random(1));

  @Test
  void eachKeyIsOfferedThreeTimesItsLimitAThirdOfItWhenAllIsOver() {
    for (int key = 0; key < KEYS; key++) {
      assertEquals(2 * LIMIT, Collections.frequency(offers.first(), key));
      assertEquals(LIMIT, Collections.frequency(offers.last(), key));
    }
  }

  @Test
  void beforeTheFaultComesAThirdOfAllAndEveryDegreeOfUseOccurs() {
    var before = offers.first().subList(0, offers.before());
    long degrees =
        IntStream.range(0, KEYS).map(key -> Collections.frequency(before, key)).distinct().count();
    assertEquals(2 * LIMIT + 1, degrees);
    assertEquals(KEYS * LIMIT, offers.before(), KEYS * LIMIT * 0.1);
  }

  @Test
  void whatIsOfferedDuringTheFaultIsSpreadOverIt() {
    Duration lasts = Duration.ofSeconds(30);
    int last = offers.first().size() - 1;
    long struck = offers.dueNanos(offers.before(), 1_000, lasts);
    assertEquals(offers.before() * 1e6, (double) struck, 1e6);
    long during = offers.dueNanos(last + 1, 1_000, lasts) - struck;
    assertEquals(lasts.toSeconds() * 1e9, (double) during, 1e6);
    long hurried = offers.dueNanos(last, 100, Duration.ofMillis(1)) - struck;
    assertTrue(hurried > Duration.ofSeconds(10).toNanos(), "never faster than the rate");
  }

  @Test
  void aWindowOfWhichTheWantedPartIsOverIsFound() {
    for (double over : new double[] {0.2, 0.35, 0.5, 0.79}) {
      long now = 1_796_000_000_123L;
      Window window = Window.over(over, now);
      assertEquals(over, window.overAt(now), 0.01);
      assertTrue(window.seconds() >= 7_200, window::toString);
    }
  }
}
