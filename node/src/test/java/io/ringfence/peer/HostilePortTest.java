package io.ringfence.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import io.ringfence.engine.Check;
import io.ringfence.engine.message.CancelMessage;
import io.ringfence.engine.message.CheckMessage;
import io.ringfence.engine.message.CounterAsk;
import io.ringfence.engine.message.Deed;
import io.ringfence.engine.message.ViewRequest;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.ViewName;
import io.ringfence.peer.TestNode.Options;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What strangers do to the port costs them their connection and nobody else anything. */
@Timeout(120)
class HostilePortTest {
  private static final MemberId X = new MemberId("x", 9);
  private TestNode node = TestNode.start("placeholder");
  private TestNode friend = node;

  @BeforeEach
  void startTwoFriends() {
    node.close();
    node = TestNode.start("node", Options.at(0).timeouts(3_000, 60_000).bounds(1 << 20, 8));
    friend = TestNode.start("friend");
    TestNode.mesh(node, friend);
  }

  @AfterEach
  void theFriendsAreStillConnected() {
    int before = node.events.messages.size();
    assertTrue(friend.send(node, new ViewRequest()));
    node.awaitThat("the friend is heard", () -> node.events.messages.size() > before);
    assertEquals(0, node.events.times("disconnected", friend.id));
    friend.close();
    node.close();
  }

  @Test
  void randomBytesCloseThatConnection() throws IOException {
    long seed = 20_260_101;
    Random random = new Random(seed);
    for (int i = 0; i < 20; i++) {
      byte[] bytes = new byte[1 + random.nextInt(4_096)];
      random.nextBytes(bytes);
      try (RawPeer stranger = RawPeer.dial(node)) {
        sendUntilRefused(stranger, bytes);
        assertTrue(stranger.closedByOther(), () -> "seed " + seed);
      }
    }
  }

  @Test
  void aMebibyteOfRandomBytesClosesThatConnection() throws IOException {
    byte[] bytes = new byte[1 << 20];
    new Random(7).nextBytes(bytes);
    try (RawPeer stranger = RawPeer.dial(node)) {
      sendUntilRefused(stranger, bytes);
      assertTrue(stranger.closedByOther());
    }
    try (RawPeer member = RawPeer.authenticated(node, X, 0)) {
      sendUntilRefused(member, bytes);
      assertTrue(member.closedByOther());
    }
    node.awaitThat("both are counted", () -> node.counts.protocolErrors.get() == 2);
  }

  @Test
  void aFrameTooLargeIsRefusedByItsLengthAlone() throws IOException {
    try (RawPeer stranger = RawPeer.dial(node)) {
      stranger.send(Unpooled.buffer().writeInt(Limits.HANDSHAKE_FRAME_BYTES + 1));
      assertTrue(stranger.closedByOther());
    }
  }

  @Test
  void whoSaysNothingOrTooLittleIsClosedInTime() throws IOException {
    try (RawPeer mute = RawPeer.dial(node);
        RawPeer half = RawPeer.dial(node)) {
      Handshake handshake = half.handshake(node, X);
      half.send(Objects.requireNonNull(handshake.opening()));
      assertEquals(FrameCode.CHALLENGE, half.read().code());
      assertTrue(mute.closedByOther());
      assertTrue(half.closedByOther());
    }
    node.awaitThat("nobody is left unproven", () -> node.network.unproven() == 0);
  }

  @Test
  void slowBytesDoNotStretchTheHandshake() throws IOException {
    try (RawPeer slow = RawPeer.dial(node)) {
      byte[] hello = Unpooled.buffer().writeInt(1_000).writeZero(900).array();
      int sent = 0;
      try {
        for (;
            sent < hello.length;
            sent++) { // each write waits for what comes back, which is nothing
          slow.socket.setSoTimeout(20);
          slow.socket.getOutputStream().write(hello[sent]);
          readNothing(slow);
        }
      } catch (SocketException closed) {
        slow.socket.setSoTimeout(30_000);
      }
      assertTrue(slow.closedByOther());
      assertTrue(sent < hello.length);
    }
  }

  @Test
  void aFrameThatNeverEndsIsHeardByNobody() throws IOException {
    try (RawPeer member = RawPeer.authenticated(node, X, 0)) {
      member.send(new CancelMessage(1));
      member.send(Unpooled.buffer().writeInt(100).writeShort(FrameCode.CANCEL.code()).writeLong(2));
      member.socket.shutdownOutput();
      assertTrue(member.closedByOther());
    }
    node.awaitThat(
        "the whole one is heard", () -> node.events.messages.contains(new CancelMessage(1)));
    assertEquals(1, node.events.messages.stream().filter(CancelMessage.class::isInstance).count());
  }

