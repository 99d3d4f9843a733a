package io.ringfence.engine;

import io.ringfence.engine.message.Deed;
import io.ringfence.ring.RingSettings;
import io.ringfence.ring.SipHash;
import io.ringfence.rules.Request;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Who takes how much room in a table of counters, so that one tenant's flood of keys leaves room
 * for the others.
 *
 * <p>A request that names a tenant takes room on that tenant's account; any other on the account of
 * the limit that counts it. The last quarter of the table is not for whoever holds more than half
 * of it: a flood on one account ends at three quarters. Accounts are told apart by ten bits of a
 * seeded hash; two tenants that agree in them share an account.
 *
 * <p>Thread-safe, without locks.
 */
final class Tenants {
  private static final int ACCOUNTS = 1 << 10;
  private static final String ATTRIBUTE = "tenant";

  private final long maxCounters;
  private final AtomicIntegerArray held = new AtomicIntegerArray(ACCOUNTS); // each 0 or more

  Tenants(long maxCounters) {
    this.maxCounters = maxCounters;
  }

  /** The number of the tenant that a request names, or 0 where it names none. */
  static int numberOf(Request request, RingSettings ring) {
    String name = request.attributes().get(ATTRIBUTE);
    if (name == null) {
      return 0;
    }
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    long hash = new SipHash(ring.k1(), ring.k0()).hash(bytes, 0, bytes.length);
    return 1 + (int) Long.remainderUnsigned(hash, Deed.MAX_TENANT);
  }

  /** The account of a counter. */
  int account(int tenant, long limitId) {
    long number = tenant != 0 ? tenant : limitId;
    return (int) (number & (ACCOUNTS - 1));
  }

  /** A number of a tenant that has that account. */
  static int numberOf(int account) {
    return ACCOUNTS + account;
  }

  /** Whether the account may take one more place in a table that has that many taken. */
  boolean mayTake(int account, long taken) {
    boolean lastQuarter = taken >= maxCounters - maxCounters / 4;
    return !lastQuarter || held.get(account) <= maxCounters / 2;
  }

  void took(int account) {
    held.incrementAndGet(account);
  }

  void gaveBack(int account) {
    held.decrementAndGet(account);
  }
}
