package io.ringfence.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Accepts connections, sends each some bytes at once and then nothing more: no bytes make a frozen
 * process, half an answer makes a slow one, and other bytes something that is not HTTP.
 */
final class OddServer implements AutoCloseable {
  private final ServerSocket server;
  private final boolean hangUp;
  private final Queue<Socket> accepted = new ConcurrentLinkedQueue<>();

  private OddServer(byte[] greeting, boolean hangUp) {
    this.hangUp = hangUp;
    try {
      server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread thread = new Thread(() -> serve(greeting), "odd-server");
    thread.setDaemon(true);
    thread.start();
  }

  /** Keeps its connections open. */
  static OddServer stalling(String greeting) {
    return new OddServer(greeting.getBytes(StandardCharsets.ISO_8859_1), false);
  }

  /** Ends each connection after the greeting. */
  static OddServer hangingUp(String greeting) {
    return new OddServer(greeting.getBytes(StandardCharsets.ISO_8859_1), true);
  }

  String url() {
    return "http://127.0.0.1:" + server.getLocalPort();
  }

  private void serve(byte[] greeting) {
    boolean open = true;
    while (open) {
      try {
        Socket socket = server.accept();
        accepted.add(socket);
        socket.getOutputStream().write(greeting);
        socket.getOutputStream().flush();
        if (hangUp) {
          socket.shutdownOutput();
        }
      } catch (IOException e) {
        open = !server.isClosed(); // else only this connection is gone
      }
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : accepted) {
      socket.close();
    }
  }

  /** A port of loopback that is taken and refuses, until the socket is closed. */
  static Socket refusing() throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    return socket;
  }
}
