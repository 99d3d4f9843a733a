package io.ringfence.chaos.faults;

import io.ringfence.chaos.faults.Check.Reply;
import io.ringfence.chaos.faults.Doors.Door;
import io.ringfence.chaos.wire.Call;
import io.ringfence.chaos.wire.CheckAnswer;
import io.ringfence.chaos.wire.HttpConnection;
import io.ringfence.chaos.wire.MachineClock;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One keep-alive connection to one node, and to another when that is gone. Each check is sent once:
 * what becomes of a check whose connection broke is not known, so it is not repeated. For one
 * thread.
 */
final class Client implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final long RETRY_NANOS = Duration.ofMillis(2).toNanos();

  private final int number;
  private final Doors doors;
  private @Nullable Door door; // where the connection leads
  private @Nullable HttpConnection connection;

  /**
   * Connects when it is first asked to.
   *
   * @param number which of the clients it is
   */
  Client(int number, Doors doors) {
    this.number = number;
    this.doors = doors;
  }

  /** Asks once; empty where no door is open, or the one there is refuses. */
  Optional<Check> ask(int key, Call call) {
    Door now = doors.of(number).orElse(null);
    if (now == null || !connected(now)) {
      LockSupport.parkNanos(RETRY_NANOS);
      return Optional.empty();
    }
    HttpConnection open = connection;
    if (open == null) {
      throw new IllegalStateException("connected, and no connection");
    }
    long sentNanos = MachineClock.nanos();
    try {
      CheckAnswer answer = CheckAnswer.of(open.exchange(call));
      long receivedNanos = MachineClock.nanos();
      Reply reply = Reply.of(answer.allowed(), answer.certainty());
      return Optional.of(
          new Check(key, now.node(), sentNanos, receivedNanos, reply, answer.owner()));
    } catch (IOException broken) {
      close();
      return Optional.of(
          new Check(key, now.node(), sentNanos, MachineClock.nanos(), Reply.NONE, null));
    }
  }

  private boolean connected(Door wanted) {
    if (connection != null && wanted.equals(door)) {
      return true;
    }
    close();
    try {
      connection = HttpConnection.open(wanted.address(), PATIENCE);
      door = wanted;
      return true;
    } catch (IOException refused) {
      return false;
    }
  }

  @Override
  public void close() {
    HttpConnection open = connection;
    connection = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException broken) {
        // It is gone either way.
      }
    }
  }
}
