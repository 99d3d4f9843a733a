package io.ringfence.peer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.ringfence.membership.Address;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.ViewName;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * The parts that payloads are made of. Numbers are big-endian and of fixed width; whatever varies
 * has its length before it, as an unsigned 16-bit number. So the length of a payload is a sum that
 * is known before it is written.
 *
 * <p>Readers throw {@link ProtocolException} or, at the end of the buffer, {@link
 * IndexOutOfBoundsException}; value types that refuse what was read throw {@link
 * IllegalArgumentException}. {@link #complete} turns all of them into the first.
 */
final class Fields {
  /** What comes before everything of variable length. */
  static final int LENGTH_BYTES = Short.BYTES;

  /** A view's name: epoch and ballot. */
  static final int VIEW_NAME_BYTES = 2 * Long.BYTES;

  private Fields() {}

  /** Reads one payload. */
  interface Reader<T> {
    T read(ByteBuf in);
  }

  /**
   * Reads a payload that must end where its last field does.
   *
   * @throws ProtocolException if it is too short, too long, or says what cannot be
   */
  static <T> T complete(FrameCode code, ByteBuf in, Reader<T> reader) {
    T value = prefix(code, in, reader);
    if (in.isReadable()) {
      throw new ProtocolException(code + " has " + in.readableBytes() + " bytes too many");
    }
    return value;
  }

  /** Reads a payload that may go on after the last field that is known. */
  static <T> T prefix(FrameCode code, ByteBuf in, Reader<T> reader) {
    try {
      return reader.read(in);
    } catch (IndexOutOfBoundsException e) {
      throw new ProtocolException(code + " ends too early");
    } catch (IllegalArgumentException e) {
      throw new ProtocolException(code + " holds a value outside its range");
    }
  }

  static int textBytes(String text) {
    return LENGTH_BYTES + ByteBufUtil.utf8Bytes(text);
  }

  static void writeText(String text, ByteBuf out) {
    out.writeShort(ByteBufUtil.utf8Bytes(text));
    ByteBufUtil.writeUtf8(out, text);
  }

  /** Reads UTF-8, strictly. */
  static String readText(ByteBuf in, int maxBytes) {
    byte[] bytes = readBytes(in, maxBytes);
    try {
      CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return text.toString();
    } catch (CharacterCodingException e) {
      throw new ProtocolException("text is not UTF-8");
    }
  }

  static void writeBytes(byte[] bytes, ByteBuf out) {
    out.writeShort(bytes.length).writeBytes(bytes);
  }

  static byte[] readBytes(ByteBuf in, int maxBytes) {
    int length = in.readUnsignedShort();
    if (length > maxBytes) {
      throw new ProtocolException("a field of " + length + " bytes; at most " + maxBytes);
    }
    if (length > in.readableBytes()) {
      throw new IndexOutOfBoundsException();
    }
    byte[] bytes = new byte[length];
    in.readBytes(bytes);
    return bytes;
  }

  /**
   * Reads how many items follow, as an unsigned 16-bit number: no more than that many, and no more
   * than what is left of the payload can hold.
   *
   * @param itemBytes what an item has at least
   */
  static int readCount(ByteBuf in, int most, int itemBytes) {
    int count = in.readUnsignedShort();
    if (count > most) {
      throw new ProtocolException("a list of " + count + "; at most " + most);
    }
    if (count * itemBytes > in.readableBytes()) {
      throw new IndexOutOfBoundsException();
    }
    return count;
  }

  /**
   * Reads how many items follow, as an unsigned 8-bit number.
   *
   * @param what the items, as an error names them
   */
  static int readSmallCount(ByteBuf in, int most, String what) {
    int count = in.readUnsignedByte();
    if (count > most) {
      throw new ProtocolException(count + " " + what + ", at most " + most);
    }
    return count;
  }

  static int readSlot(ByteBuf in) {
    int slot = in.readInt();
    if (slot < 0) {
      throw new ProtocolException("a negative slot");
    }
    return slot;
  }

  static void writeFlag(boolean flag, ByteBuf out) {
    out.writeByte(flag ? 1 : 0);
  }

  static boolean readFlag(ByteBuf in) {
    return switch (in.readUnsignedByte()) {
      case 0 -> false;
      case 1 -> true;
      default -> throw new ProtocolException("a flag is 0 or 1");
    };
  }

  static int memberBytes(MemberId id) {
    return textBytes(id.name()) + Long.BYTES;
  }

  static void writeMember(MemberId id, ByteBuf out) {
    writeText(id.name(), out);
    out.writeLong(id.incarnation());
  }

  static MemberId readMember(ByteBuf in) {
    return new MemberId(readText(in, Limits.TEXT_BYTES), in.readLong());
  }

  static int addressBytes(Address address) {
    return textBytes(address.host()) + Short.BYTES;
  }

  static void writeAddress(Address address, ByteBuf out) {
    writeText(address.host(), out);
    out.writeShort(address.port());
  }

  static Address readAddress(ByteBuf in) {
    return new Address(readText(in, Limits.TEXT_BYTES), in.readUnsignedShort());
  }

  static void writeViewName(ViewName name, ByteBuf out) {
    out.writeLong(name.epoch()).writeLong(name.ballot());
  }

  static ViewName readViewName(ByteBuf in) {
    return new ViewName(in.readLong(), in.readLong());
  }
}
