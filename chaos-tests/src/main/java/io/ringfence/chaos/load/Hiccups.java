package io.ringfence.chaos.load;

import io.ringfence.chaos.wire.MachineClock;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How long this machine lets threads wait that have something to do. A hundred times a second a
 * byte goes over loopback to a thread that sends it back; what that takes, the delay of its turn
 * included, costs next to nothing on an idle machine, and on an overloaded one is what every other
 * thread suffers as well.
 *
 * <p>A check changes threads about {@value #THREADS_OF_A_CHECK} times on its way: the caller's, the
 * HTTP loop, the peer loop, the owner's peer loop, and back. So a machine may be granted that many
 * of its worst hiccups before a late answer is blamed on a node. Nothing that a node does makes
 * this measure longer.
 */
public final class Hiccups implements AutoCloseable {
  private static final int THREADS_OF_A_CHECK = 6;
  private static final long EVERY_NANOS = Duration.ofMillis(10).toNanos();

  private final ScheduledThreadPoolExecutor turns = new ScheduledThreadPoolExecutor(1);
  private final Socket near;
  private final Socket far;
  private final AtomicLong worstNanos = new AtomicLong();
  private long lastEndNanos = MachineClock.nanos(); // of the turns' thread alone

  private Hiccups(Socket near, Socket far) {
    this.near = near;
    this.far = far;
  }

  /** Starts measuring. */
  public static Hiccups start() {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Socket near = new Socket(server.getInetAddress(), server.getLocalPort());
      near.setTcpNoDelay(true);
      Socket far = server.accept();
      far.setTcpNoDelay(true);
      Hiccups hiccups = new Hiccups(near, far);
      Thread echo = new Thread(hiccups::echo, "hiccups-echo");
      echo.setDaemon(true);
      echo.start();
      var unused =
          hiccups.turns.scheduleWithFixedDelay(
              hiccups::turn, EVERY_NANOS, EVERY_NANOS, TimeUnit.NANOSECONDS);
      return hiccups;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void echo() {
    try {
      InputStream in = far.getInputStream();
      OutputStream out = far.getOutputStream();
      for (int next = in.read(); next >= 0; next = in.read()) {
        out.write(next);
      }
    } catch (IOException closed) {
      // The measuring is over.
    }
  }

  private void turn() {
    try {
      near.getOutputStream().write(0);
      if (near.getInputStream().read() < 0) {
        return;
      }
    } catch (IOException closed) {
      return;
    }
    long now = MachineClock.nanos();
    worstNanos.accumulateAndGet(now - lastEndNanos - EVERY_NANOS, Math::max);
    lastEndNanos = now;
  }

  /** The worst so far. */
  public Duration worst() {
    return Duration.ofNanos(worstNanos.get());
  }

  /** How much later than on an idle machine a check may be answered. */
  public Duration grace() {
    return grace(worst());
  }

  /** The same for the worst hiccup of a run that is over. */
  public static Duration grace(Duration worst) {
    return worst.multipliedBy(THREADS_OF_A_CHECK);
  }

  @Override
  public void close() {
    turns.shutdownNow();
    try {
      near.close();
      far.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
