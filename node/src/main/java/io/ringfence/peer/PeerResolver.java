package io.ringfence.peer;

import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.ringfence.membership.Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the IP address of a peer. A literal is answered at once. A name is looked up on a thread of
 * its own, as the JDK's look-up blocks; the thread goes away when there is nothing to look up. At
 * most {@value #WAITING} look-ups wait (policy: refuse the new, which is tried again with the
 * peer's next attempt).
 *
 * <p>Thread-safe; does not block.
 */
final class PeerResolver {
  private static final int WAITING = 2_048;

  private final ThreadPoolExecutor lookUps;

  PeerResolver() {
    lookUps =
        new ThreadPoolExecutor(
            1,
            1,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING),
            new DefaultThreadFactory("ringfence-peer-resolver", true));
    lookUps.allowCoreThreadTimeOut(true);
  }

  /**
   * Looks the address up.
   *
   * @param executor where the answer of a look-up is given; that of a literal is given at once
   * @param answer given the address, or null where there is none
   */
  void resolve(Address address, Executor executor, Consumer<@Nullable InetSocketAddress> answer) {
    String host = address.host();
    if (NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host)) {
      answer.accept(lookUp(address));
      return;
    }
    try {
      lookUps.execute(() -> answerOn(executor, answer, lookUp(address)));
    } catch (RejectedExecutionException e) {
      answer.accept(null);
    }
  }

  void close() {
    lookUps.shutdownNow();
  }

  private void answerOn(
      Executor executor,
      Consumer<@Nullable InetSocketAddress> answer,
      @Nullable InetSocketAddress found) {
    try {
      executor.execute(() -> answer.accept(found));
    } catch (RejectedExecutionException closed) {
      lookUps.shutdownNow(); // the network has closed; nobody waits for this answer or a later one
    }
  }

  private static @Nullable InetSocketAddress lookUp(Address address) {
    try {
      return new InetSocketAddress(InetAddress.getByName(address.host()), address.port());
    } catch (UnknownHostException e) {
      return null;
    }
  }
}
