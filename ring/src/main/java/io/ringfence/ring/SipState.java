package io.ringfence.ring;

/**
 * One hash by {@link SipHash} on its way: words go in one by one, then the hash comes out. The
 * names are the paper's.
 *
 * <p>It is an object so that the rounds stand in one place. It never leaves the method that makes
 * it, so the compiled code of that method keeps the four words in registers and makes no object;
 * until that method is compiled, one that dies at once costs 48 bytes.
 *
 * <p>Used by one thread, for one hash.
 */
final class SipState {
  private static final long FINISHING_MARK = 0xff;

  private long v0;
  private long v1;
  private long v2;
  private long v3;

  SipState(long k0, long k1) {
    v0 = k0 ^ 0x736f6d6570736575L;
    v1 = k1 ^ 0x646f72616e646f6dL;
    v2 = k0 ^ 0x6c7967656e657261L;
    v3 = k1 ^ 0x7465646279746573L;
  }

  void word(long m) {
    v3 ^= m;
    round();
    round();
    v0 ^= m;
  }

  /** The hash. The state is of no use afterwards. */
  long finish() {
    v2 ^= FINISHING_MARK;
    round();
    round();
    round();
    round();
    return v0 ^ v1 ^ v2 ^ v3;
  }

  private void round() {
    v0 += v1;
    v2 += v3;
    v1 = Long.rotateLeft(v1, 13) ^ v0;
    v3 = Long.rotateLeft(v3, 16) ^ v2;
    v0 = Long.rotateLeft(v0, 32);
    v2 += v1;
    v0 += v3;
    v1 = Long.rotateLeft(v1, 17) ^ v2;
    v3 = Long.rotateLeft(v3, 21) ^ v0;
    v2 = Long.rotateLeft(v2, 32);
  }
}
