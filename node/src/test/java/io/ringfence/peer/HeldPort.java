package io.ringfence.peer;

import io.ringfence.membership.Address;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A port of loopback that nobody else is given. Nothing listens on it, so it refuses; whoever knows
 * it may listen meanwhile, as both sides allow the address to be shared.
 */
final class HeldPort implements AutoCloseable {
  private final Socket holder = new Socket();

  HeldPort() throws IOException {
    holder.setReuseAddress(true);
    holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  int port() {
    return holder.getLocalPort();
  }

  Address address() {
    return new Address("127.0.0.1", port());
  }

  @Override
  public void close() throws IOException {
    holder.close();
  }
}
