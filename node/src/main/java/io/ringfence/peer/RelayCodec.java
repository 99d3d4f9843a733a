package io.ringfence.peer;

import io.netty.buffer.ByteBuf;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.engine.message.RelayMessage;
import io.ringfence.engine.message.RelayedMessage;
import io.ringfence.membership.MemberId;

/**
 * The payloads that carry another message. That is read and written whole, so a member hands on
 * nothing that it does not understand.
 */
final class RelayCodec {
  private RelayCodec() {}

  static int bytes(RelayMessage relay) {
    return bytes(relay.to(), relay.message());
  }

  static int bytes(RelayedMessage relayed) {
    return bytes(relayed.from(), relayed.message());
  }

  private static int bytes(MemberId member, PeerMessage message) {
    return Fields.memberBytes(member) + Long.BYTES + MessageTable.codeAndPayloadBytes(message);
  }

  static void write(RelayMessage relay, ByteBuf out) {
    write(relay.to(), relay.path(), relay.message(), out);
  }

  static void write(RelayedMessage relayed, ByteBuf out) {
    write(relayed.from(), relayed.path(), relayed.message(), out);
  }

  private static void write(MemberId member, long path, PeerMessage message, ByteBuf out) {
    Fields.writeMember(member, out);
    out.writeLong(path);
    MessageTable.writeCodeAndPayload(message, out);
  }

  static RelayMessage readRelay(ByteBuf in) {
    return new RelayMessage(Fields.readMember(in), in.readLong(), readCarried(in));
  }

  static RelayedMessage readRelayed(ByteBuf in) {
    return new RelayedMessage(Fields.readMember(in), in.readLong(), readCarried(in));
  }

  private static PeerMessage readCarried(ByteBuf in) {
    FrameCode code = FrameCode.ofCode(in.readUnsignedShort());
    return switch (code) {
      case RELAY, RELAYED, PATH, RELAY_REFUSED ->
          throw new ProtocolException("a " + code + " inside of another frame");
      default -> MessageTable.read(code, in.readSlice(in.readableBytes()));
    };
  }
}
