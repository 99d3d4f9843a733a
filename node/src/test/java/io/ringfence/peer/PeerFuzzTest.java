package io.ringfence.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.ringfence.Fuzz;
import io.ringfence.engine.message.AnswerMessage;
import io.ringfence.engine.message.CancelMessage;
import io.ringfence.engine.message.LeaveMessage;
import io.ringfence.engine.message.PassMessage;
import io.ringfence.engine.message.PathMessage;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.engine.message.RefusalMessage;
import io.ringfence.engine.message.RelayMessage;
import io.ringfence.engine.message.RelayedMessage;
import io.ringfence.engine.message.Version;
import io.ringfence.engine.message.ViewMessage;
import io.ringfence.engine.message.ViewRequest;
import io.ringfence.engine.message.WeightMessage;
import io.ringfence.membership.Address;
import io.ringfence.membership.MemberId;
import io.ringfence.peer.TestNode.Options;
import java.io.IOException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Noise before, within and after the handshake: that connection ends, nothing that was not said is
 * heard, and a friend who is connected all the while notices nothing.
 */
@Timeout(300)
class PeerFuzzTest {
  private static final MemberId X = new MemberId("x", 9);
  private static final List<byte[]> PIECES =
      List.of(
          new byte[] {0, 0, 0, 2, 0, 7},
          new byte[] {0, 0, 0, 2, 0, 1},
          new byte[] {-1, -1, -1, -1},
          new byte[] {127, -1, -1, -1, -1, -1, -1, -1},
          new byte[8],
          new byte[] {0, 0, 4, 1},
          new byte[] {0, 16, 0, 1});

  private TestNode node = TestNode.start("placeholder");
  private TestNode friend = node;

  @BeforeEach
  void startTwoFriends() {
    node.close();
    node = TestNode.start("node", Options.at(0).timeouts(30_000, 60_000));
    friend = TestNode.start("friend");
    TestNode.mesh(node, friend);
  }

  @AfterEach
  void theFriendHasNoticedNothing() {
    int before = node.events.messages.size();
    assertTrue(friend.send(node, new ViewRequest()));
    node.awaitThat("the friend is heard", () -> node.events.messages.size() > before);
    assertEquals(0, node.events.times("disconnected", friend.id));
    assertEquals(0, node.counts.defects.get());
    node.awaitThat("nobody is left unproven", () -> node.network.unproven() == 0);
    node.awaitThat("nothing is kept of others", () -> node.network.peers() == 1);
    friend.close();
    node.close();
  }

  @Test
  void noiseBeforeTheHandshakeIsHeardByNobody() throws IOException {
    Fuzz fuzz = Fuzz.of("noise before the handshake");
    for (int round = Fuzz.times(100); round > 0; round--) {
      try (RawPeer stranger = RawPeer.dial(node)) {
        byte[] hello = frame(Objects.requireNonNull(stranger.handshake(node, X).opening()));
        boolean noise = fuzz.random().nextBoolean();
        sendAndEnd(fuzz, stranger, noise ? fuzz.noise(512) : fuzz.mutated(hello, PIECES));
      }
    }
    nobodyWasHeard(fuzz);
  }

  @Test
  void theCorpusOfNastyBeginningsIsHeardByNobody() throws IOException {
    Fuzz fuzz = Fuzz.of("corpus to a peer port");
    for (Map.Entry<String, byte[]> file : Fuzz.corpus("peer").entrySet()) {
      try (RawPeer stranger = RawPeer.dial(node)) {
        sendAndEnd(fuzz, stranger, file.getValue());
      }
    }
    nobodyWasHeard(fuzz);
  }

  @Test
  void noiseWithinTheHandshakeIsHeardByNobody() throws IOException {
    Fuzz fuzz = Fuzz.of("noise within the handshake");
    for (int round = Fuzz.times(100); round > 0; round--) {
      try (RawPeer stranger = RawPeer.dial(node)) {
        Handshake handshake = stranger.handshake(node, X);
        stranger.send(Objects.requireNonNull(handshake.opening()));
        HandshakeStep step = handshake.receive(stranger.read());
        byte[] proof = frame(((HandshakeStep.Reply) step).frame());
        // The length and the code stay, so that what is looked at is mostly the proof.
        byte[] wrong = proof.clone();
        wrong[6 + fuzz.random().nextInt(32)] ^= (byte) (1 + fuzz.random().nextInt(255));
        boolean wellFormed = fuzz.random().nextBoolean();
        sendAndEnd(fuzz, stranger, wellFormed ? wrong : fuzz.mutated(wrong, PIECES));
      }
    }
    nobodyWasHeard(fuzz);
  }

