package io.ringfence.http;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.group.ChannelGroup;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sets up what connects. Policy at the bound: the newest is refused, with 503 and a close, and
 * counted; of those at most {@link #MAX_REFUSING} are told so at once, further ones are closed
 * without a word. Those that are open never suffer.
 */
@ChannelHandler.Sharable
final class Connections extends ChannelInitializer<Channel> {
  /** The most refused connections that are being told so. */
  static final int MAX_REFUSING = 256;

  private final Premises premises;
  private final ChannelGroup open;
  // 0 <= accepted <= limits.connections and 0 <= refusing <= MAX_REFUSING, but for an instant.
  private final AtomicInteger accepted = new AtomicInteger();
  private final AtomicInteger refusing = new AtomicInteger();

  Connections(Premises premises, ChannelGroup open) {
    this.premises = premises;
    this.open = open;
  }

  @Override
  protected void initChannel(Channel channel) {
    open.add(channel);
    if (take(channel, accepted, premises.limits().connections())) {
      RequestDecoder decoder = new RequestDecoder();
      channel
          .pipeline()
          .addLast(decoder, new HttpResponseEncoder())
          .addLast(new HttpConnection(channel, premises, decoder));
      return;
    }
    premises.met(HttpBound.CONNECTIONS);
    if (take(channel, refusing, MAX_REFUSING)) {
      channel.pipeline().addLast(new HttpResponseEncoder());
      channel
          .writeAndFlush(refusal(channel.alloc()))
          .addListener(done -> LingeringClose.begin(channel, premises));
    } else {
      premises.met(HttpBound.REFUSALS);
      var unused = channel.close();
    }
  }

  private static boolean take(Channel channel, AtomicInteger taken, int bound) {
    if (taken.incrementAndGet() > bound) {
      taken.decrementAndGet();
      return false;
    }
    channel.closeFuture().addListener(closed -> taken.decrementAndGet());
    return true;
  }

  private FullHttpResponse refusal(ByteBufAllocator allocator) {
    FullHttpResponse response =
        premises
            .endpoints()
            .problem(
                allocator,
                BadInput.refused(
                    HttpResponseStatus.SERVICE_UNAVAILABLE, "too many connections are open"));
    response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    response.headers().set(HttpHeaderNames.RETRY_AFTER, "1");
    return response;
  }
}
