package io.ringfence.peer;

import io.netty.buffer.ByteBuf;
import io.ringfence.engine.message.FetchMessage;
import io.ringfence.engine.message.InventoryMessage;
import io.ringfence.engine.message.InventoryMessage.Held;
import io.ringfence.engine.message.InventoryRequest;
import io.ringfence.engine.message.PassMessage;
import io.ringfence.engine.message.PassMessage.Passed;
import io.ringfence.engine.message.TakenMessage;
import io.ringfence.engine.message.Term;
import io.ringfence.engine.message.Version;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The payloads by which members settle who opens which slot: who holds what of it, who wants a copy
 * of it, and who passes it on. docs/protocol.md lists the fields; what is in the slots is {@link
 * CopyCodec}'s.
 *
 * <p>Slots of which nothing else is said are a bit set. Any others are a list, and a count is
 * checked against what is left of the payload before the list is made.
 */
final class SlotCodec {
  /** A term: its epoch and step. */
  static final int TERM_BYTES = Long.BYTES + Integer.BYTES;

  /** A version: its term and the batch. */
  static final int VERSION_BYTES = TERM_BYTES + Long.BYTES;

  private static final int HELD_BYTES = Integer.BYTES + Byte.BYTES + VERSION_BYTES;
  private static final int PASSED_BYTES = Integer.BYTES + VERSION_BYTES;

  private SlotCodec() {}

  static int bytes(InventoryRequest message) {
    return Fields.VIEW_NAME_BYTES;
  }

  static void write(InventoryRequest message, ByteBuf out) {
    Fields.writeViewName(message.view(), out);
  }

  static InventoryRequest readInventoryRequest(ByteBuf in) {
    return new InventoryRequest(Fields.readViewName(in));
  }

  static int bytes(InventoryMessage message) {
    return Fields.VIEW_NAME_BYTES
        + 2 * Byte.BYTES
        + Short.BYTES
        + message.held().size() * HELD_BYTES;
  }

  static void write(InventoryMessage message, ByteBuf out) {
    Fields.writeViewName(message.view(), out);
    out.writeByte(message.part()).writeByte(message.parts());
    out.writeShort(message.held().size());
    for (Held held : message.held()) {
      out.writeInt(held.slot());
      Fields.writeFlag(held.open(), out);
      writeVersion(held.version(), out);
    }
  }

  static InventoryMessage readInventory(ByteBuf in) {
    var view = Fields.readViewName(in);
    int part = in.readUnsignedByte();
    int parts = in.readUnsignedByte();
    int count = Fields.readCount(in, InventoryMessage.MAX_HELD, HELD_BYTES);
    List<Held> held = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      held.add(new Held(Fields.readSlot(in), Fields.readFlag(in), readVersion(in)));
    }
    return new InventoryMessage(view, part, parts, held);
  }

  static int bytes(FetchMessage message) {
    return Fields.VIEW_NAME_BYTES + bytes(message.slots());
  }

  static void write(FetchMessage message, ByteBuf out) {
    Fields.writeViewName(message.view(), out);
    Fields.writeBytes(message.slots().toByteArray(), out);
  }

  static FetchMessage readFetch(ByteBuf in) {
    return new FetchMessage(Fields.readViewName(in), readSlots(in));
  }

  static int bytes(PassMessage message) {
    return Fields.VIEW_NAME_BYTES + Short.BYTES + message.slots().size() * PASSED_BYTES;
  }

  static void write(PassMessage message, ByteBuf out) {
    Fields.writeViewName(message.view(), out);
    out.writeShort(message.slots().size());
    for (Passed passed : message.slots()) {
      out.writeInt(passed.slot());
      writeVersion(passed.version(), out);
    }
  }

  static PassMessage readPass(ByteBuf in) {
    var view = Fields.readViewName(in);
    int count = Fields.readCount(in, PassMessage.MAX_SLOTS, PASSED_BYTES);
    List<Passed> slots = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      slots.add(new Passed(Fields.readSlot(in), readVersion(in)));
    }
    return new PassMessage(view, slots);
  }

  static int bytes(TakenMessage message) {
    return Fields.VIEW_NAME_BYTES + bytes(message.slots());
  }

  static void write(TakenMessage message, ByteBuf out) {
    Fields.writeViewName(message.view(), out);
    Fields.writeBytes(message.slots().toByteArray(), out);
  }

  static TakenMessage readTaken(ByteBuf in) {
    return new TakenMessage(Fields.readViewName(in), readSlots(in));
  }

  static void writeVersion(Version version, ByteBuf out) {
    writeTerm(version.term(), out);
    out.writeLong(version.batch());
  }

  static void writeTerm(Term term, ByteBuf out) {
    out.writeLong(term.epoch()).writeInt(term.step());
  }

  static Term readTerm(ByteBuf in) {
    return new Term(in.readLong(), in.readInt());
  }

  static Version readVersion(ByteBuf in) {
    return new Version(readTerm(in), in.readLong());
  }

  private static int bytes(BitSet slots) {
    int length = slots.length();
    if (length > Limits.SLOT_SET_BYTES * Byte.SIZE) {
      throw new IllegalArgumentException(
          "a set of slots has those below "
              + Limits.SLOT_SET_BYTES * Byte.SIZE
              + ", not "
              + (length - 1));
    }
    return Fields.LENGTH_BYTES + (length + Byte.SIZE - 1) / Byte.SIZE;
  }

  private static BitSet readSlots(ByteBuf in) {
    return BitSet.valueOf(Fields.readBytes(in, Limits.SLOT_SET_BYTES));
  }
}
