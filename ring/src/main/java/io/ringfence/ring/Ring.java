package io.ringfence.ring;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which node owns each slot, and which one backs it up.
 *
 * <p>Every node has points on a circle, {@code weight * pointsPerWeight} of them, each at the hash
 * of the node's name and the point's number. A slot belongs to the node of the first point at or
 * after the slot's own place, going clockwise: its <em>owner</em>. Its <em>backup</em> is the next
 * other node on the same way, so it is exactly the node that would own the slot if the owner left.
 * Two things follow without further work:
 *
 * <ul>
 *   <li>a node that leaves moves only its own slots, each to its backup, and a node that comes
 *       takes only the slots that it then owns: nothing moves between two nodes that stay;
 *   <li>raising a weight adds points and removes none, so slots move only to the node that became
 *       heavier.
 * </ul>
 *
 * <p>Points of different nodes may fall on one position. They are then ordered by name, so the ring
 * depends on the set of nodes and on nothing else: not on the order in which they are given, nor on
 * the JVM. Names are compared as Java compares strings, by UTF-16 code units, in no locale.
 *
 * <p>Source: Karger et al., "Consistent Hashing and Random Trees", STOC 1997, with weights by the
 * number of points.
 *
 * <p>Immutable, so it may be shared by threads. Queries neither block nor allocate, except where
 * they return a list.
 */
public final class Ring {
  /** The most nodes that a ring can have. */
  public static final int MAX_NODES = 1_024;

  private final List<String> names; // ascending; an index into it stands for the node
  private final short[] owners; // by slot; NONE throughout if the ring is empty
  private final short[]
      backups; // by slot; NONE throughout if there are fewer than two nodes; never the owner
  private final int[] owned; // by node; adds up to the number of slots unless the ring is empty

  private Ring(List<String> names, short[] owners, short[] backups) {
    this.names = names;
    this.owners = owners;
    this.backups = backups;
    this.owned = new int[names.size()];
    if (!names.isEmpty()) {
      for (short owner : owners) {
        owned[owner]++;
      }
    }
  }

  /**
   * The ring of these nodes. Takes one hash for each point, so with the default settings a few
   * milliseconds for 20 nodes of weight 1: often enough for a change of members, too long for every
   * check.
   *
   * @param nodes none to {@value #MAX_NODES}, in any order, of different names
   * @throws IllegalArgumentException if there are more, or if two have one name
   */
  public static Ring of(RingSettings settings, Collection<RingNode> nodes) {
    return of(settings, nodes, new SipHash(settings.k0(), settings.k1())::hash);
  }

  /** The ring of these nodes with their points placed by another hash. */
  static Ring of(RingSettings settings, Collection<RingNode> nodes, PointHash hash) {
    List<RingNode> sorted = sortedByName(nodes);
    Successors successors = new Successors(settings.slots());
    for (short node = 0; node < sorted.size(); node++) {
      RingNode ringNode = sorted.get(node);
      byte[] name = ringNode.name().getBytes(StandardCharsets.UTF_8);
      byte[] point = Arrays.copyOf(name, name.length + Integer.BYTES);
      int points = ringNode.weight() * settings.pointsPerWeight();
      for (int number = 0; number < points; number++) {
        for (int i = 0; i < Integer.BYTES; i++) {
          point[name.length + i] = (byte) (number >>> (8 * i));
        }
        successors.add(hash.hash(point, 0, point.length), node);
      }
    }
    short[] owners = new short[settings.slots()];
    short[] backups = new short[settings.slots()];
    successors.resolve(owners, backups);
    return new Ring(sorted.stream().map(RingNode::name).toList(), owners, backups);
  }

  private static List<RingNode> sortedByName(Collection<RingNode> nodes) {
    if (nodes.size() > MAX_NODES) {
      throw new IllegalArgumentException(
          "a ring has 0 to " + MAX_NODES + " nodes, not " + nodes.size());
    }
    List<RingNode> sorted = nodes.stream().sorted(Comparator.comparing(RingNode::name)).toList();
    for (int i = 1; i < sorted.size(); i++) {
      if (sorted.get(i).name().equals(sorted.get(i - 1).name())) {
        throw new IllegalArgumentException("two nodes are named " + sorted.get(i).name());
      }
    }
    return sorted;
  }

  /**
   * The node that decides for the counters of a slot.
   *
   * @param slot 0 to {@code slots() - 1}
   * @throws IndexOutOfBoundsException if the slot is outside that range
   * @throws IllegalStateException if the ring is empty
   */
  public String ownerOf(int slot) {
    Objects.checkIndex(slot, owners.length);
    if (isEmpty()) {
      throw new IllegalStateException("an empty ring has no owners");
    }
    return names.get(owners[slot]);
  }

  /**
   * The node that keeps a replica of a slot and would own it if the owner left: never the owner,
   * and null if there are fewer than two nodes.
   *
   * @param slot 0 to {@code slots() - 1}
   * @throws IndexOutOfBoundsException if the slot is outside that range
   */
  public @Nullable String backupOf(int slot) {
    Objects.checkIndex(slot, backups.length);
    return nameOf(backups[slot]);
  }

  /** How many slots there are, 1 to {@value RingSettings#MAX_SLOTS}, owned or not. */
  public int slots() {
    return owners.length;
  }

  /** How many slots a node owns; 0 if it is not on the ring. */
  public int slotsOf(String name) {
    int node = names.indexOf(name);
    return node < 0 ? 0 : owned[node];
  }

  /** The names of the nodes, ascending; unmodifiable. */
  public List<String> nodes() {
    return names;
  }

  /** Whether there is no node, and so no owner of anything. */
  public boolean isEmpty() {
    return names.isEmpty();
  }

  /**
   * The slots that have another owner in another ring, ascending by slot.
   *
   * @throws IllegalArgumentException if the other ring has another number of slots
   */
  public List<Move> movesTo(Ring other) {
    if (other.slots() != slots()) {
      throw new IllegalArgumentException(
          "both rings must have " + slots() + " slots, the other has " + other.slots());
    }
    List<Move> moves = new ArrayList<>();
    for (int slot = 0; slot < owners.length; slot++) {
      String from = nameOf(owners[slot]);
      String to = other.nameOf(other.owners[slot]);
      if (!Objects.equals(from, to)) {
        moves.add(new Move(slot, from, to));
      }
    }
    return List.copyOf(moves);
  }

  private @Nullable String nameOf(short node) {
    return node == Successors.NONE ? null : names.get(node);
  }

  /** Where on the circle a point lies, from the bytes that name it. */
  @FunctionalInterface
  interface PointHash {
    long hash(byte[] data, int off, int len);
  }
}
