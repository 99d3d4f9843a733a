package io.ringfence.peer;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.ringfence.membership.Address;
import io.ringfence.membership.MemberId;
import io.ringfence.peer.HandshakePayloads.Call;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Opens connections. Thread-safe; does not block. */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close closes the channel
final class Dialler {
  private final Class<? extends SocketChannel> channelType;
  private final Wiring wiring;
  private final LocalNode self;
  private final LinkPipeline pipeline;
  private final PeerResolver resolver;

  Dialler(
      Class<? extends SocketChannel> channelType,
      Wiring wiring,
      LocalNode self,
      LinkPipeline pipeline,
      PeerResolver resolver) {
    this.channelType = channelType;
    this.wiring = wiring;
    this.self = self;
    this.pipeline = pipeline;
    this.resolver = resolver;
  }

  /**
   * Tries once to reach a peer at an address.
   *
   * @param loop where the channel will live, and where the result is given
   * @param result given exactly one result
   */
  void dial(EventLoop loop, MemberId to, Address address, Consumer<DialResult> result) {
    resolver.resolve(
        address,
        loop,
        resolved -> connect(loop, new Call(self.facts().id(), to, address), resolved, result));
  }

  private void connect(
      EventLoop loop,
      Call call,
      @Nullable InetSocketAddress resolved,
      Consumer<DialResult> result) {
    if (resolved == null) {
      result.accept(new DialResult.Unreachable(false));
      return;
    }
    new Bootstrap()
        .group(loop)
        .channel(channelType)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, wiring.settings().timeouts().connectMillis())
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.SO_KEEPALIVE, true)
        .option(ChannelOption.WRITE_BUFFER_WATER_MARK, Outbound.WATER_MARK)
        .handler(new Initializer(call, result))
        .connect(resolved)
        .addListener(
            (ChannelFuture connected) -> {
              if (!connected.isSuccess()) {
                result.accept(
                    new DialResult.Unreachable(ConnectionFault.isRefusal(connected.cause())));
              }
            });
  }

  private final class Initializer extends ChannelInitializer<Channel> {
    private final Call call;
    private final Consumer<DialResult> result;

    private Initializer(Call call, Consumer<DialResult> result) {
      this.call = call;
      this.result = result;
    }

    @Override
    protected void initChannel(Channel channel) {
      wiring.channels().add(channel);
      FrameDecoder decoder = new FrameDecoder();
      Handshake handshake =
          new DiallerHandshake(wiring.terms(), call, self.epoch(), wiring.terms().nonce());
      channel.pipeline().addLast(decoder, new Handler(handshake, decoder, call, result));
    }
  }

  /** The dialling end of a handshake, up to and with the listener's introduction. */
  private final class Handler extends HandshakeHandler {
    private final Call call;
    private final Consumer<DialResult> result;

    private Handler(
        Handshake handshake, FrameDecoder decoder, Call call, Consumer<DialResult> result) {
      super(handshake, decoder, wiring);
      this.call = call;
      this.result = result;
    }

    @Override
    void proven(ChannelHandlerContext context, HandshakeStep.Proven step) {
      // The introduction follows; until it is here the handshake's time goes on running.
    }

    @Override
    void greeted(ChannelHandlerContext context, Greeting greeting) {
      if (!greeting.facts().id().equals(call.to())
          || !greeting.facts().peer().equals(call.address())) {
        throw new ProtocolException("an introduction of somebody else");
      }
      finish();
      Outbound outbound = pipeline.open(context, call.to(), LinkPipeline.End.DIALLED);
      result.accept(new DialResult.Connected(outbound, greeting));
    }

    @Override
    void refused(ChannelHandlerContext context, HandshakeRefusal reason) {
      wiring.metrics().handshakeRefused(reason);
      wiring.log().refused(call.address().toString(), reason.text());
      result.accept(new DialResult.Refused(reason));
    }

    @Override
    void otherAnswered(ChannelHandlerContext context, HandshakeStep.OtherAnswered step) {
      result.accept(new DialResult.OtherAnswered(step.actual()));
    }

    @Override
    void broken(ChannelHandlerContext context, String reason) {
      if (reason.equals(ConnectionFault.PROTOCOL)) {
        wiring.metrics().protocolError();
      }
      wiring.log().refused(call.address().toString(), reason);
      result.accept(new DialResult.Unreachable(false));
    }
  }
}
