package io.ringfence.peer;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.timeout.IdleStateHandler;
import io.ringfence.membership.MemberId;
import java.util.concurrent.TimeUnit;

/** Turns a channel whose handshake is done into an open connection with a peer. */
final class LinkPipeline {
  /** A keepalive goes out after this part of the time that the other end waits for one. */
  private static final int KEEPALIVES_PER_SILENCE = 5;

  /** Which end of the connection this process is. */
  enum End {
    /** This process dialled: its questions go out here, and their answers come in. */
    DIALLED,
    /** This process accepted: questions come in here, and their answers go out. */
    ACCEPTED
  }

  private final Wiring wiring;
  private final PeerEvents events;

  LinkPipeline(Wiring wiring, PeerEvents events) {
    this.wiring = wiring;
    this.events = events;
  }

  /** Opens; on the channel's event loop, from the handshake's handler. */
  Outbound open(ChannelHandlerContext context, MemberId peer, End end) {
    Outbound outbound =
        new Outbound(context.channel(), end, wiring.settings().bounds().outboundBytes());
    int silenceMillis = wiring.settings().timeouts().silenceMillis();
    context
        .pipeline()
        .addFirst(
            new IdleStateHandler(
                silenceMillis, silenceMillis / KEEPALIVES_PER_SILENCE, 0, TimeUnit.MILLISECONDS))
        .replace(context.handler(), null, new LinkHandler(peer, outbound, events, wiring));
    return outbound;
  }
}
