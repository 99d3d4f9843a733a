package io.ringfence.ring;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** What the tests of the ring share: nodes by name, keys, and who owns and backs up what. */
final class Rings {
  static final long K0 = 0x5eed_0000_0000_0001L;
  static final long K1 = 0x5eed_0000_0000_0002L;
  static final RingSettings DEFAULTS = RingSettings.seeded(K0, K1);

  private Rings() {}

  static List<RingNode> nodes(String... names) {
    return Arrays.stream(names).map(name -> new RingNode(name, 1)).toList();
  }

  static List<RingNode> without(Collection<RingNode> nodes, String name) {
    return nodes.stream().filter(node -> !node.name().equals(name)).toList();
  }

  static List<RingNode> with(Collection<RingNode> nodes, RingNode added) {
    List<RingNode> all = new ArrayList<>(nodes);
    all.add(added);
    return all;
  }

  static Ring ring(Collection<RingNode> nodes) {
    return Ring.of(DEFAULTS, nodes);
  }

  /** By slot: owner, then backup. Two rings are one ring if these are equal. */
  static List<String> table(Ring ring) {
    List<String> table = new ArrayList<>();
    for (int slot = 0; slot < ring.slots(); slot++) {
      table.add(ring.ownerOf(slot) + "/" + ring.backupOf(slot));
    }
    return table;
  }

  /** A hash that knows few positions, so that points of different nodes collide all the time. */
  static Ring.PointHash colliding(int positions) {
    return (data, off, len) -> {
      long hash = SipHash.hash(K0, K1, data, off, len);
      return Long.remainderUnsigned(hash, positions) * Long.divideUnsigned(-1L, positions);
    };
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
