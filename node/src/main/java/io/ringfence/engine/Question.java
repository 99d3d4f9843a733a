package io.ringfence.engine;

import io.ringfence.engine.message.Deed;
import io.ringfence.engine.message.RequestKey;
import io.ringfence.ring.RingSettings;
import io.ringfence.ring.SipHash;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of the counters that a request meets.
 *
 * @param intent what
 * @param request the request's name, or null where it has none
 * @param tenant the number of the request's tenant, or 0
 * @param startNanos elapsed time when it was asked; its deadline counts from here
 */
record Question(Intent intent, @Nullable RequestKey request, int tenant, long startNanos) {

  /** What a caller wants. */
  enum Intent {
    /** Decide, and charge if all pass. */
    CHECK(Deed.Mode.CHARGE),
    /** Say what a check would be told. */
    PEEK(Deed.Mode.PEEK),
    /** Give back. */
    REFUND(Deed.Mode.REFUND),
    /** Make as good as new. */
    RESET(Deed.Mode.RESET),
    /** Charge, whether it fits or not. */
    DEBIT(Deed.Mode.DEBIT);

    private final Deed.Mode mode;

    Intent(Deed.Mode mode) {
      this.mode = mode;
    }
  }

  static Question of(Intent intent, Check check, RingSettings ring, long startNanos) {
    String id = intent == Intent.PEEK ? null : check.requestId();
    RequestKey request = id == null ? null : key(intent, check.request().client(), id, ring);
    return new Question(intent, request, Tenants.numberOf(check.request(), ring), startNanos);
  }

  boolean isCheck() {
    return intent == Intent.CHECK;
  }

  /**
   * The deed of one round.
   *
   * @param tentative whether a later round may still deny, and this one would be cancelled
   */
  Deed deed(boolean tentative) {
    Deed.Mode mode = tentative && isCheck() ? Deed.Mode.TENTATIVE : intent.mode;
    return new Deed(mode, request, tenant);
  }

  /**
   * Two seeded hashes of intent, client and id, 128 bits together: who knows other clients' ids
   * cannot find one of his own that collides with them. The client's length comes before it, so
   * that no two pairs give the same bytes.
   */
  private static RequestKey key(Intent intent, String client, String id, RingSettings ring) {
    String text = intent.mode.code() + ":" + client.length() + ":" + client + id;
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new RequestKey(
        new SipHash(ring.k0(), ~ring.k1()).hash(bytes, 0, bytes.length),
        new SipHash(~ring.k0(), ring.k1()).hash(bytes, 0, bytes.length));
  }
}
