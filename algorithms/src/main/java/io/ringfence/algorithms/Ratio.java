package io.ringfence.algorithms;

/**
 * Exact arithmetic on a product of two longs, without a floating-point number and without
 * allocation.
 *
 * <p>Limits reach 10^12 and windows 3.5 x 10^16 ns, so their products need up to 95 bits. A product
 * is held as a high and a low half (the low one unsigned), and divided as Knuth does it (The Art of
 * Computer Programming, volume 2, 4.3.1, algorithm D) with two digits of 32 bits. Where product and
 * quotient fit into a long, which is almost always, one plain division does it.
 *
 * <p>All arguments are non-negative, divisors are positive. A quotient that does not fit is {@link
 * Long#MAX_VALUE}.
 */
final class Ratio {
  private static final long DIGIT = 1L << 32;
  private static final long DIGIT_MASK = DIGIT - 1;

  private Ratio() {}

  /** floor((a x b + c) / d). */
  static long floor(long a, long b, long c, long d) {
    long high = Math.multiplyHigh(a, b);
    long product = a * b;
    long low = product + c;
    if (Long.compareUnsigned(low, product) < 0) {
      high++;
    }
    if (high == 0 && low >= 0) {
      return low / d;
    }
    if (high >= d) {
      return Long.MAX_VALUE;
    }
    long quotient = divide(high, low, d);
    return quotient < 0 ? Long.MAX_VALUE : quotient;
  }

  /** floor(a x b / d). */
  static long floor(long a, long b, long d) {
    return floor(a, b, 0, d);
  }

  /** ceil(a x b / d). */
  static long ceil(long a, long b, long d) {
    return floor(a, b, d - 1, d);
  }

  /**
   * a x b - quotient x d, where quotient is floor(a x b / d) and was not saturated; the result is
   * below d.
   */
  static long remainder(long a, long b, long d, long quotient) {
    return a * b - quotient * d;
  }

  /** Whether a x b <= c x d. */
  static boolean atMost(long a, long b, long c, long d) {
    long left = Math.multiplyHigh(a, b);
    long right = Math.multiplyHigh(c, d);
    return left != right ? left < right : Long.compareUnsigned(a * b, c * d) <= 0;
  }

  /**
   * The 128-bit number high:low divided by d, for high < d, so that the quotient has at most 64
   * bits.
   */
  private static long divide(long high, long low, long d) {
    int shift = Long.numberOfLeadingZeros(d); // at least 1, as d is positive
    long divisor = d << shift;
    long top = (high << shift) | (low >>> (64 - shift));
    long rest = low << shift;
    long first = digit(top, rest >>> 32, divisor);
    long middle = top * DIGIT + (rest >>> 32) - first * divisor;
    long second = digit(middle, rest & DIGIT_MASK, divisor);
    return first * DIGIT + second;
  }

  /**
   * One digit of the quotient: estimated from the divisor's first digit, then corrected at most
   * twice.
   */
  private static long digit(long top, long next, long divisor) {
    long divisorHigh = divisor >>> 32;
    long divisorLow = divisor & DIGIT_MASK;
    long estimate = Long.divideUnsigned(top, divisorHigh);
    long rest = top - estimate * divisorHigh;
    while (estimate >= DIGIT
        || Long.compareUnsigned(estimate * divisorLow, rest * DIGIT + next) > 0) {
      estimate--;
      rest += divisorHigh;
      if (rest >= DIGIT) {
        break;
      }
    }
    return estimate;
  }
}
