package io.ringfence.benchmarks;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** One keep-alive connection on which a thread checks, one request after another. */
final class HttpLane implements AutoCloseable {
  private static final String LENGTH = "content-length:";

  private final Socket socket;
  private final OutputStream out;
  private final InputStream in;
  private final String host;

  HttpLane(String address) throws IOException {
    int colon = address.lastIndexOf(':');
    host = address;
    socket =
        new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    socket.setTcpNoDelay(true);
    out = socket.getOutputStream();
    in = new BufferedInputStream(socket.getInputStream(), 8_192);
  }

  /** Checks a key, and returns the status. */
  int check(String key) throws IOException {
    return post("{\"key\":\"" + key + "\"}");
  }

  /** Checks a key of a tier, and returns the status. */
  int check(String key, String tier) throws IOException {
    return post("{\"key\":\"" + key + "\",\"tier\":\"" + tier + "\"}");
  }

  private int post(String body) throws IOException {
    String request =
        "POST /v1/check HTTP/1.1\r\nHost: "
            + host
            + "\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body;
    out.write(request.getBytes(StandardCharsets.US_ASCII));
    int status = Integer.parseInt(line().substring(9, 12));
    int length = 0;
    for (String header = line(); !header.isEmpty(); header = line()) {
      if (header.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
        length = Integer.parseInt(header.substring(LENGTH.length()).strip());
      }
    }
    if (in.readNBytes(length).length < length) {
      throw new IOException("the connection ended inside a body");
    }
    return status;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder(64);
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("the connection ended inside a header");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }
}
