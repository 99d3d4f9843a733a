package io.ringfence.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.embedded.EmbeddedChannel;
import io.ringfence.membership.Address;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The small parts that bound something, each by itself. */
class BoundsTest {

  @Test
  void theFirstAttemptIsAtOnceAndTheOthersDoubleUpToASecond() {
    Backoff backoff = new Backoff(new SplittableRandom(1));
    long[] most = {0, 5, 50, 100, 200, 400, 800, 1_000, 1_000};
    for (long full : most) {
      long wait = backoff.nextMillis();
      assertTrue(wait <= full && wait >= full / 2, () -> wait + " of " + full);
    }
    for (int i = 0; i < 100; i++) {
      long wait = backoff.nextMillis();
      assertTrue(wait >= 500 && wait <= 1_000);
    }
    backoff.reset();
    assertEquals(0, backoff.nextMillis());
  }

  @Test
  void theLogSaysTheSameOncePerMinute() {
    ManualClock clock = new ManualClock();
    RefusalLog log = new RefusalLog(clock);
    RefusalLog.Line line = new RefusalLog.Line("10.0.0.1", "wrong secret");
    assertTrue(log.admit(line));
    assertFalse(log.admit(line));
    assertTrue(log.admit(new RefusalLog.Line("10.0.0.1", "another cluster's name")));
    clock.advanceNanos(TimeUnit.SECONDS.toNanos(59));
    assertFalse(log.admit(line));
    clock.advanceNanos(TimeUnit.SECONDS.toNanos(1));
    assertTrue(log.admit(line));
  }

  @Test
  void theLogIsBoundedWhateverManyAddressesDo() {
    ManualClock clock = new ManualClock();
    RefusalLog log = new RefusalLog(clock);
    int lines = 0;
    for (int i = 0; i < 10_000; i++) {
      lines += log.admit(new RefusalLog.Line("10.0.0." + i, "wrong secret")) ? 1 : 0;
    }
    assertEquals(RefusalLog.LINES_A_MINUTE, lines);
    clock.advanceNanos(TimeUnit.MINUTES.toNanos(1));
    assertTrue(log.admit(new RefusalLog.Line("10.0.0.1", "wrong secret")));
  }

  @Test
  void theGateDropsTheOldest() {
    TestNode.Counts counts = new TestNode.Counts();
    UnprovenGate gate = new UnprovenGate(2, counts);
    EmbeddedChannel first = new EmbeddedChannel();
    EmbeddedChannel second = new EmbeddedChannel();
    EmbeddedChannel third = new EmbeddedChannel();
    gate.enter(first);
    gate.enter(second);
    gate.enter(third);
    assertFalse(first.isOpen());
    assertTrue(second.isOpen() && third.isOpen());
    assertEquals(1, counts.dropped.get());
    gate.leave(second);
    third.close().syncUninterruptibly();
    third.runPendingTasks();
    assertEquals(0, gate.size());
  }

  @Test
  void settingsNameTheirRanges() {
    IllegalArgumentException range =
        assertThrows(
            IllegalArgumentException.class, () -> new PeerSettings.Timeouts(1_000, 0, 1_000));
    assertEquals("handshakeMillis must be 10 to 60000, not 0", range.getMessage());
    assertThrows(IllegalArgumentException.class, () -> new PeerSettings.Bounds(1, 1));
    assertThrows(IllegalArgumentException.class, () -> new PeerSettings.Bounds(1 << 20, 0));
    assertThrows(IllegalArgumentException.class, () -> new ProtocolRange(2, 1));
    assertThrows(IllegalArgumentException.class, () -> PeerSettings.of(new Address("::", 1), "c"));
  }

  @Test
  void onlyECONNREFUSEDIsARefusal() {
    assertTrue(ConnectionFault.isRefusal(new ConnectException("Connection refused")));
    assertFalse(ConnectionFault.isRefusal(new ConnectException("Connection timed out")));
    assertFalse(ConnectionFault.isRefusal(new NoRouteToHostException("Connection refused")));
    assertFalse(ConnectionFault.isRefusal(new ConnectTimeoutException("Connection refused")));
  }
}
