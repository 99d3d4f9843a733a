package io.ringfence.peer;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.membership.MemberId;

/**
 * An open connection: hands messages on, lets the outbound queue run when there is room, and ends
 * the connection when the other end breaks the protocol or falls silent.
 *
 * <p>An end that reads nothing for the time of silence, be it frozen or stuck, is disconnected by
 * the other, as its keepalives are not read either.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close closes the channel
final class LinkHandler extends ChannelInboundHandlerAdapter {
  private final MemberId peer;
  private final Outbound outbound;
  private final PeerEvents events;
  private final Wiring wiring;

  LinkHandler(MemberId peer, Outbound outbound, PeerEvents events, Wiring wiring) {
    this.peer = peer;
    this.outbound = outbound;
    this.events = events;
    this.wiring = wiring;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof PeerMessage said) {
      events.message(peer, said);
    } else if (message != FrameCode.KEEPALIVE) {
      throw new ProtocolException("a second introduction");
    }
    outbound.readIfAnswersFit();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    outbound.drain();
    context.fireChannelWritabilityChanged();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (!(event instanceof IdleStateEvent idle)) {
      context.fireUserEventTriggered(event);
    } else if (idle.state() == IdleState.READER_IDLE) {
      wiring.metrics().silent();
      wiring.log().refused(peer.toString(), "silent for too long");
      context.close();
    } else if (context.channel().isWritable()) {
      context.writeAndFlush(keepalive(context));
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (ConnectionFault.isProtocol(cause)) {
      wiring.metrics().protocolError();
      wiring.log().refused(peer.toString(), ConnectionFault.PROTOCOL);
    } else if (ConnectionFault.isDefect(cause)) {
      wiring.log().defect(peer.toString(), cause);
    }
    context.close();
  }

  private static ByteBuf keepalive(ChannelHandlerContext context) {
    return context
        .alloc()
        .buffer(MessageTable.HEADER_BYTES)
        .writeInt(Short.BYTES)
        .writeShort(FrameCode.KEEPALIVE.code());
  }
}
