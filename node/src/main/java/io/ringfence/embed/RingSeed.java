package io.ringfence.embed;

import io.ringfence.config.Secret;
import io.ringfence.ring.RingSettings;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The seed of a cluster's ring: HMAC-SHA-256 of the cluster's name under its secret.
 *
 * <p>All members derive the same one, and who does not know the secret cannot choose keys that meet
 * in one slot. Without a secret the seed follows from the name alone, and keys can be chosen so.
 */
final class RingSeed {
  private static final byte[] NO_SECRET = {0};

  private RingSeed() {}

  static RingSettings of(@Nullable Secret secret, String clusterName) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret == null ? NO_SECRET : secret.bytes(), "HmacSHA256"));
      mac.update("ringfence ring seed".getBytes(StandardCharsets.UTF_8));
      ByteBuffer seed = ByteBuffer.wrap(mac.doFinal(clusterName.getBytes(StandardCharsets.UTF_8)));
      return RingSettings.seeded(seed.getLong(), seed.getLong());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM has no HmacSHA256", e);
    }
  }
}
