package io.ringfence.chaos.faults;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The HTTP addresses at which clients may ask now, as a load balancer in front of the nodes would
 * know them: a node that is told to leave is taken out first, one that died or hangs when that is
 * noticed, and a node that is back is put in again, perhaps under another address. Thread-safe.
 */
final class Doors {
  private final ConcurrentMap<String, Door> open = new ConcurrentHashMap<>();

  /** A node and where it answers. */
  record Door(String node, InetSocketAddress address) {}

  void open(String node, InetSocketAddress address) {
    open.put(node, new Door(node, address));
  }

  void shut(String node) {
    open.remove(node);
  }

  /** The one that a client goes to: clients are dealt out evenly over those that are open. */
  Optional<Door> of(int client) {
    List<Door> doors = new ArrayList<>(open.values());
    doors.sort((one, two) -> one.node().compareTo(two.node()));
    return doors.isEmpty() ? Optional.empty() : Optional.of(doors.get(client % doors.size()));
  }
}
