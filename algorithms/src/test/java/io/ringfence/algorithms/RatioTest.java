package io.ringfence.algorithms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Compared with BigInteger, over operands of every size. */
class RatioTest {
  @Property(tries = 5_000)
  void dividesAsBigIntegersDo(
      @ForAll("operands") long a,
      @ForAll("operands") long b,
      @ForAll("operands") long c,
      @ForAll("operands") long d) {
    long divisor = Math.max(1, d);
    BigInteger[] exact = big(a).multiply(big(b)).add(big(c)).divideAndRemainder(big(divisor));
    assertEquals(saturated(exact[0]), Ratio.floor(a, b, c, divisor));
  }

  @Property(tries = 5_000)
  void comparesAsBigIntegersDo(
      @ForAll("operands") long a,
      @ForAll("operands") long b,
      @ForAll("operands") long c,
      @ForAll("operands") long d) {
    boolean exact = big(a).multiply(big(b)).compareTo(big(c).multiply(big(d))) <= 0;
    assertEquals(exact, Ratio.atMost(a, b, c, d));
    assertTrue(Ratio.atMost(a, b, b, a));
  }

  @Property(tries = 5_000)
  void roundsUpAndLeavesTheRightRemainder(
      @ForAll("operands") long a, @ForAll("operands") long b, @ForAll("operands") long d) {
    long divisor = Math.max(1, d);
    BigInteger[] exact = big(a).multiply(big(b)).divideAndRemainder(big(divisor));
    BigInteger up = exact[0].add(big(exact[1].signum()));
    assertEquals(saturated(up), Ratio.ceil(a, b, divisor));
    if (exact[0].bitLength() < 63) {
      long quotient = Ratio.floor(a, b, divisor);
      assertEquals(exact[1].longValueExact(), Ratio.remainder(a, b, divisor, quotient));
    }
  }

  /** Uniform in the number of bits, with the edges of each size. */
  @Provide
  Arbitrary<Long> operands() {
    Arbitrary<Long> sized =
        Arbitraries.integers()
            .between(0, 62)
            .flatMap(bits -> Arbitraries.longs().between(0, (1L << bits) | ((1L << bits) - 1)));
    Arbitrary<Long> edges =
        Arbitraries.integers()
            .between(0, 62)
            .flatMap(
                bits ->
                    Arbitraries.of((1L << bits) - 1, 1L << bits, (1L << bits) + 1, Long.MAX_VALUE));
    return Arbitraries.oneOf(sized, edges);
  }

  private static BigInteger big(long value) {
    return BigInteger.valueOf(value);
  }

  private static long saturated(BigInteger value) {
    return value.min(big(Long.MAX_VALUE)).longValueExact();
  }
}
