package io.ringfence.peer;

import io.netty.buffer.ByteBuf;

/**
 * The protocol versions that a process speaks. Two neighbouring releases overlap in at least one,
 * so that they run in one cluster while it is upgraded.
 *
 * @param lowest 1 to {@code highest}
 * @param highest up to 65,535
 */
record ProtocolRange(int lowest, int highest) {
  /** What this release speaks. */
  static final ProtocolRange CURRENT = new ProtocolRange(1, 1);

  /** What {@link #common} returns where there is none. */
  static final int NONE = 0;

  private static final int MAX = 0xffff;

  ProtocolRange {
    if (lowest < 1 || lowest > highest || highest > MAX) {
      throw new IllegalArgumentException(
          "protocol versions are 1.." + MAX + ", lowest first, not " + lowest + ".." + highest);
    }
  }

  /** The highest version that both speak, or {@link #NONE}. */
  int common(ProtocolRange other) {
    int candidate = Math.min(highest, other.highest);
    return candidate >= Math.max(lowest, other.lowest) ? candidate : NONE;
  }

  void write(ByteBuf out) {
    out.writeShort(lowest).writeShort(highest);
  }

  static ProtocolRange read(ByteBuf in) {
    return new ProtocolRange(in.readUnsignedShort(), in.readUnsignedShort());
  }
}
