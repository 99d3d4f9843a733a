package io.ringfence.peer;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Carries one {@link Handshake} over a channel: turns its steps into writes, closes the connection
 * when time is up or something is wrong, and reports exactly one ending to its subclass. Runs on
 * the channel's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close closes the channel
abstract class HandshakeHandler extends ChannelInboundHandlerAdapter {
  private final Handshake handshake;
  private final FrameDecoder decoder;
  private final Wiring wiring;
  private boolean over; // false to true once, with the ending
  private @Nullable Future<?> timeout;

  HandshakeHandler(Handshake handshake, FrameDecoder decoder, Wiring wiring) {
    this.handshake = handshake;
    this.decoder = decoder;
    this.wiring = wiring;
  }

  /** The other end has proved itself. The subclass calls {@link #finish} when it is content. */
  abstract void proven(ChannelHandlerContext context, HandshakeStep.Proven step);

  /** The listener greets; out of place unless the subclass says otherwise. */
  void greeted(ChannelHandlerContext context, Greeting greeting) {
    throw new ProtocolException("INTRODUCTION is out of place");
  }

  /** Ending: one end refused. */
  abstract void refused(ChannelHandlerContext context, HandshakeRefusal reason);

  /** Ending: another member than the one expected has proved itself. */
  abstract void otherAnswered(ChannelHandlerContext context, HandshakeStep.OtherAnswered step);

  /**
   * Ending: time is up, the connection broke, or the other end does not speak the protocol.
   *
   * @param reason one of a few fixed phrases
   */
  abstract void broken(ChannelHandlerContext context, String reason);

  /** The handshake ended well; no other ending will be reported. */
  final void finish() {
    over = true;
    if (timeout != null) {
      timeout.cancel(false);
    }
  }

  /** The handshake ends with a refusal of this end. */
  final void refuse(ChannelHandlerContext context, HandshakeRefusal reason) {
    apply(context, HandshakeStep.Refused.here(reason));
  }

  static ByteBuf bytes(ChannelHandlerContext context, HandshakeFrame frame) {
    int length = Short.BYTES + frame.payload().length;
    return context
        .alloc()
        .buffer(Integer.BYTES + length)
        .writeInt(length)
        .writeShort(frame.code().code())
        .writeBytes(frame.payload());
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    int timeoutMillis = wiring.settings().timeouts().handshakeMillis();
    timeout =
        context
            .executor()
            .schedule(
                () -> fail(context, "handshake timed out"), timeoutMillis, TimeUnit.MILLISECONDS);
    HandshakeFrame opening = handshake.opening();
    if (opening != null) {
      context.writeAndFlush(bytes(context, opening));
    }
    context.fireChannelActive();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (over) {
      return;
    }
    if (message instanceof HandshakeFrame frame) {
      apply(context, handshake.receive(frame));
    } else if (message instanceof Greeting greeting) {
      greeted(context, greeting);
    } else {
      throw new ProtocolException("a message before the introduction");
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    fail(context, "closed during the handshake");
    context.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (ConnectionFault.isDefect(cause)) {
      wiring.log().defect("a peer that is not proven yet", cause);
    }
    fail(context, ConnectionFault.describe(cause));
  }

  private void apply(ChannelHandlerContext context, HandshakeStep step) {
    if (step instanceof HandshakeStep.Reply reply) {
      context.writeAndFlush(bytes(context, reply.frame()));
    } else if (step instanceof HandshakeStep.Proven proven) {
      decoder.authenticated();
      proven(context, proven);
    } else if (step instanceof HandshakeStep.OtherAnswered other) {
      finish();
      context.close();
      otherAnswered(context, other);
    } else if (step instanceof HandshakeStep.Misdirected misdirected) {
      finish();
      closeAfter(context, misdirected.last());
      refused(context, HandshakeRefusal.OTHER_MEMBER);
    } else if (step instanceof HandshakeStep.Refused refusal) {
      finish();
      closeAfter(context, refusal.last());
      refused(context, refusal.reason());
    }
  }

  private void fail(ChannelHandlerContext context, String reason) {
    if (!over) {
      finish();
      context.close();
      broken(context, reason);
    }
  }

  private static void closeAfter(ChannelHandlerContext context, @Nullable HandshakeFrame last) {
    if (last == null) {
      context.close();
    } else {
      context.writeAndFlush(bytes(context, last)).addListener(ChannelFutureListener.CLOSE);
    }
  }
}
