package io.ringfence.http;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.FullHttpResponse;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request of a connection, and the place in the order of answers that it holds until its own is
 * there.
 *
 * <p>Answers may be given from any thread, and are built on the connection's loop. Only the first
 * counts. One that comes after the connection has gone is not built at all.
 */
final class Exchange {
  private static final Logger log = LoggerFactory.getLogger(Exchange.class);

  private final HttpConnection connection;
  private final boolean head;
  private final boolean http10;
  // Cleared when this is the last request of its connection.
  private boolean keepAlive;
  // Owned by this exchange until it is taken; touched on the loop alone.
  private @Nullable FullHttpResponse response;
  // Never unset; touched on the loop alone.
  private boolean answered;

  Exchange(HttpConnection connection, boolean head, boolean http10, boolean keepAlive) {
    this.connection = connection;
    this.head = head;
    this.http10 = http10;
    this.keepAlive = keepAlive;
  }

  Channel channel() {
    return connection.channel();
  }

  /** Answers with what the supplier builds, on the connection's loop. Any thread may call. */
  void answer(Supplier<FullHttpResponse> builder) {
    if (channel().eventLoop().inEventLoop()) {
      answerOnLoop(builder);
      return;
    }
    try {
      channel().eventLoop().execute(() -> answerOnLoop(builder));
    } catch (RejectedExecutionException closed) {
      log.debug("an answer came after the server had closed", closed);
    }
  }

  private void answerOnLoop(Supplier<FullHttpResponse> builder) {
    if (answered || connection.gone()) {
      return;
    }
    answered = true;
    response = connection.build(builder);
    connection.answered(this);
  }

  /** Whether this is a request for the headers alone. */
  boolean head() {
    return head;
  }

  boolean http10() {
    return http10;
  }

  boolean keepAlive() {
    return keepAlive;
  }

  void endConnection() {
    keepAlive = false;
  }

  /** The answer, or null while there is none; still owned by this exchange. */
  @Nullable FullHttpResponse response() {
    return response;
  }

  /** Hands the answer over. */
  @Nullable FullHttpResponse takeResponse() {
    FullHttpResponse taken = response;
    response = null;
    return taken;
  }

  /** Gives up whatever the exchange holds. */
  void discard() {
    answered = true;
    FullHttpResponse held = takeResponse();
    if (held != null) {
      held.release();
    }
  }
}
