package io.ringfence.chaos.wire;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One keep-alive HTTP/1.1 connection on a blocking socket. Several calls may be written before the
 * first answer is read; answers come in the order of the calls. It understands what a node sends
 * and refuses the rest loudly: every answer has a Content-Length.
 *
 * <p>For one thread. Blocks up to the patience given at the opening, for every read. After an
 * exception only {@link #close} makes sense.
 */
public final class HttpConnection implements Closeable {
  private static final int LINE_BYTES = 16 * 1024;
  private static final int BODY_BYTES = 16 * 1024 * 1024;

  private final Socket socket;
  private final InputStream in;

  private HttpConnection(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream(), 16 * 1024);
  }

  /**
   * Connects.
   *
   * @param patience how long connecting and each read may take, from 1 ms
   */
  public static HttpConnection open(InetSocketAddress address, Duration patience)
      throws IOException {
    Socket socket = new Socket();
    try {
      int millis = Math.toIntExact(patience.toMillis());
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(millis);
      socket.connect(address, millis);
      return new HttpConnection(socket);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** One call on a connection of its own. */
  public static Answer once(InetSocketAddress address, Call call, Duration patience)
      throws IOException {
    try (HttpConnection connection = open(address, patience)) {
      return connection.exchange(call);
    }
  }

  /** Writes the call and reads its answer. */
  public Answer exchange(Call call) throws IOException {
    send(List.of(call));
    return receive();
  }

  /** Writes the calls in one go. */
  public void send(List<Call> calls) throws IOException {
    ByteArrayOutputStream together = new ByteArrayOutputStream();
    for (Call call : calls) {
      together.writeBytes(call.bytes());
    }
    socket.getOutputStream().write(together.toByteArray());
  }

  /** Reads the next answer. */
  public Answer receive() throws IOException {
    String statusLine = line();
    String[] parts = statusLine.split(" ", 3);
    if (parts.length < 2 || !parts[0].equals("HTTP/1.1")) {
      throw new ProtocolException("not a status line: " + statusLine);
    }
    Map<String, String> headers = headers();
    String length = headers.get("content-length");
    if (length == null) {
      throw new ProtocolException("no Content-Length after: " + statusLine + " " + headers);
    }
    int bytes = Integer.parseInt(length);
    if (bytes > BODY_BYTES) {
      throw new ProtocolException("a body of " + bytes + " bytes");
    }
    byte[] body = in.readNBytes(bytes);
    if (body.length < bytes) {
      throw new EOFException("closed inside a body");
    }
    return new Answer(
        Integer.parseInt(parts[1]), headers, new String(body, StandardCharsets.UTF_8));
  }

  private Map<String, String> headers() throws IOException {
    Map<String, String> headers = new HashMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      if (colon < 1) {
        throw new ProtocolException("not a header: " + line);
      }
      headers.merge(
          line.substring(0, colon).toLowerCase(Locale.ROOT),
          line.substring(colon + 1).strip(),
          (first, second) -> first + "," + second);
    }
    return headers;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder(64);
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("closed before the end of an answer");
      }
      if (line.length() == LINE_BYTES) {
        throw new ProtocolException("a line of over " + LINE_BYTES + " bytes");
      }
      line.append((char) next);
    }
    int last = line.length() - 1;
    if (last >= 0 && line.charAt(last) == '\r') {
      line.setLength(last);
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
