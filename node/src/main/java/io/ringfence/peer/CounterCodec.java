package io.ringfence.peer;

import io.netty.buffer.ByteBuf;
import io.ringfence.engine.message.LiftMessage;
import io.ringfence.engine.message.LiftedMessage;
import io.ringfence.engine.message.UsageAnswerMessage;
import io.ringfence.engine.message.UsageMessage;
import java.util.ArrayList;
import java.util.List;

/**
 * The payloads of what is said about counters beside checks: lifts, and what a client has used.
 * docs/protocol.md lists the fields.
 */
final class CounterCodec {
  private static final int LIFTED_FIXED_BYTES = Long.BYTES + Byte.BYTES + Fields.LENGTH_BYTES;
  private static final int ENTRY_FIXED_BYTES =
      Long.BYTES + Fields.LENGTH_BYTES + CheckCodec.ANSWER_BYTES;

  private CounterCodec() {}

  static int bytes(LiftMessage message) {
    int bytes = Long.BYTES + Byte.BYTES;
    for (LiftMessage.Lifted lifted : message.lifted()) {
      bytes += LIFTED_FIXED_BYTES + valuesBytes(lifted.values());
    }
    return bytes;
  }

  static void write(LiftMessage message, ByteBuf out) {
    out.writeLong(message.id());
    out.writeByte(message.lifted().size());
    for (LiftMessage.Lifted lifted : message.lifted()) {
      out.writeLong(lifted.limitId());
      Fields.writeFlag(lifted.whole(), out);
      Fields.writeBytes(lifted.values(), out);
    }
  }

  static LiftMessage readLift(ByteBuf in) {
    long id = in.readLong();
    int count = Fields.readSmallCount(in, LiftMessage.MAX_LIFTED, "counters in a lift");
    List<LiftMessage.Lifted> lifted = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      lifted.add(
          new LiftMessage.Lifted(
              in.readLong(), Fields.readFlag(in), Fields.readBytes(in, Limits.VALUES_BYTES)));
    }
    return new LiftMessage(id, lifted);
  }

  static void write(LiftedMessage message, ByteBuf out) {
    out.writeLong(message.id());
  }

  static LiftedMessage readLifted(ByteBuf in) {
    return new LiftedMessage(in.readLong());
  }

  static int bytes(UsageMessage message) {
    int client = Fields.textBytes(message.client());
    return Long.BYTES + Fields.VIEW_NAME_BYTES + Integer.BYTES + client;
  }

  static void write(UsageMessage message, ByteBuf out) {
    out.writeLong(message.id());
    Fields.writeViewName(message.view(), out);
    out.writeInt(message.slot());
    Fields.writeText(message.client(), out);
  }

  static UsageMessage readUsage(ByteBuf in) {
    return new UsageMessage(
        in.readLong(),
        Fields.readViewName(in),
        in.readInt(),
        Fields.readText(in, Limits.VALUES_BYTES));
  }

  static int bytes(UsageAnswerMessage message) {
    if (message.entries().size() > Limits.ANSWERS) {
      throw new IllegalArgumentException(
          "a message tells 0.." + Limits.ANSWERS + " counters, not " + message.entries().size());
    }
    int bytes = Long.BYTES + Byte.BYTES + Byte.BYTES;
    for (UsageAnswerMessage.Entry entry : message.entries()) {
      bytes += ENTRY_FIXED_BYTES + valuesBytes(entry.values());
    }
    return bytes;
  }

  static void write(UsageAnswerMessage message, ByteBuf out) {
    out.writeLong(message.id());
    Fields.writeFlag(message.truncated(), out);
    out.writeByte(message.entries().size());
    for (UsageAnswerMessage.Entry entry : message.entries()) {
      out.writeLong(entry.limitId());
      Fields.writeBytes(entry.values(), out);
      CheckCodec.write(entry.answer(), out);
    }
  }

  static UsageAnswerMessage readUsageAnswer(ByteBuf in) {
    long id = in.readLong();
    boolean truncated = Fields.readFlag(in);
    int count = Fields.readSmallCount(in, Limits.ANSWERS, "counters in an answer");
    List<UsageAnswerMessage.Entry> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      entries.add(
          new UsageAnswerMessage.Entry(
              in.readLong(), Fields.readBytes(in, Limits.VALUES_BYTES), CheckCodec.readOne(in)));
    }
    return new UsageAnswerMessage(id, entries, truncated);
  }

  /** The length of a counter's values, which must be within the wire's limit. */
  static int valuesBytes(byte[] values) {
    if (values.length > Limits.VALUES_BYTES) {
      throw new IllegalArgumentException(
          "the values of a counter are 0.." + Limits.VALUES_BYTES + " bytes, not " + values.length);
    }
    return values.length;
  }
}
