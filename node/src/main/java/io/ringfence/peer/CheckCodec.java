package io.ringfence.peer;

import io.netty.buffer.ByteBuf;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.Check;
import io.ringfence.engine.LimitVerdict;
import io.ringfence.engine.message.AnswerMessage;
import io.ringfence.engine.message.CancelMessage;
import io.ringfence.engine.message.CheckMessage;
import io.ringfence.engine.message.CounterAsk;
import io.ringfence.engine.message.Deed;
import io.ringfence.engine.message.Late;
import io.ringfence.engine.message.NotOwnerMessage;
import io.ringfence.engine.message.RefusalMessage;
import io.ringfence.engine.message.RequestKey;
import java.util.ArrayList;
import java.util.List;

/** The payloads of checks and of what is answered to them; docs/protocol.md lists the fields. */
final class CheckCodec {
  private static final int CHECK_FIXED_BYTES =
      Long.BYTES
          + Fields.VIEW_NAME_BYTES
          + Byte.BYTES
          + Short.BYTES
          + Byte.BYTES
          + Long.BYTES
          + Byte.BYTES;
  private static final int REQUEST_KEY_BYTES = 2 * Long.BYTES;
  private static final int COUNTER_FIXED_BYTES =
      Long.BYTES + Byte.BYTES + Integer.BYTES + Long.BYTES + Fields.LENGTH_BYTES;
  private static final int LATE_BYTES = SlotCodec.TERM_BYTES + 2 * Long.BYTES;
  static final int ANSWER_BYTES = Byte.BYTES + 5 * Long.BYTES + Byte.BYTES;

  private CheckCodec() {}

  static int bytes(CheckMessage check) {
    int bytes = CHECK_FIXED_BYTES + (check.deed().request() == null ? 0 : REQUEST_KEY_BYTES);
    for (CounterAsk ask : check.counters()) {
      if (ask.values().length > Limits.VALUES_BYTES) {
        throw new IllegalArgumentException(
            "the values of a counter are 0.."
                + Limits.VALUES_BYTES
                + " bytes, not "
                + ask.values().length);
      }
      bytes += COUNTER_FIXED_BYTES + ask.values().length + (ask.late() == null ? 0 : LATE_BYTES);
    }
    return bytes;
  }

  static void write(CheckMessage check, ByteBuf out) {
    out.writeLong(check.id());
    Fields.writeViewName(check.view(), out);
    writeDeed(check.deed(), out);
    out.writeLong(check.budgetMicros());
    out.writeByte(check.counters().size());
    for (CounterAsk ask : check.counters()) {
      out.writeLong(ask.limitId());
      Fields.writeFlag(ask.shadow(), out);
      out.writeInt(ask.slot());
      out.writeLong(ask.cost());
      Fields.writeBytes(ask.values(), out);
      Late late = ask.late();
      if (late != null) {
        SlotCodec.writeTerm(late.term(), out);
        out.writeLong(late.from()).writeLong(late.known());
      }
    }
  }

