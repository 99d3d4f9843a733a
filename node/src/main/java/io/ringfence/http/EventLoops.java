package io.ringfence.http;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;

/** The threads of a server, on epoll where the machine has it. */
final class EventLoops {
  private EventLoops() {}

  /** As many daemon threads as there are processors. */
  static EventLoopGroup open() {
    IoHandlerFactory io =
        Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    return new MultiThreadIoEventLoopGroup(
        Runtime.getRuntime().availableProcessors(),
        new DefaultThreadFactory("ringfence-http", true),
        io);
  }

  /** The kind of listening socket that those threads can serve. */
  static Class<? extends ServerSocketChannel> listener() {
    return Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
  }
}
