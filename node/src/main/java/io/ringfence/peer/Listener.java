package io.ringfence.peer;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.ringfence.membership.Address;
import io.ringfence.peer.HandshakePayloads.Welcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections. It binds first and accepts later: between the two the operating system keeps
 * callers waiting, so that nobody is answered before this process knows what to say of itself.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close closes the channel
final class Listener {
  private static final int BACKLOG = 256;

  private final Wiring wiring;
  private final UnprovenGate gate;
  private @Nullable Channel server; // set by bind
  private volatile @Nullable Acceptance acceptance; // set by open, before anything is accepted

  /** What accepting needs and binding does not. */
  private record Acceptance(LocalNode self, LinkPipeline pipeline, PeerLinks links) {}

  Listener(Wiring wiring) {
    this.wiring = wiring;
    this.gate = new UnprovenGate(wiring.settings().bounds().unproven(), wiring.metrics());
  }

  /**
   * Takes the address. Blocks while it does.
   *
   * @return the address with its real port
   * @throws UncheckedIOException if it cannot be taken, with the address in the message
   */
  Address bind(EventLoopGroup loops, Class<? extends ServerChannel> channelType) {
    Address listen = wiring.settings().listen();
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loops)
            .channel(channelType)
            .option(ChannelOption.SO_REUSEADDR, true)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.AUTO_READ, false)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, Outbound.WATER_MARK)
            .childHandler(new Initializer())
            .bind(new InetSocketAddress(listen.host(), listen.port()))
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      String why = "cannot listen for peers on " + listen + ": " + bound.cause().getMessage();
      throw new UncheckedIOException(why, new IOException(why, bound.cause()));
    }
    server = bound.channel();
    SocketAddress local = bound.channel().localAddress();
    return listen.withPort(((InetSocketAddress) local).getPort());
  }

  /** Begins to accept; after {@link #bind}. */
  void open(LocalNode self, LinkPipeline pipeline, PeerLinks links) {
    acceptance = new Acceptance(self, pipeline, links);
    Objects.requireNonNull(server).config().setAutoRead(true);
  }

  /** Stops listening: whoever dials from now on is refused. Blocks, for a second at most. */
  void close() {
    if (server != null) {
      server.close().awaitUninterruptibly(1, TimeUnit.SECONDS);
    }
  }

  /** How many connections have not proved themselves yet. */
  int unproven() {
    return gate.size();
  }

  private final class Initializer extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel channel) {
      Acceptance with = acceptance;
      if (with == null) {
        channel.close();
        return;
      }
      wiring.channels().add(channel);
      gate.enter(channel);
      FrameDecoder decoder = new FrameDecoder();
      Welcome welcome = new Welcome(with.self.facts().id(), with.self.epoch());
      Handshake handshake =
          new ListenerHandshake(
              wiring.terms(), welcome, with.self.facts().peer(), wiring.terms().nonce());
      channel.pipeline().addLast(decoder, new Handler(handshake, decoder, with));
    }
  }

  /** The accepting end of a handshake; ends it with this process's introduction. */
  private final class Handler extends HandshakeHandler {
    private final Acceptance with;

    private Handler(Handshake handshake, FrameDecoder decoder, Acceptance with) {
      super(handshake, decoder, wiring);
      this.with = with;
    }

    @Override
    void proven(ChannelHandlerContext context, HandshakeStep.Proven step) {
      if (!with.links.admits(step.peer())) {
        refuse(context, HandshakeRefusal.TOO_MANY_PEERS);
        return;
      }
      finish();
      gate.leave(context.channel());
      context.write(bytes(context, Objects.requireNonNull(step.last())));
      Greeting greeting = new Greeting(with.self.facts(), with.self.view().get());
      ByteBuf introduction = context.alloc().buffer(greeting.frameBytes());
      greeting.write(introduction);
      context.writeAndFlush(introduction);
      with.links.accepted(
          step.peer(), with.pipeline.open(context, step.peer(), LinkPipeline.End.ACCEPTED));
    }

    @Override
    void refused(ChannelHandlerContext context, HandshakeRefusal reason) {
      wiring.metrics().handshakeRefused(reason);
      wiring.log().refused(remoteHost(context), reason.text());
    }

    @Override
    void otherAnswered(ChannelHandlerContext context, HandshakeStep.OtherAnswered step) {
      throw new IllegalStateException("a listener expects nobody in particular");
    }

    @Override
    void broken(ChannelHandlerContext context, String reason) {
      if (reason.equals(ConnectionFault.PROTOCOL)) {
        wiring.metrics().protocolError();
      }
      wiring.log().refused(remoteHost(context), reason);
    }

    private static String remoteHost(ChannelHandlerContext context) {
      return context.channel().remoteAddress() instanceof InetSocketAddress remote
          ? remote.getAddress().getHostAddress()
          : "a closed connection";
    }
  }
}
