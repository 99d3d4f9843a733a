package io.ringfence.chaos.swarm;

import io.ringfence.engine.message.PeerMessage;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The connections between two processes, one dialled from each side, taken together: they stand and
 * break as one. Each side has its own belief of whether they stand, as the news of a break takes
 * its time, and cannot pass a cut.
 */
final class Link {
  private static final int LANES = 2;

  final Side[] sides;
  int generation; // grows with every standing; what was sent in an earlier one is lost

  Link(Node one, Node other) {
    this.sides = new Side[] {new Side(one), new Side(other)};
  }

  /** One end, and the way that leads from it to the other. */
  static final class Side {
    final Node node;
    boolean open; // whether it believes that the link stands
    boolean dialled; // whether its own attempt has proved the other; only while open
    int openedAs; // the generation that it believes in
    long openedNanos;

    // The way from here to the other side.
    final long[] lastArrivalNanos = new long[LANES];
    final Deque<Flight> held = new ArrayDeque<>(); // arrived at a cut, and waits for its end
    long muteSinceNanos = -1; // since when nothing comes from here; -1 while something may

    Side(Node node) {
      this.node = node;
    }
  }

  /**
   * A message under way.
   *
   * @param generation of the link when it was sent
   */
  record Flight(PeerMessage message, int generation) {}

  Side of(Node node) {
    return sides[0].node == node ? sides[0] : sides[1];
  }

  Side opposite(Side side) {
    return sides[0] == side ? sides[1] : sides[0];
  }

  /** Both ends see a new connection. */
  void stand(long nowNanos) {
    generation++;
    for (Side side : sides) {
      side.open = true;
      side.dialled = false;
      side.openedAs = generation;
      side.openedNanos = nowNanos;
      side.held.clear();
      side.muteSinceNanos = -1;
    }
  }
}
