package io.ringfence.peer;

import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import java.net.ConnectException;

/**
 * Tells failures of connections apart.
 *
 * <p>Whether an address refused is evidence in the proof of a death, so it is read narrowly:
 * ECONNREFUSED and nothing else. No exception type says it alone (epoll throws the same type for
 * other errors, and so does NIO for a time-out), so the text of the error is looked at as well. In
 * a process whose C library speaks another language NIO's text would not be recognised; a death
 * then counts as silence, which is the safe way to be wrong.
 */
final class ConnectionFault {
  /** What a connection is closed for when its other end broke the protocol. */
  static final String PROTOCOL = "not the protocol";

  private ConnectionFault() {}

  /** Whether the address refused the connection: nothing listens there. */
  static boolean isRefusal(Throwable cause) {
    String text = cause.getMessage();
    return cause instanceof ConnectException
        && !(cause instanceof ConnectTimeoutException)
        && text != null
        && (text.contains("Connection refused") || text.contains("error(-111)"));
  }

  /** Whether the other end broke the protocol. */
  static boolean isProtocol(Throwable cause) {
    return cause instanceof ProtocolException
        || (cause instanceof DecoderException && cause.getCause() instanceof ProtocolException);
  }

  /** Whether neither the network nor the other end is to blame. */
  static boolean isDefect(Throwable cause) {
    return !isProtocol(cause) && !(cause instanceof IOException);
  }

  /** A fixed phrase for the log. */
  static String describe(Throwable cause) {
    if (isProtocol(cause)) {
      return PROTOCOL;
    }
    return isDefect(cause) ? "closed after a defect" : "connection broke";
  }
}
