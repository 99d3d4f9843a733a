package io.ringfence.engine;

import io.ringfence.engine.message.RequestKey;

/**
 * A hold on a charge that was made for a request with a name. A repeat of the request is answered
 * by the first answer and charges nothing; if it may be cancelled, so may the first, each by its
 * own caller. So each has a hold, and the charge is taken back when the last lets go.
 *
 * <p>Guarded by the lock of the charged counter.
 */
final class Claim {
  private final RequestKey request;
  private final Holds holds; // shared by all claims of the charge
  private final boolean repeat;

  private static final class Holds {
    private long count = 1; // 0 once the charge is to be taken back
  }

  private Claim(RequestKey request, Holds holds, boolean repeat) {
    this.request = request;
    this.holds = holds;
    this.repeat = repeat;
  }

  /** Of who charges. */
  static Claim first(RequestKey request) {
    return new Claim(request, new Holds(), false);
  }

  /** One more, of a repeat; who never lets it go keeps the charge for good. */
  Claim another() {
    holds.count++;
    return new Claim(request, holds, true);
  }

  RequestKey request() {
    return request;
  }

  /** Whether the charge was made for the same request before. */
  boolean isRepeat() {
    return repeat;
  }

  /** Lets go; true if nobody holds the charge any more. */
  boolean letGo() {
    holds.count--;
    return holds.count == 0;
  }
}
