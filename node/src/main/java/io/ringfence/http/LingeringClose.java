package io.ringfence.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection whose peer may still be sending. To close at once would reset it, and the
 * reset may overtake the answer. So the output is shut, what still comes is read and dropped, and
 * the connection closes when the peer does, after 4 MiB, or after 2 s, whichever comes first.
 */
final class LingeringClose extends ChannelInboundHandlerAdapter {
  /** The most that is read and dropped. */
  static final long MAX_DROPPED_BYTES = 4L * 1024 * 1024;

  /** The longest that a connection lingers. */
  static final long MAX_LINGER_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Premises premises;
  // 0 <= droppedBytes; the connection closes once it passes the bound.
  private long droppedBytes;

  private LingeringClose(Premises premises) {
    this.premises = premises;
  }

  /** Begins, on the channel's loop, once the last answer has been written. */
  static void begin(Channel channel, Premises premises) {
    if (!channel.isActive()) {
      var unused = channel.close();
      return;
    }
    LingeringClose lingering = new LingeringClose(premises);
    channel.pipeline().addFirst(lingering);
    var unused = ((DuplexChannel) channel).shutdownOutput();
    channel.config().setAutoRead(true);
    Future<?> limit =
        channel
            .eventLoop()
            .schedule(() -> lingering.giveUp(channel), MAX_LINGER_NANOS, TimeUnit.NANOSECONDS);
    channel.closeFuture().addListener(closed -> limit.cancel(false));
  }

  /** What comes of it shows in the pipeline, if at all. */
  private void giveUp(Channel channel) {
    premises.met(HttpBound.LINGER);
    var unused = channel.close();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof ByteBuf bytes) {
      droppedBytes += bytes.readableBytes();
    }
    ReferenceCountUtil.release(message);
    if (droppedBytes > MAX_DROPPED_BYTES && ctx.channel().isOpen()) {
      giveUp(ctx.channel());
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      var unused = ctx.close();
    }
  }
}