  private void nobodyWasHeard(Fuzz fuzz) {
    assertTrue(node.events.messages.isEmpty(), fuzz::replay);
    assertEquals(List.of(), node.events.of(X), fuzz::replay);
  }

  @Test
  void ofAMemberThatTalksNonsenseOnlyWholeMessagesAreHeard() throws IOException {
    Fuzz fuzz = Fuzz.of("nonsense of a member");
    for (int round = Fuzz.times(150); round > 0; round--) {
      node.events.messages.clear();
      ByteBuf talk = Unpooled.buffer();
      for (int count = 1 + fuzz.random().nextInt(4); count > 0; count--) {
        MessageTable.write(fuzz.oneOf(messages()), talk);
      }
      byte[] valid = ByteBufUtil.getBytes(talk);
      byte[] sent = fuzz.mutated(valid, PIECES);
      try (RawPeer member = RawPeer.authenticated(node, X, 0)) {
        sendAndEnd(fuzz, member, sent);
        List<PeerMessage> expected = wholeMessages(sent);
        node.awaitThat(
            "what came whole is heard", () -> node.events.messages.size() >= expected.size());
        assertEquals(comparable(expected), comparable(node.events.messages), fuzz::replay);
      }
    }
  }

  private List<PeerMessage> messages() {
    return List.of(
        Messages.check(1, 40),
        Messages.check(2, 0),
        new AnswerMessage(3, List.of(Messages.answer(7))),
        new RefusalMessage(4, RefusalMessage.Reason.OVERLOADED),
        new CancelMessage(5),
        new ViewMessage(Messages.view(3, X, new Address("127.0.0.1", 7))),
        new ViewRequest(),
        Messages.copy(6, 3),
        new PassMessage(Messages.VIEW, List.of(new PassMessage.Passed(8, Version.NONE))),
        new LeaveMessage(),
        new WeightMessage(9),
        new RelayMessage(new MemberId("n3", 3), 1, Messages.check(9, 20)),
        new RelayedMessage(new MemberId("n3", 3), 1, new CancelMessage(5)),
        new PathMessage(2));
  }

  private static List<Object> comparable(Collection<PeerMessage> messages) {
    return messages.stream().map(Messages::comparable).toList();
  }

  /** What a reader without a network makes of the bytes, up to the first mistake. */
  private static List<PeerMessage> wholeMessages(byte[] bytes) {
    List<PeerMessage> whole = new ArrayList<>();
    ByteBuf in = Unpooled.wrappedBuffer(bytes);
    try {
      while (in.readableBytes() >= Integer.BYTES) {
        long length = in.readUnsignedInt();
        if (length < Short.BYTES || length > Limits.FRAME_BYTES || length > in.readableBytes()) {
          return whole;
        }
        ByteBuf frame = in.readSlice((int) length);
        FrameCode code = FrameCode.ofCode(frame.readUnsignedShort());
        if (code == FrameCode.KEEPALIVE) {
          Fields.complete(code, frame, payload -> code);
        } else {
          whole.add(MessageTable.read(code, frame));
        }
      }
      return whole;
    } catch (ProtocolException mistake) {
      return whole;
    }
  }

  private static byte[] frame(HandshakeFrame frame) {
    return ByteBufUtil.getBytes(
        Unpooled.buffer()
            .writeInt(Short.BYTES + frame.payload().length)
            .writeShort(frame.code().code())
            .writeBytes(frame.payload()));
  }

  /** Sends in parts, says that this is all, and sees that the other end closes. */
  private static void sendAndEnd(Fuzz fuzz, RawPeer peer, byte[] bytes) throws IOException {
    try {
      for (byte[] part : fuzz.split(bytes)) {
        peer.send(part);
      }
      peer.socket.shutdownOutput();
    } catch (SocketException closedAlready) {
      assertTrue(peer.closedByOther(), fuzz::replay);
      return;
    }
    assertTrue(peer.closedByOther(), fuzz::replay);
  }
}
