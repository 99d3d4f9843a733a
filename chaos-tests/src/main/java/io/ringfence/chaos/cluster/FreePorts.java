package io.ringfence.chaos.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/**
 * Ports for the cluster addresses, which every node has to know of every other before any of them
 * has started, so that port 0 will not do. Each is shown to be free by binding it. They are taken
 * from below the range that the kernel gives to outgoing connections: a node that is down for a
 * while would otherwise lose its port to some client's socket.
 */
public final class FreePorts {
  private static final int LOWEST = 20_000;
  private static final int HIGHEST = 32_000;
  private static final int ATTEMPTS = 1_000;

  private final Random random = new Random();
  private final Set<Integer> given = new HashSet<>();

  /** A port that is free on loopback and was not given before. */
  public int next() {
    for (int i = 0; i < ATTEMPTS; i++) {
      int port = LOWEST + random.nextInt(HIGHEST - LOWEST);
      if (!given.contains(port) && isFree(port)) {
        given.add(port);
        return port;
      }
    }
    throw new IllegalStateException("no free port found from " + LOWEST + " to " + HIGHEST);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
