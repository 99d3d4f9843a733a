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

/**
 * The threads of a server and the sockets that they can serve: epoll on Linux, where its native
 * library is found, else NIO.
 *
 * @param handlers makes the I/O part of an event loop
 * @param listener the kind of listening socket
 */
record EventLoops(IoHandlerFactory handlers, Class<? extends ServerSocketChannel> listener) {

  static EventLoops best() {
    return Epoll.isAvailable()
        ? new EventLoops(EpollIoHandler.newFactory(), EpollServerSocketChannel.class)
        : nio();
  }

  static EventLoops nio() {
    return new EventLoops(NioIoHandler.newFactory(), NioServerSocketChannel.class);
  }

  /** So many daemon threads of that name. */
  EventLoopGroup open(String name, int threads) {
    return new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory(name, true), handlers);
  }
}
