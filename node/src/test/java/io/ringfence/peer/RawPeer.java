package io.ringfence.peer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.membership.MemberId;
import io.ringfence.peer.HandshakePayloads.Call;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A plain socket that speaks as much of the protocol as a test wants, and no more. */
final class RawPeer implements AutoCloseable {
  final Socket socket;
  private final DataInputStream in;
  final List<byte[]> sent = new ArrayList<>();

  private RawPeer(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
  }

  static RawPeer dial(TestNode node, int receiveBufferBytes) throws IOException {
    Socket socket = new Socket();
    if (receiveBufferBytes > 0) {
      socket.setReceiveBufferSize(receiveBufferBytes);
    }
    socket.setSoTimeout(30_000);
    socket.connect(
        new InetSocketAddress(InetAddress.getByName(node.address.host()), node.address.port()));
    return new RawPeer(socket);
  }

  static RawPeer dial(TestNode node) throws IOException {
    return dial(node, 0);
  }

  /** Dials and proves itself; the introduction has been read. */
  static RawPeer authenticated(TestNode node, MemberId self, int receiveBufferBytes)
      throws IOException {
    RawPeer peer = dial(node, receiveBufferBytes);
    Handshake handshake = peer.handshake(node, self);
    peer.send(Objects.requireNonNull(handshake.opening()));
    HandshakeStep step = handshake.receive(peer.read());
    peer.send(((HandshakeStep.Reply) step).frame());
    if (!(handshake.receive(peer.read()) instanceof HandshakeStep.Proven)) {
      throw new IOException("not welcome");
    }
    if (peer.read().code() != FrameCode.INTRODUCTION) {
      throw new IOException("no introduction");
    }
    return peer;
  }

  Handshake handshake(TestNode node, MemberId self) {
    HandshakeTerms terms =
        new HandshakeTerms(
            ProtocolRange.CURRENT,
            TestNode.CLUSTER,
            HandshakeKey.derive(TestNode.SECRET, TestNode.CLUSTER),
            new SecureRandom());
    return new DiallerHandshake(terms, new Call(self, node.id, node.address), 0, terms.nonce());
  }

  void send(HandshakeFrame frame) throws IOException {
    send(
        Unpooled.buffer()
            .writeInt(Short.BYTES + frame.payload().length)
            .writeShort(frame.code().code())
            .writeBytes(frame.payload()));
  }

  void send(PeerMessage message) throws IOException {
    ByteBuf out = Unpooled.buffer();
    MessageTable.write(message, out);
    send(out);
  }

  void send(ByteBuf bytes) throws IOException {
    send(ByteBufUtil.getBytes(bytes));
  }

  void send(byte[] bytes) throws IOException {
    sent.add(bytes);
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  /** Reads one frame, of whatever phase. */
  HandshakeFrame read() throws IOException {
    int length = in.readInt();
    FrameCode code = FrameCode.ofCode(in.readUnsignedShort());
    byte[] payload = new byte[length - Short.BYTES];
    in.readFully(payload);
    return new HandshakeFrame(code, payload);
  }

  /** Reads to the end and says whether the other end closed, by FIN or by reset. */
  boolean closedByOther() throws IOException {
    byte[] sink = new byte[8_192];
    try {
      while (true) {
        if (in.read(sink) < 0) {
          return true;
        }
      }
    } catch (SocketTimeoutException e) {
      return false;
    } catch (SocketException reset) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
