package io.ringfence.peer;

import io.ringfence.membership.Address;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Listens at an address of its own and passes every byte on to another, both ways. */
final class Relay implements AutoCloseable {
  private final ServerSocket port = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final Address target;

  Relay(Address target) throws IOException {
    this.target = target;
    start(this::accept);
  }

  Address address() {
    return new Address("127.0.0.1", port.getLocalPort());
  }

  @Override
  public void close() throws IOException {
    port.close();
  }

  private void accept() {
    try {
      while (!port.isClosed()) {
        Socket caller = port.accept();
        Socket called = new Socket(InetAddress.getByName(target.host()), target.port());
        start(() -> pump(caller, called));
        start(() -> pump(called, caller));
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private static void pump(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException closed) {
      // One side has closed; so does the other.
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "relay");
    thread.setDaemon(true);
    thread.start();
  }
}
