package io.ringfence.peer;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/**
 * What sockets are made of here: epoll on Linux, where its native library is found, else NIO.
 *
 * @param handlers makes the I/O part of an event loop
 * @param server the class of listening channels
 * @param client the class of dialled channels
 */
record IoTransport(
    IoHandlerFactory handlers,
    Class<? extends ServerChannel> server,
    Class<? extends SocketChannel> client) {

  static IoTransport best() {
    return Epoll.isAvailable()
        ? new IoTransport(
            EpollIoHandler.newFactory(), EpollServerSocketChannel.class, EpollSocketChannel.class)
        : nio();
  }

  static IoTransport nio() {
    return new IoTransport(
        NioIoHandler.newFactory(), NioServerSocketChannel.class, NioSocketChannel.class);
  }
}
