package io.ringfence.rules;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Blocks of addresses, asked by binary search. Blocks either nest or are apart, so once those
 * inside others are dropped, the only block that can hold an address is the last one that begins at
 * or before it.
 */
final class NetworkSet {
  /** IPv4 apart from IPv6: a block of the one never holds an address of the other. */
  private static final Comparator<Network> ORDER =
      Comparator.comparing(Network::isV4)
          .thenComparing(Network::first)
          .thenComparingInt(Network::prefix);

  /** In ORDER; no block holds another. */
  private final Network[] blocks;

  NetworkSet(Collection<Network> networks) {
    List<Network> sorted = new ArrayList<>(networks);
    sorted.sort(ORDER);
    List<Network> outermost = new ArrayList<>();
    for (Network network : sorted) {
      boolean inside =
          !outermost.isEmpty() && outermost.get(outermost.size() - 1).contains(network.first());
      if (!inside) {
        outermost.add(network);
      }
    }
    blocks = outermost.toArray(Network[]::new);
  }

  boolean contains(IpAddress address) {
    boolean v4 = address.isV4();
    int low = 0;
    int high = blocks.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      Network block = blocks[middle];
      int order = Boolean.compare(block.isV4(), v4);
      if (order == 0) {
        order = block.first().compareTo(address);
      }
      if (order <= 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high >= 0 && blocks[high].contains(address);
  }

  /** Whether some address lies in both sets. */
  boolean overlaps(NetworkSet other) {
    return holdsStartOf(other) || other.holdsStartOf(this);
  }

  private boolean holdsStartOf(NetworkSet other) {
    for (Network block : other.blocks) {
      if (block.isV4() == block.first().isV4() && contains(block.first())) {
        return true;
      }
    }
    return false;
  }
}
