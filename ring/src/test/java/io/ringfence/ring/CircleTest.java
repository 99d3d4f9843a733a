package io.ringfence.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class CircleTest {
  @Property
  void theArcIsTheExactFloorOfPositionTimesSlotsOverTheCircle(
      @ForAll long position, @ForAll @IntRange(min = 1, max = 65_536) int slots) {
    BigInteger exact =
        new BigInteger(Long.toUnsignedString(position))
            .multiply(BigInteger.valueOf(slots))
            .shiftRight(64);
    assertEquals(exact.intValueExact(), Circle.slotAt(position, slots));
  }

  @Test
  void theCircleBeginsWithTheFirstSlotAndEndsWithTheLast() {
    assertEquals(0, Circle.slotAt(0, 3));
    assertEquals(1, Circle.slotAt(Long.MAX_VALUE, 3));
    assertEquals(2, Circle.slotAt(-1, 3));
  }
}
