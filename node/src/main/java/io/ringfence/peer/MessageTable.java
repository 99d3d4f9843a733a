package io.ringfence.peer;

import io.netty.buffer.ByteBuf;
import io.ringfence.engine.message.AcceptedMessage;
import io.ringfence.engine.message.AnswerMessage;
import io.ringfence.engine.message.CancelMessage;
import io.ringfence.engine.message.CheckMessage;
import io.ringfence.engine.message.CopiedMessage;
import io.ringfence.engine.message.CopyMessage;
import io.ringfence.engine.message.FetchMessage;
import io.ringfence.engine.message.InventoryMessage;
import io.ringfence.engine.message.InventoryRequest;
import io.ringfence.engine.message.LeaveMessage;
import io.ringfence.engine.message.LiftMessage;
import io.ringfence.engine.message.LiftedMessage;
import io.ringfence.engine.message.NotOwnerMessage;
import io.ringfence.engine.message.PassMessage;
import io.ringfence.engine.message.PathMessage;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.engine.message.PingMessage;
import io.ringfence.engine.message.PongMessage;
import io.ringfence.engine.message.PrepareMessage;
import io.ringfence.engine.message.PromiseMessage;
import io.ringfence.engine.message.ProposeMessage;
import io.ringfence.engine.message.RefusalMessage;
import io.ringfence.engine.message.RelayMessage;
import io.ringfence.engine.message.RelayRefusal;
import io.ringfence.engine.message.RelayedMessage;
import io.ringfence.engine.message.StatusMessage;
import io.ringfence.engine.message.TakenMessage;
import io.ringfence.engine.message.UsageAnswerMessage;
import io.ringfence.engine.message.UsageMessage;
import io.ringfence.engine.message.ViewMessage;
import io.ringfence.engine.message.ViewRequest;
import io.ringfence.engine.message.WeightMessage;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.ToIntFunction;

/**
 * Which message has which code and which bytes. The one place that a new message is entered.
 *
 * <p>Immutable and thread-safe.
 */
final class MessageTable {
  /** Length and code, which come before every payload. */
  static final int HEADER_BYTES = Integer.BYTES + Short.BYTES;

  private static final List<Kind<?>> KINDS =
      List.of(
          new Kind<>(
              FrameCode.CHECK,
              CheckMessage.class,
              CheckCodec::bytes,
              CheckCodec::write,
              CheckCodec::readCheck),
          new Kind<>(
              FrameCode.ANSWER,
              AnswerMessage.class,
              CheckCodec::bytes,
              CheckCodec::write,
              CheckCodec::readAnswer),
          new Kind<>(
              FrameCode.NOT_OWNER,
              NotOwnerMessage.class,
              CheckCodec::bytes,
              CheckCodec::write,
              CheckCodec::readNotOwner),
          new Kind<>(
              FrameCode.REFUSAL,
              RefusalMessage.class,
              message -> Long.BYTES + Byte.BYTES,
              CheckCodec::write,
              CheckCodec::readRefusal),
          new Kind<>(
              FrameCode.CANCEL,
              CancelMessage.class,
              message -> Long.BYTES,
              CheckCodec::write,
              CheckCodec::readCancel),
          new Kind<>(
              FrameCode.VIEW,
              ViewMessage.class,
              message -> ViewCodec.bytes(message.view()),
              (message, out) -> ViewCodec.write(message.view(), out),
              in -> new ViewMessage(ViewCodec.readView(in))),
          new Kind<>(
              FrameCode.STATUS,
              StatusMessage.class,
              ViewCodec::bytes,
              ViewCodec::write,
              ViewCodec::readStatus),
          new Kind<>(
              FrameCode.INVENTORY,
              InventoryMessage.class,
              SlotCodec::bytes,
              SlotCodec::write,
              SlotCodec::readInventory),
          new Kind<>(
              FrameCode.LIFT,
              LiftMessage.class,
              CounterCodec::bytes,
              CounterCodec::write,
              CounterCodec::readLift),
          new Kind<>(
              FrameCode.LIFTED,
              LiftedMessage.class,
              message -> Long.BYTES,
              CounterCodec::write,
              CounterCodec::readLifted),
          new Kind<>(
              FrameCode.USAGE,
              UsageMessage.class,
              CounterCodec::bytes,
              CounterCodec::write,
              CounterCodec::readUsage),
          new Kind<>(
              FrameCode.USAGE_ANSWER,
              UsageAnswerMessage.class,
              CounterCodec::bytes,
              CounterCodec::write,
              CounterCodec::readUsageAnswer),
          new Kind<>(
              FrameCode.PING,
              PingMessage.class,
              ViewWordCodec::bytes,
              ViewWordCodec::write,
              ViewWordCodec::readPing),
          new Kind<>(
              FrameCode.PONG,
              PongMessage.class,
              ViewWordCodec::bytes,
              ViewWordCodec::write,
              ViewWordCodec::readPong),
          new Kind<>(
              FrameCode.PREPARE,
              PrepareMessage.class,
              ViewWordCodec::bytes,
              ViewWordCodec::write,
              ViewWordCodec::readPrepare),
          new Kind<>(
              FrameCode.PROMISE,
              PromiseMessage.class,
              ViewWordCodec::bytes,
              ViewWordCodec::write,
              ViewWordCodec::readPromise),
          new Kind<>(
              FrameCode.PROPOSE,
              ProposeMessage.class,
              ViewWordCodec::bytes,
              ViewWordCodec::write,
              ViewWordCodec::readPropose),
          new Kind<>(
              FrameCode.ACCEPTED,
              AcceptedMessage.class,
              ViewWordCodec::bytes,
              ViewWordCodec::write,
              ViewWordCodec::readAccepted),
          new Kind<>(
              FrameCode.COPY,
              CopyMessage.class,
              CopyCodec::bytes,
              CopyCodec::write,
              CopyCodec::readCopy),
          new Kind<>(
              FrameCode.COPIED,
              CopiedMessage.class,
              CopyCodec::bytes,
              CopyCodec::write,
              CopyCodec::readCopied),
          new Kind<>(
              FrameCode.PASS,
              PassMessage.class,
              SlotCodec::bytes,
              SlotCodec::write,
              SlotCodec::readPass),
          new Kind<>(
              FrameCode.TAKEN,
              TakenMessage.class,
              SlotCodec::bytes,
              SlotCodec::write,
              SlotCodec::readTaken),
          new Kind<>(
              FrameCode.INVENTORY_REQUEST,
              InventoryRequest.class,
              SlotCodec::bytes,
              SlotCodec::write,
              SlotCodec::readInventoryRequest),
          new Kind<>(
              FrameCode.FETCH,
              FetchMessage.class,
              SlotCodec::bytes,
              SlotCodec::write,
              SlotCodec::readFetch),
          new Kind<>(
              FrameCode.WEIGHT,
              WeightMessage.class,
              weight -> Byte.BYTES,
              (weight, out) -> out.writeByte(weight.weight()),
              in -> new WeightMessage(in.readUnsignedByte())),
          new Kind<>(
              FrameCode.RELAY,
              RelayMessage.class,
              RelayCodec::bytes,
              RelayCodec::write,
              RelayCodec::readRelay),
          new Kind<>(
              FrameCode.RELAYED,
              RelayedMessage.class,
              RelayCodec::bytes,
              RelayCodec::write,
              RelayCodec::readRelayed),
          new Kind<>(
              FrameCode.PATH,
              PathMessage.class,
              path -> Long.BYTES,
              (path, out) -> out.writeLong(path.path()),
              in -> new PathMessage(in.readLong())),
          new Kind<>(
              FrameCode.RELAY_REFUSED,
              RelayRefusal.class,
              refusal -> Fields.memberBytes(refusal.to()),
              (refusal, out) -> Fields.writeMember(refusal.to(), out),
              in -> new RelayRefusal(Fields.readMember(in))),
          empty(FrameCode.VIEW_REQUEST, new ViewRequest()),
          empty(FrameCode.LEAVE, new LeaveMessage()));

