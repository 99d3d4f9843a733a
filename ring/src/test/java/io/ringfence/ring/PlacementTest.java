package io.ringfence.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class PlacementTest {
  private static final Placement PLACEMENT = new Placement(Rings.DEFAULTS);

  /** ASCII, other letters, zeros (which are also the filling) and surrogates, paired or alone. */
  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.oneOf(
        Arbitraries.strings().ascii().ofMaxLength(40),
        Arbitraries.strings().withChars('a', '\0', 'é', '漢', '\ud83d', '\ude00').ofMaxLength(20));
  }

  @Property
  void twoPairsHaveOneMessageOnlyIfTheyAreOnePair(
      @ForAll("texts") String attribute,
      @ForAll("texts") String value,
      @ForAll("texts") String otherAttribute,
      @ForAll("texts") String otherValue) {
    boolean same =
        Arrays.equals(Rings.utf8(attribute), Rings.utf8(otherAttribute))
            && Arrays.equals(Rings.utf8(value), Rings.utf8(otherValue));
    assertEquals(
        same,
        Arrays.equals(
            PairHash.message(attribute, value), PairHash.message(otherAttribute, otherValue)));
  }

  @Property
  void nothingShiftsFromOneTextToTheOther(
      @ForAll @StringLength(min = 1, max = 30) String text, @ForAll @IntRange(max = 30) int cut) {
    int at = cut % text.length();
    byte[] whole = PairHash.message(text, "");
    byte[] parts = PairHash.message(text.substring(0, at), text.substring(at));
    assertFalse(Arrays.equals(whole, parts));
  }

  @Property
  void readingTheStringsGivesTheHashOfTheMessage(
      @ForAll("texts") String attribute,
      @ForAll("texts") String value,
      @ForAll long k0,
      @ForAll long k1) {
    byte[] message = PairHash.message(attribute, value);
    assertEquals(
        SipHash.hash(k0, k1, message, 0, message.length),
        new PairHash(k0, k1).of(attribute, value));
  }

  @Property
  void everyPairHasASlotInRange(
      @ForAll @IntRange(min = 1, max = 65_536) int slots, @ForAll("texts") String value) {
    int slot = new Placement(slots, Rings.K0, Rings.K1).slotOf("client", value);
    assertTrue(0 <= slot && slot < slots, () -> "slot " + slot + " of " + slots);
  }

  @Property
  void thePlaceIsAFunctionOfThePairAndTheSeedAlone(@ForAll("texts") String value) {
    Placement onAnotherNode = new Placement(16_384, Rings.K0, Rings.K1);
    assertEquals(PLACEMENT.slotOf("ip", value), onAnotherNode.slotOf("ip", value));
  }

  @Test
  void theAttributeIsPartOfThePlace() {
    assertNotEquals(PLACEMENT.slotOf("client", "cust_42"), PLACEMENT.slotOf("user", "cust_42"));
  }

  @Test
  void anotherSeedSendsNearlyEveryKeyElsewhere() {
    for (Placement other :
        List.of(
            new Placement(16_384, Rings.K0 + 1, Rings.K1),
            new Placement(16_384, Rings.K0, Rings.K1 + 1))) {
      int same = 0;
      for (int i = 0; i < 10_000; i++) {
        if (PLACEMENT.slotOf("client", "c" + i) == other.slotOf("client", "c" + i)) {
          same++;
        }
      }
      assertTrue(same < 20, same + " of 10,000 keys kept their slot");
    }
  }

  @Test
  void keysThatFollowAPatternSpreadOverTheSlots() {
    int slots = 64;
    int keys = 64_000;
    int[] counts = new int[slots];
    Placement placement = new Placement(slots, Rings.K0, Rings.K1);
    for (int i = 0; i < keys; i++) {
      counts[placement.slotOf("ip", "10.0." + (i >> 8) + "." + (i & 255))]++;
    }
    // 1,000 expected in each; six standard deviations are 6 * sqrt(1,000), about 190.
    for (int slot = 0; slot < slots; slot++) {
      assertEquals(1_000, counts[slot], 190, "slot " + slot);
    }
  }

  @Test
  void asciiPairsArePlacedWithoutAllocationOnceTheCodeIsCompiled() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int calls = 10_000;
    int rounds = 500;
    long allocated = Long.MAX_VALUE;
    int sum = 0;
    for (int round = 0; round < rounds && allocated >= calls; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < calls; i++) {
        sum += PLACEMENT.slotOf("client", "cust_42_in_a_longer_name");
      }
      allocated = threads.getCurrentThreadAllocatedBytes() - before;
    }
    assertTrue(allocated < calls, allocated + " bytes in the last " + calls + " calls, sum " + sum);
  }

  @Test
  void refusesSlotsOutsideTheRange() {
    for (int slots : new int[] {0, -1, 65_537}) {
      IllegalArgumentException refusal =
          assertThrows(IllegalArgumentException.class, () -> new Placement(slots, 0, 0));
      assertEquals("slots must be 1 to 65536, not " + slots, refusal.getMessage());
    }
  }
}