  static CheckMessage readCheck(ByteBuf in) {
    long id = in.readLong();
    var view = Fields.readViewName(in);
    Deed deed = readDeed(in);
    long budgetMicros = in.readLong();
    int count = Fields.readSmallCount(in, CheckMessage.MAX_COUNTERS, "counters in a check");
    List<CounterAsk> counters = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      counters.add(readCounter(in, deed.mode() == Deed.Mode.LATE));
    }
    return new CheckMessage(id, view, deed, budgetMicros, counters);
  }

  private static void writeDeed(Deed deed, ByteBuf out) {
    out.writeByte(deed.mode().code());
    out.writeShort(deed.tenant());
    RequestKey request = deed.request();
    Fields.writeFlag(request != null, out);
    if (request != null) {
      out.writeLong(request.high()).writeLong(request.low());
    }
  }

  private static Deed readDeed(ByteBuf in) {
    Deed.Mode mode = Deed.Mode.ofCode(in.readUnsignedByte());
    int tenant = in.readUnsignedShort();
    RequestKey request = Fields.readFlag(in) ? new RequestKey(in.readLong(), in.readLong()) : null;
    return new Deed(mode, request, tenant);
  }

  private static CounterAsk readCounter(ByteBuf in, boolean isLate) {
    long limitId = in.readLong();
    boolean shadow = Fields.readFlag(in);
    int slot = in.readInt();
    long cost = in.readLong();
    if (slot < 0 || cost < 1 || cost > Check.MAX_COST) {
      throw new ProtocolException("a counter with a negative slot or a cost out of range");
    }
    byte[] values = Fields.readBytes(in, Limits.VALUES_BYTES);
    Late late = isLate ? new Late(SlotCodec.readTerm(in), in.readLong(), in.readLong()) : null;
    return new CounterAsk(limitId, shadow, slot, values, cost, late);
  }

  static int bytes(AnswerMessage answer) {
    if (answer.answers().size() > Limits.ANSWERS) {
      throw new IllegalArgumentException(
          "a message has 0.." + Limits.ANSWERS + " answers, not " + answer.answers().size());
    }
    return Long.BYTES + Byte.BYTES + answer.answers().size() * ANSWER_BYTES;
  }

  static void write(AnswerMessage message, ByteBuf out) {
    out.writeLong(message.id());
    out.writeByte(message.answers().size());
    message.answers().forEach(answer -> write(answer, out));
  }

  static void write(LimitVerdict.Answer answer, ByteBuf out) {
    Fields.writeFlag(answer.allowed(), out);
    out.writeLong(answer.limit());
    out.writeLong(answer.remaining());
    out.writeLong(answer.retryAfterNanos());
    out.writeLong(answer.resetAtMillis());
    out.writeLong(answer.delayNanos());
    out.writeByte(answer.certainty().code());
  }

  static AnswerMessage readAnswer(ByteBuf in) {
    long id = in.readLong();
    int count = Fields.readSmallCount(in, Limits.ANSWERS, "answers");
    List<LimitVerdict.Answer> answers = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      answers.add(readOne(in));
    }
    return new AnswerMessage(id, answers);
  }

  static LimitVerdict.Answer readOne(ByteBuf in) {
    return new LimitVerdict.Answer(
        Fields.readFlag(in),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        Certainty.ofCode(in.readUnsignedByte()));
  }

  static int bytes(NotOwnerMessage message) {
    int bytes = Long.BYTES + Fields.VIEW_NAME_BYTES + Byte.BYTES;
    for (NotOwnerMessage.Moved moved : message.moved()) {
      bytes += Integer.BYTES + Fields.memberBytes(moved.to());
    }
    return bytes;
  }

  static void write(NotOwnerMessage message, ByteBuf out) {
    out.writeLong(message.id());
    Fields.writeViewName(message.view(), out);
    out.writeByte(message.moved().size());
    for (NotOwnerMessage.Moved moved : message.moved()) {
      out.writeInt(moved.slot());
      Fields.writeMember(moved.to(), out);
    }
  }

  static NotOwnerMessage readNotOwner(ByteBuf in) {
    long id = in.readLong();
    var view = Fields.readViewName(in);
    int count = Fields.readSmallCount(in, CheckMessage.MAX_COUNTERS, "slots that have moved");
    List<NotOwnerMessage.Moved> moved = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      moved.add(new NotOwnerMessage.Moved(Fields.readSlot(in), Fields.readMember(in)));
    }
    return new NotOwnerMessage(id, view, moved);
  }

  static void write(RefusalMessage message, ByteBuf out) {
    out.writeLong(message.id());
    out.writeByte(message.reason().code());
  }

  static RefusalMessage readRefusal(ByteBuf in) {
    return new RefusalMessage(in.readLong(), RefusalMessage.Reason.ofCode(in.readUnsignedByte()));
  }

  static void write(CancelMessage message, ByteBuf out) {
    out.writeLong(message.checkId());
  }

  static CancelMessage readCancel(ByteBuf in) {
    return new CancelMessage(in.readLong());
  }
}
