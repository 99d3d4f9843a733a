package io.ringfence.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.ringfence.membership.Address;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the HTTP API of a node at one address, or the part of it that is for that address. See
 * docs/http.md for what it answers.
 *
 * <p>Several may run in one process; nothing is static. {@link #start} and {@link #close} block for
 * as long as they say and may be called from any thread but one of the server's own; each has an
 * effect once.
 */
public final class HttpServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HttpServer.class);
  private static final int BACKLOG = 1_024;
  private static final int SMALLEST_READ_BYTES = 256;
  private static final int FIRST_READ_BYTES = 1_024;
  private static final long STOP_SECONDS = 2;

  private final EventLoops transport;
  private final HttpSettings settings;
  private final String name;
  private final Endpoints endpoints;
  private final ChannelGroup open = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
  private final Premises premises;
  // Both are null before start and after close; guarded by this.
  private @Nullable EventLoopGroup loops;
  private @Nullable Channel listener;
  // Guarded by this; never unset.
  private boolean started;

  /** Prepares; nothing listens before {@link #start}. */
  public HttpServer(HttpSettings settings, HttpBackend backend) {
    this(EventLoops.best(), Premises.Totals.DEFAULT, settings, backend);
  }

  HttpServer(
      EventLoops transport, Premises.Totals totals, HttpSettings settings, HttpBackend backend) {
    this.transport = transport;
    this.settings = settings;
    this.name = settings.access().name();
    this.endpoints = new Endpoints(settings, backend);
    this.premises = new Premises(settings, endpoints, backend.metrics(), totals);
  }

  /**
   * Listens, and returns the address with the port that is really bound.
   *
   * @throws IOException naming the address, where it cannot be bound
   * @throws IllegalStateException if called twice
   */
  public synchronized Address start() throws IOException {
    if (started) {
      throw new IllegalStateException("a server starts once");
    }
    started = true;
    loops = transport.open("ringfence-" + name, threads());
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loops)
            .channel(transport.listener())
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .childOption(
                ChannelOption.RECVBUF_ALLOCATOR,
                new AdaptiveRecvByteBufAllocator(
                    SMALLEST_READ_BYTES, FIRST_READ_BYTES, HttpConnection.READ_BYTES))
            .childHandler(new Connections(premises, open));
    Address asked = settings.listen();
    ChannelFuture bound =
        bootstrap.bind(new InetSocketAddress(asked.host(), asked.port())).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      Throwable cause = bound.cause();
      stopLoops();
      throw new IOException(
          "cannot listen for "
              + name
              + " on "
              + asked
              + (cause == null ? "" : ": " + cause.getMessage()),
          cause);
    }
    listener = bound.channel();
    Address actual = asked.withPort(((InetSocketAddress) listener.localAddress()).getPort());
    log.info("{} listens on {}", name, actual);
    return actual;
  }

  /**
   * From now on every answer ends its connection, so that callers go elsewhere; the server goes on
   * listening and answering until it is closed. Does not block; may be repeated.
   */
  public void callLast() {
    premises.callLast();
  }

  /**
   * Stops listening, lets what is in progress finish for {@link HttpLimits#drainNanos}, and closes
   * what is left. Blocks for at most that long and four seconds.
   */
  @Override
  public void close() {
    close(settings.limits().drainNanos());
  }

  /**
   * As {@link #close()}, with another patience.
   *
   * @param drainNanos how long what is in progress may take; 0 or less closes it at once
   */
  public synchronized void close(long drainNanos) {
    if (loops == null) {
      return;
    }
    premises.callLast();
    if (listener != null) {
      listener.close().awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
      listener = null;
    }
    for (Channel connection : open) {
      connection
          .eventLoop()
          .execute(() -> connection.pipeline().fireUserEventTriggered(HttpConnection.DRAIN));
    }
    boolean finished =
        open.newCloseFuture().awaitUninterruptibly(Math.max(0, drainNanos), TimeUnit.NANOSECONDS);
    if (!finished) {
      premises.met(HttpBound.DRAIN_TIME);
      log.warn("{} closes {} connections that did not finish in time", name, open.size());
    }
    var unused = open.close();
    endpoints.close();
    stopLoops();
  }

  /** What its connections share. */
  Premises premises() {
    return premises;
  }

  /** Operators need no more than one. */
  private int threads() {
    boolean callers = settings.access().calls().contains(CallGroup.CHECKS);
    return callers ? Runtime.getRuntime().availableProcessors() : 1;
  }

  private void stopLoops() {
    EventLoopGroup running = loops;
    loops = null;
    if (running != null) {
      running
          .shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS)
          .awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
    }
  }
}
