package io.ringfence.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOutboundBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The writing side of one connection: when it flushes, and what it tells {@link UnreadAnswers} of
 * what the system did not take.
 *
 * <p>After a flush nothing is left of the answers to a client that reads, and nothing is told. What
 * is left is told at once, and again when it changes: at the next flush, and when the last answer
 * has gone.
 *
 * <p>On the connection's loop alone.
 */
final class Outflow {
  private final Channel channel;
  private final Premises premises;
  private boolean unflushed;
  private boolean flushScheduled;
  private boolean watchingLast;
  // 0 where nothing is told of this connection.
  private long toldBytes;
  private @Nullable ChannelFuture last;

  Outflow(Channel channel, Premises premises) {
    this.channel = channel;
    this.premises = premises;
  }

  /** An answer was written and is not flushed. */
  void wrote(ChannelFuture written) {
    unflushed = true;
    last = written;
  }

  /** Flushes what is written at the end of the loop's pass, together with what still comes. */
  void flushSoon() {
    if (unflushed && !flushScheduled) {
      flushScheduled = true;
      channel
          .eventLoop()
          .execute(
              () -> {
                flushScheduled = false;
                flush();
              });
    }
  }

  /** Flushes what is written. */
  void flush() {
    if (unflushed) {
      unflushed = false;
      channel.flush();
    }
    tell();
  }

  /** Bytes that are written and that the system has not taken. */
  long waitingBytes() {
    ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes();
  }

  private void tell() {
    long waiting = waitingBytes();
    if (waiting == 0 && toldBytes == 0) {
      return;
    }
    // What is parked is held for the same client; it is at most one read.
    toldBytes = waiting == 0 ? 0 : waiting + HttpConnection.READ_BYTES;
    for (int i = premises.unread().holds(channel, toldBytes); i > 0; i--) {
      premises.met(HttpBound.UNREAD_TOTAL);
    }
    if (waiting > 0 && last != null && !watchingLast) {
      watchingLast = true;
      last.addListener(
          gone -> {
            watchingLast = false;
            tell();
          });
    }
  }
}
