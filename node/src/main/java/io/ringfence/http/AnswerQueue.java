package io.ringfence.http;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one connection that are in progress, in the order in which they came and must be
 * answered (RFC 9112, 9.3.2). Answers come in any order; one waits here until all before it are
 * written.
 *
 * <p>Bounded by its user, who takes no further request while there are too many, or while the
 * answers that wait hold too many bytes. On the connection's loop alone.
 */
final class AnswerQueue {
  private final ArrayDeque<Exchange> inProgress = new ArrayDeque<>(4);
  // Bytes of the bodies that are answered and not yet written.
  private long waitingBytes;

  void add(Exchange exchange) {
    inProgress.add(exchange);
  }

  /** An exchange of this queue has its answer. */
  void answered(FullHttpResponse response) {
    waitingBytes += response.content().readableBytes();
  }

  int size() {
    return inProgress.size();
  }

  boolean isEmpty() {
    return inProgress.isEmpty();
  }

  long waitingBytes() {
    return waitingBytes;
  }

  /** The oldest exchange, if it has its answer, else null. */
  @Nullable Exchange pollAnswered() {
    Exchange oldest = inProgress.peek();
    if (oldest == null || oldest.response() == null) {
      return null;
    }
    return inProgress.poll();
  }

  /** Writes the answer of an exchange that {@link #pollAnswered} returned; does not flush. */
  ChannelFuture write(ChannelHandlerContext ctx, Exchange exchange) {
    FullHttpResponse response = exchange.takeResponse();
    if (response == null) {
      throw new IllegalStateException("an exchange is written once, after it was answered");
    }
    waitingBytes -= response.content().readableBytes();
    HttpHeaders headers = response.headers();
    if (!exchange.keepAlive()) {
      headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    } else if (exchange.http10()) {
      headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
    }
    if (exchange.head()) {
      response.content().clear();
    }
    return ctx.write(response);
  }

  /** Releases every answer that waits, and forgets all that is in progress. */
  void discard() {
    for (Exchange exchange : inProgress) {
      exchange.discard();
    }
    inProgress.clear();
    waitingBytes = 0;
  }
}