  private static final Map<Class<?>, Kind<?>> BY_TYPE = new HashMap<>();
  private static final Map<FrameCode, Kind<?>> BY_CODE = new EnumMap<>(FrameCode.class);

  static {
    for (Kind<?> kind : KINDS) {
      BY_TYPE.put(kind.type, kind);
      BY_CODE.put(kind.code, kind);
    }
  }

  private MessageTable() {}

  /** The code of a message. */
  static FrameCode codeOf(PeerMessage message) {
    return kindOf(message).code;
  }

  /**
   * The exact length of the message's frame, its header included.
   *
   * @throws IllegalArgumentException if the message, or a part of it, is larger than the wire
   *     allows
   */
  static int frameBytes(PeerMessage message) {
    int bytes = HEADER_BYTES + kindOf(message).payloadBytes(message);
    if (bytes - Integer.BYTES > Limits.FRAME_BYTES) {
      throw new IllegalArgumentException(
          "a frame is at most " + Limits.FRAME_BYTES + " bytes, not " + (bytes - Integer.BYTES));
    }
    return bytes;
  }

  /** Whether the message's frame is one that the wire allows. */
  static boolean fits(PeerMessage message) {
    return codeAndPayloadBytes(message) <= Limits.FRAME_BYTES;
  }

  /** Appends the message's frame. */
  static void write(PeerMessage message, ByteBuf out) {
    out.writeInt(codeAndPayloadBytes(message));
    writeCodeAndPayload(message, out);
  }

  /** The length of a frame without its header's length. */
  static int codeAndPayloadBytes(PeerMessage message) {
    return Short.BYTES + kindOf(message).payloadBytes(message);
  }

  /** Appends the frame without its length, as another frame carries it. */
  static void writeCodeAndPayload(PeerMessage message, ByteBuf out) {
    Kind<?> kind = kindOf(message);
    out.writeShort(kind.code.code());
    kind.writePayload(message, out);
  }

  /**
   * Reads the payload of a frame that carries a message.
   *
   * @throws ProtocolException if the code carries none, or the payload is not one of that code
   */
  static PeerMessage read(FrameCode code, ByteBuf payload) {
    Kind<?> kind = BY_CODE.get(code);
    if (kind == null) {
      throw new ProtocolException(code + " is out of place");
    }
    return Fields.complete(code, payload, kind.reader);
  }

  private static Kind<?> kindOf(PeerMessage message) {
    Kind<?> kind = BY_TYPE.get(message.getClass());
    if (kind == null) {
      throw new IllegalStateException(message.getClass() + " has no code");
    }
    return kind;
  }

  private static <M extends PeerMessage> Kind<M> empty(FrameCode code, M message) {
    @SuppressWarnings("unchecked") // the class of an M is a Class<M> for the records used here
    Class<M> type = (Class<M>) message.getClass();
    return new Kind<>(code, type, ignored -> 0, (ignored, out) -> {}, in -> message);
  }

  private record Kind<M extends PeerMessage>(
      FrameCode code,
      Class<M> type,
      ToIntFunction<M> bytes,
      BiConsumer<M, ByteBuf> writer,
      Fields.Reader<M> reader) {

    int payloadBytes(PeerMessage message) {
      return bytes.applyAsInt(type.cast(message));
    }

    void writePayload(PeerMessage message, ByteBuf out) {
      writer.accept(type.cast(message), out);
    }
  }
}
