package io.ringfence.peer;

import io.netty.buffer.ByteBuf;
import io.ringfence.engine.message.AcceptedMessage;
import io.ringfence.engine.message.PingMessage;
import io.ringfence.engine.message.PongMessage;
import io.ringfence.engine.message.PrepareMessage;
import io.ringfence.engine.message.PromiseMessage;
import io.ringfence.engine.message.ProposeMessage;
import io.ringfence.membership.View;
import io.ringfence.membership.ViewStamp;
import io.ringfence.membership.ViewWord;
import java.util.BitSet;

/** The payloads by which views are agreed on and leases held; docs/protocol.md lists the fields. */
final class ViewWordCodec {
  private ViewWordCodec() {}

  static int bytes(PingMessage ping) {
    return ViewCodec.stampBytes(ping.word().view())
        + Byte.BYTES
        + 2 * Long.BYTES
        + bytes(ping.word().silent())
        + bytes(ping.word().done())
        + Byte.BYTES;
  }

  private static int bytes(BitSet places) {
    return Fields.LENGTH_BYTES + (places.length() + Byte.SIZE - 1) / Byte.SIZE;
  }

  static void write(PingMessage message, ByteBuf out) {
    ViewWord.Ping ping = message.word();
    ViewCodec.writeStamp(ping.view(), out);
    Fields.writeFlag(ping.leased(), out);
    out.writeLong(ping.leaseNanos()).writeLong(ping.token());
    Fields.writeBytes(ping.silent().toByteArray(), out);
    Fields.writeBytes(ping.done().toByteArray(), out);
    out.writeByte(ping.weight());
  }

  static PingMessage readPing(ByteBuf in) {
    return new PingMessage(
        new ViewWord.Ping(
            ViewCodec.readStamp(in),
            Fields.readFlag(in),
            in.readLong(),
            in.readLong(),
            readPlaces(in),
            readPlaces(in),
            in.readUnsignedByte()));
  }

  private static BitSet readPlaces(ByteBuf in) {
    return BitSet.valueOf(Fields.readBytes(in, Limits.PLACES_BYTES));
  }

  static int bytes(PongMessage pong) {
    return ViewCodec.stampBytes(pong.word().view()) + Byte.BYTES + Long.BYTES;
  }

  static void write(PongMessage message, ByteBuf out) {
    ViewWord.Pong pong = message.word();
    ViewCodec.writeStamp(pong.view(), out);
    Fields.writeFlag(pong.granted(), out);
    out.writeLong(pong.token());
  }

  static PongMessage readPong(ByteBuf in) {
    return new PongMessage(
        new ViewWord.Pong(ViewCodec.readStamp(in), Fields.readFlag(in), in.readLong()));
  }

  static int bytes(PrepareMessage prepare) {
    return ViewCodec.STAMP_BYTES + Long.BYTES;
  }

  static void write(PrepareMessage message, ByteBuf out) {
    ViewCodec.writeKnownStamp(message.word().base(), out);
    out.writeLong(message.word().ballot());
  }

  static PrepareMessage readPrepare(ByteBuf in) {
    return new PrepareMessage(new ViewWord.Prepare(ViewCodec.readKnownStamp(in), in.readLong()));
  }

  static int bytes(PromiseMessage promise) {
    View accepted = promise.word().accepted();
    return ViewCodec.STAMP_BYTES
        + Long.BYTES
        + Byte.BYTES
        + (accepted == null ? 0 : ViewCodec.bytes(accepted));
  }

  static void write(PromiseMessage message, ByteBuf out) {
    ViewWord.Promise promise = message.word();
    ViewCodec.writeKnownStamp(promise.base(), out);
    out.writeLong(promise.ballot());
    View accepted = promise.accepted();
    Fields.writeFlag(accepted != null, out);
    if (accepted != null) {
      ViewCodec.write(accepted, out);
    }
  }

  static PromiseMessage readPromise(ByteBuf in) {
    ViewStamp base = ViewCodec.readKnownStamp(in);
    long ballot = in.readLong();
    View accepted = Fields.readFlag(in) ? ViewCodec.readView(in) : null;
    return new PromiseMessage(new ViewWord.Promise(base, ballot, accepted));
  }

  static int bytes(ProposeMessage propose) {
    return ViewCodec.STAMP_BYTES + ViewCodec.bytes(propose.word().view());
  }

  static void write(ProposeMessage message, ByteBuf out) {
    ViewCodec.writeKnownStamp(message.word().base(), out);
    ViewCodec.write(message.word().view(), out);
  }

  static ProposeMessage readPropose(ByteBuf in) {
    return new ProposeMessage(
        new ViewWord.Propose(ViewCodec.readKnownStamp(in), ViewCodec.readView(in)));
  }

  static int bytes(AcceptedMessage accepted) {
    return ViewCodec.STAMP_BYTES + Fields.VIEW_NAME_BYTES;
  }

  static void write(AcceptedMessage message, ByteBuf out) {
    ViewCodec.writeKnownStamp(message.word().base(), out);
    Fields.writeViewName(message.word().name(), out);
  }

  static AcceptedMessage readAccepted(ByteBuf in) {
    return new AcceptedMessage(
        new ViewWord.Accepted(ViewCodec.readKnownStamp(in), Fields.readViewName(in)));
  }
}
