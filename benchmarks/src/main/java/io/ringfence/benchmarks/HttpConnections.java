package io.ringfence.benchmarks;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpVersion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * Keep-alive connections on which checks are made over HTTP, all served by one thread.
 *
 * <p>A thread for each connection would be the plainer driver. On the two cores that driver and
 * nodes share, a hundred of them that wake at their instants push the nodes' own threads aside, and
 * the times say more about that than about the nodes.
 *
 * <p>A check that finds its connection busy is sent all the same, and answered in turn. Any thread
 * may call; nothing blocks but {@link #open} and {@link #close}.
 */
final class HttpConnections implements AutoCloseable {
  /** The status told for a check whose connection ended before its answer came. */
  static final int NO_ANSWER = 0;

  private static final int LONGEST_ANSWER_BYTES = 65_536;

  private final EventLoopGroup loops;
  private final List<Connection> connections = new ArrayList<>();

  private HttpConnections(EventLoopGroup loops) {
    this.loops = loops;
  }

  /**
   * Connects.
   *
   * @param nodes addresses as host:port, taken in turn
   * @param count of connections
   */
  static HttpConnections open(List<String> nodes, int count) throws InterruptedException {
    HttpConnections all =
        new HttpConnections(new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory()));
    try {
      for (int i = 0; i < count; i++) {
        all.connections.add(Connection.to(nodes.get(i % nodes.size()), all.loops));
      }
    } catch (InterruptedException | RuntimeException e) {
      all.close();
      throw e;
    }
    return all;
  }

  /**
   * Checks a key.
   *
   * @param number of the check; consecutive ones take different connections
   * @param body of the request, in JSON and ASCII
   * @param status told once: that of the answer, or {@link #NO_ANSWER}
   */
  void check(long number, String body, IntConsumer status) {
    connections.get((int) (number % connections.size())).post(body, status);
  }

  static String body(String key) {
    return "{\"key\":\"" + key + "\"}";
  }

  static String body(String key, String tier) {
    return "{\"key\":\"" + key + "\",\"tier\":\"" + tier + "\"}";
  }

  /** Closes them; checks under way are told {@link #NO_ANSWER}. */
  @Override
  public void close() {
    connections.forEach(connection -> connection.channel.close().awaitUninterruptibly());
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private static final class Connection extends SimpleChannelInboundHandler<FullHttpResponse> {
    private final String host;
    private final Channel channel;
    // Confined to the event loop: who waits, in the order of their requests.
    private final Queue<IntConsumer> waiting = new ArrayDeque<>();

    private Connection(String host, Bootstrap bootstrap) throws InterruptedException {
      this.host = host;
      int colon = host.lastIndexOf(':');
      this.channel =
          bootstrap
              .handler(
                  new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                      channel
                          .pipeline()
                          .addLast(
                              new HttpClientCodec(),
                              new HttpObjectAggregator(LONGEST_ANSWER_BYTES),
                              Connection.this);
                    }
                  })
              .connect(host.substring(0, colon), Integer.parseInt(host.substring(colon + 1)))
              .sync()
              .channel();
    }

    private static Connection to(String host, EventLoopGroup loops) throws InterruptedException {
      return new Connection(
          host,
          new Bootstrap()
              .group(loops)
              .channel(NioSocketChannel.class)
              .option(ChannelOption.TCP_NODELAY, true));
    }

    private void post(String body, IntConsumer status) {
      channel.eventLoop().execute(() -> send(body, status));
    }

    private void send(String body, IntConsumer status) {
      if (!channel.isActive()) {
        status.accept(NO_ANSWER);
        return;
      }
      waiting.add(status);
      ByteBuf content = ByteBufUtil.writeAscii(channel.alloc(), body);
      DefaultFullHttpRequest request =
          new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/v1/check", content);
      request
          .headers()
          .set(HttpHeaderNames.HOST, host)
          .setInt(HttpHeaderNames.CONTENT_LENGTH, content.readableBytes());
      channel.writeAndFlush(request).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpResponse answer) {
      waiting.remove().accept(answer.status().code());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      var unused = context.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      for (IntConsumer next = waiting.poll(); next != null; next = waiting.poll()) {
        next.accept(NO_ANSWER);
      }
    }
  }
}
