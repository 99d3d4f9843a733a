package io.ringfence.peer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.ringfence.peer.FrameCode.Phase;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the byte stream into frames: an unsigned 32-bit length of what follows, a 16-bit code, the
 * payload.
 *
 * <p>A length is judged as soon as it is there, before its frame is waited for. Until {@link
 * #authenticated} is called only frames of the handshake are let through, and only small ones.
 * After the first error everything that comes is thrown away, as the connection is about to close.
 *
 * <p>What it passes on owns no buffer: a {@link HandshakeFrame} before authentication; after it a
 * {@code PeerMessage}, a {@link Greeting}, or {@link FrameCode#KEEPALIVE} for one.
 */
final class FrameDecoder extends ByteToMessageDecoder {
  private boolean authenticated; // false to true once
  private boolean broken; // false to true once

  /** From now on frames of an open connection are expected. Called on the event loop. */
  void authenticated() {
    authenticated = true;
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    if (broken) {
      in.skipBytes(in.readableBytes());
      return;
    }
    try {
      ByteBuf frame = nextFrame(in);
      if (frame != null) {
        out.add(read(FrameCode.ofCode(frame.readUnsignedShort()), frame));
      }
    } catch (ProtocolException e) {
      broken = true;
      in.skipBytes(in.readableBytes());
      throw e;
    }
  }

  private @Nullable ByteBuf nextFrame(ByteBuf in) {
    if (in.readableBytes() < Integer.BYTES) {
      return null;
    }
    long length = in.getUnsignedInt(in.readerIndex());
    int limit = authenticated ? Limits.FRAME_BYTES : Limits.HANDSHAKE_FRAME_BYTES;
    if (length < Short.BYTES || length > limit) {
      throw new ProtocolException("a frame of " + length + " bytes; " + Short.BYTES + ".." + limit);
    }
    if (in.readableBytes() < Integer.BYTES + length) {
      return null;
    }
    in.skipBytes(Integer.BYTES);
    return in.readSlice((int) length);
  }

  private Object read(FrameCode code, ByteBuf payload) {
    if ((code.phase() == Phase.HANDSHAKE) == authenticated) {
      throw new ProtocolException(code + " is out of place");
    }
    return switch (code) {
      case HELLO, CHALLENGE, PROOF, WELCOME, REFUSED ->
          new HandshakeFrame(code, ByteBufUtil.getBytes(payload));
      case KEEPALIVE -> Fields.complete(code, payload, in -> FrameCode.KEEPALIVE);
      case INTRODUCTION -> Fields.complete(code, payload, Greeting::read);
      default -> MessageTable.read(code, payload);
    };
  }
}
