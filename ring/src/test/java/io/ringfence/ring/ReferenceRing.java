package io.ringfence.ring;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The definition of the ring, written as slowly as it reads: sort every point, and for every slot
 * walk clockwise from where it begins until every node has been met.
 */
final class ReferenceRing {
  private record Point(long position, String node) {}

  private ReferenceRing() {}

  /** By slot, the nodes in the order in which they are met. */
  static List<List<String>> walk(
      RingSettings settings, Collection<RingNode> nodes, Ring.PointHash hash) {
    List<Point> points = new ArrayList<>();
    for (RingNode node : nodes) {
      byte[] name = Rings.utf8(node.name());
      for (int number = 0; number < node.weight() * settings.pointsPerWeight(); number++) {
        byte[] bytes =
            ByteBuffer.allocate(name.length + 4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(name)
                .putInt(number)
                .array();
        points.add(new Point(hash.hash(bytes, 0, bytes.length), node.name()));
      }
    }
    points.sort(
        Comparator.comparing(Point::position, Long::compareUnsigned).thenComparing(Point::node));
    List<List<String>> table = new ArrayList<>();
    for (int slot = 0; slot < settings.slots(); slot++) {
      Set<String> met = new LinkedHashSet<>();
      for (Point point : points) {
        if (Circle.slotAt(point.position(), settings.slots()) >= slot) {
          met.add(point.node());
        }
      }
      points.forEach(point -> met.add(point.node()));
      table.add(List.copyOf(met));
    }
    return table;
  }
}
