package io.ringfence.http;

import io.ringfence.membership.Address;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A client that sends exactly the bytes it is given. A read that takes 20 s fails. */
final class RawClient implements AutoCloseable {
  private static final int READ_TIMEOUT_MILLIS = 20_000;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  RawClient(Address server) throws IOException {
    this(server, 0);
  }

  /** A client whose system keeps little for it, so that it soon shows when it does not read. */
  static RawClient withSmallBuffer(Address server) throws IOException {
    return new RawClient(server, 4_096);
  }

  private RawClient(Address server, int receiveBufferBytes) throws IOException {
    socket = new Socket();
    if (receiveBufferBytes > 0) {
      socket.setReceiveBufferSize(receiveBufferBytes);
    }
    socket.connect(new InetSocketAddress(server.host(), server.port()), READ_TIMEOUT_MILLIS);
    socket.setSoTimeout(READ_TIMEOUT_MILLIS);
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream());
    out = socket.getOutputStream();
  }

  Socket socket() {
    return socket;
  }

  RawClient send(String text) throws IOException {
    return send(text.getBytes(StandardCharsets.UTF_8));
  }

  RawClient send(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
    return this;
  }

  static String post(String path, String body) {
    return "POST "
        + path
        + " HTTP/1.1\r\nHost: t\r\nContent-Length: "
        + body.getBytes(StandardCharsets.UTF_8).length
        + "\r\n\r\n"
        + body;
  }

  static byte[] post(String path, byte[] body) {
    byte[] head =
        ("POST " + path + " HTTP/1.1\r\nHost: t\r\nContent-Length: " + body.length + "\r\n\r\n")
            .getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.writeBytes(head);
    whole.writeBytes(body);
    return whole.toByteArray();
  }

  static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: t\r\n\r\n";
  }

  /** Reads one response with its body. */
  Response read() throws IOException {
    return read(true);
  }

  /** Reads one response; that to a HEAD has no body whatever its length says. */
  Response read(boolean withBody) throws IOException {
    String statusLine = line();
    if (!statusLine.startsWith("HTTP/1.1 ")) {
      throw new IOException("not a response: " + statusLine);
    }
    int status = Integer.parseInt(statusLine.substring(9, 12));
    List<String> headers = new ArrayList<>();
    int length = 0;
    for (String line = line(); !line.isEmpty(); line = line()) {
      headers.add(line);
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
        length = Integer.parseInt(line.substring("content-length:".length()).trim());
      }
    }
    byte[] body = in.readNBytes(withBody ? length : 0);
    return new Response(status, headers, new String(body, StandardCharsets.UTF_8));
  }

  /** One response if it begins to come within the socket's time-out, else null. */
  @Nullable Response tryRead() throws IOException {
    in.mark(1);
    try {
      if (in.read() < 0) {
        throw new EOFException("connection closed");
      }
    } catch (SocketTimeoutException nothingYet) {
      return null;
    }
    in.reset();
    return read();
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("connection closed after: " + line);
      }
      line.append((char) c);
    }
    return line.toString().trim();
  }

  /** Appends all that comes until the server closes, a character a byte. */
  void readAll(StringBuilder into) throws IOException {
    for (int next = in.read(); next >= 0; next = in.read()) {
      into.append((char) next);
    }
  }

  /** Whether the server has closed, once it has; anything that still comes fails. */
  boolean atEnd() throws IOException {
    return in.read() < 0;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
