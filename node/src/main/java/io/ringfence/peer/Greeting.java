package io.ringfence.peer;

import io.netty.buffer.ByteBuf;
import io.ringfence.membership.Introduction;
import io.ringfence.membership.View;
import org.jspecify.annotations.Nullable;

/**
 * What a listener says first once both ends are proven: its facts and its view.
 *
 * @param facts its identity, addresses and weight
 * @param view its view, or null while it is in none
 */
record Greeting(Introduction facts, @Nullable View view) {

  int frameBytes() {
    return MessageTable.HEADER_BYTES + payloadBytes();
  }

  /** Appends the frame. */
  void write(ByteBuf out) {
    out.writeInt(Short.BYTES + payloadBytes());
    out.writeShort(FrameCode.INTRODUCTION.code());
    ViewCodec.write(facts, out);
    Fields.writeFlag(view != null, out);
    if (view != null) {
      ViewCodec.write(view, out);
    }
  }

  static Greeting read(ByteBuf in) {
    Introduction facts = ViewCodec.readIntroduction(in);
    return new Greeting(facts, Fields.readFlag(in) ? ViewCodec.readView(in) : null);
  }

  private int payloadBytes() {
    return ViewCodec.bytes(facts) + Byte.BYTES + (view == null ? 0 : ViewCodec.bytes(view));
  }
}