  @Test
  void aMembersFrameTooLargeIsRefusedByItsLengthAlone() throws IOException {
    try (RawPeer member = RawPeer.authenticated(node, X, 0)) {
      member.send(Unpooled.buffer().writeInt(Limits.FRAME_BYTES + 1));
      assertTrue(member.closedByOther());
    }
    node.awaitThat("it is counted", () -> node.counts.protocolErrors.get() == 1);
  }

  @Test
  void aCostThatNoCallerMayAskForIsNotTheProtocol() throws IOException {
    for (long cost : new long[] {0, -1, Check.MAX_COST + 1, Long.MAX_VALUE}) {
      try (RawPeer member = RawPeer.authenticated(node, X, 0)) {
        CounterAsk ask = new CounterAsk(1, false, 5, new byte[4], cost);
        member.send(
            new CheckMessage(
                1, new ViewName(3, 1), Deed.of(Deed.Mode.CHARGE), 20_000, List.of(ask)));
        assertTrue(member.closedByOther());
      }
    }
    node.awaitThat("all are counted", () -> node.counts.protocolErrors.get() == 4);
    assertTrue(node.events.messages.stream().noneMatch(CheckMessage.class::isInstance));
  }

  @Test
  void aSecondHandshakeOnAnOpenConnectionClosesIt() throws IOException {
    try (RawPeer member = RawPeer.authenticated(node, X, 0)) {
      member.send(Objects.requireNonNull(member.handshake(node, X).opening()));
      assertTrue(member.closedByOther());
    }
    node.awaitThat("it is counted", () -> node.counts.protocolErrors.get() == 1);
  }

  @Test
  void ofManyConnectionsOfOneMemberTheNewestStays() throws IOException {
    List<RawPeer> crowd = new ArrayList<>();
    try {
      for (int i = 0; i < 20; i++) {
        crowd.add(RawPeer.authenticated(node, X, 0));
      }
      RawPeer newest = crowd.remove(crowd.size() - 1);
      for (RawPeer older : crowd) {
        assertTrue(older.closedByOther());
      }
      crowd.add(newest);
      newest.send(new CancelMessage(3));
      node.awaitThat("it is heard", () -> node.events.messages.contains(new CancelMessage(3)));
      assertEquals(2, node.network.peers());
    } finally {
      for (RawPeer one : crowd) {
        one.close();
      }
    }
  }

  @Test
  void messagesBeforeTheProofCloseTheConnection() throws IOException {
    try (RawPeer stranger = RawPeer.dial(node)) {
      stranger.send(new CancelMessage(1));
      assertTrue(stranger.closedByOther());
    }
    assertTrue(node.events.messages.stream().noneMatch(CancelMessage.class::isInstance));
  }

  @Test
  void aRecordedHandshakeCannotBePlayedAgain() throws IOException {
    List<byte[]> recorded;
    try (RawPeer real = RawPeer.authenticated(node, X, 0)) {
      recorded = new ArrayList<>(real.sent);
    }
    try (RawPeer thief = RawPeer.dial(node)) {
      thief.send(recorded.get(0));
      assertEquals(FrameCode.CHALLENGE, thief.read().code());
      thief.send(recorded.get(1));
      HandshakeFrame answer = thief.read();
      assertEquals(FrameCode.REFUSED, answer.code());
      assertEquals(HandshakeRefusal.PROOF, HandshakePayloads.readRefused(answer.payload()));
      assertTrue(thief.closedByOther());
    }
  }

  @Test
  void connectionsThatProveNothingPushOutTheirOwnOldest() throws IOException {
    List<RawPeer> crowd = new ArrayList<>();
    try {
      for (int i = 0; i < 40; i++) {
        crowd.add(RawPeer.dial(node));
        assertTrue(node.network.unproven() <= 8);
      }
      node.awaitThat("all but eight were dropped", () -> node.counts.dropped.get() == 32);
      RawPeer member = RawPeer.authenticated(node, X, 0);
      crowd.add(member);
      member.send(new CancelMessage(5));
      node.awaitThat(
          "the member is heard", () -> node.events.messages.contains(new CancelMessage(5)));
      assertTrue(crowd.get(0).closedByOther());
    } finally {
      for (RawPeer one : crowd) {
        one.close();
      }
    }
  }

  private static void readNothing(RawPeer peer) throws IOException {
    try {
      if (peer.socket.getInputStream().read() < 0) {
        throw new SocketException("closed");
      }
    } catch (SocketTimeoutException expected) {
      assertEquals(20, peer.socket.getSoTimeout());
    }
  }

  /** Sends; the other end may close in the middle, which is what is wanted. */
  private static void sendUntilRefused(RawPeer peer, byte[] bytes) throws IOException {
    try {
      peer.send(bytes);
    } catch (SocketException closed) {
      assertTrue(peer.closedByOther());
    }
  }
}
