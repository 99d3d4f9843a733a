package io.ringfence.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.Check;
import io.ringfence.engine.LimitVerdict;
import io.ringfence.engine.message.AnswerMessage;
import io.ringfence.engine.message.CancelMessage;
import io.ringfence.engine.message.CheckMessage;
import io.ringfence.engine.message.CounterAsk;
import io.ringfence.engine.message.Deed;
import io.ringfence.engine.message.Late;
import io.ringfence.engine.message.LeaveMessage;
import io.ringfence.engine.message.LiftMessage;
import io.ringfence.engine.message.LiftedMessage;
import io.ringfence.engine.message.PathMessage;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.engine.message.RefusalMessage;
import io.ringfence.engine.message.RelayMessage;
import io.ringfence.engine.message.RelayRefusal;
import io.ringfence.engine.message.RelayedMessage;
import io.ringfence.engine.message.RequestKey;
import io.ringfence.engine.message.StatusMessage;
import io.ringfence.engine.message.UsageAnswerMessage;
import io.ringfence.engine.message.UsageMessage;
import io.ringfence.engine.message.ViewMessage;
import io.ringfence.engine.message.ViewRequest;
import io.ringfence.engine.message.WeightMessage;
import io.ringfence.membership.Address;
import io.ringfence.membership.Lineage;
import io.ringfence.membership.Member;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.MemberState;
import io.ringfence.membership.View;
import io.ringfence.membership.ViewName;
import io.ringfence.membership.ViewStamp;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Frames survive the wire whole, in whatever pieces they come; anything else is an error. */
class FramePropertiesTest {

  @Property(tries = 400)
  void everyMessageComesBackAsItWent(@ForAll("messages") PeerMessage message) {
    ByteBuf out = Unpooled.buffer();
    MessageTable.write(message, out);
    assertEquals(MessageTable.frameBytes(message), out.readableBytes());
    EmbeddedChannel channel = open();
    channel.writeInbound(out);
    PeerMessage read = channel.readInbound();
    assertEquals(Messages.comparable(message), Messages.comparable(read));
    channel.finishAndReleaseAll();
  }

  @Property(tries = 200)
  void piecesMakeNoDifference(
      @ForAll @Size(min = 1, max = 5) List<@From("messages") PeerMessage> messages,
      @ForAll @IntRange(min = 1, max = 64) int piece) {
    ByteBuf stream = Unpooled.buffer();
    messages.forEach(message -> MessageTable.write(message, stream));
    EmbeddedChannel channel = open();
    while (stream.isReadable()) {
      channel.writeInbound(
          Unpooled.copiedBuffer(stream.readSlice(Math.min(piece, stream.readableBytes()))));
    }
    List<Object> arrived = new ArrayList<>();
    for (PeerMessage next = channel.readInbound(); next != null; next = channel.readInbound()) {
      arrived.add(Messages.comparable(next));
    }
    assertEquals(messages.stream().map(Messages::comparable).toList(), arrived);
    channel.finishAndReleaseAll();
  }

  @Property(tries = 400)
  void aPayloadCutShortOrPaddedIsAnError(
      @ForAll("messages") PeerMessage message, @ForAll @IntRange(min = 1, max = 40) int change) {
    ByteBuf out = Unpooled.buffer();
    MessageTable.write(message, out);
    int payload = out.readableBytes() - MessageTable.HEADER_BYTES;
    if (payload >= change) {
      assertError(reframed(out, payload - change));
    }
    assertError(reframed(out, payload + change));
  }

  @Property(tries = 1_000)
  void randomPayloadsAreMessagesOrErrors(
      @ForAll @IntRange(min = 0, max = 48) int code,
      @ForAll @Size(max = 200) byte[] payload,
      @ForAll boolean authenticated) {
    ByteBuf frame = Unpooled.buffer();
    frame.writeInt(Short.BYTES + payload.length).writeShort(code).writeBytes(payload);
    EmbeddedChannel channel = authenticated ? open() : new EmbeddedChannel(new FrameDecoder());
    try {
      channel.writeInbound(frame);
    } catch (DecoderException e) {
      assertTrue(ConnectionFault.isProtocol(e), e::toString);
    }
    channel.finishAndReleaseAll();
  }

  @Property(tries = 300)
  void randomBytesBeforeAuthenticationEndTheConnection(
      @ForAll @Size(min = 8, max = 64) byte[] bytes) {
    EmbeddedChannel channel = new EmbeddedChannel(new FrameDecoder());
    bytes[0] |= 1; // a length of 16 MiB and more
    assertError(channel, Unpooled.copiedBuffer(bytes));
  }

  @Example
  void lengthsAreJudgedBeforeTheirFrameIsThere() {
    assertError(new EmbeddedChannel(new FrameDecoder()), length(Limits.HANDSHAKE_FRAME_BYTES + 1));
    assertError(open(), length(Limits.FRAME_BYTES + 1));
    assertError(open(), length(-1));
    assertError(open(), length(1));
    EmbeddedChannel waiting = open();
    waiting.writeInbound(length(Limits.FRAME_BYTES));
    assertNull(waiting.readInbound());
    waiting.finishAndReleaseAll();
  }

  @Example
  void messagesBeforeAuthenticationAndHandshakesAfterItAreErrors() {
    ByteBuf question = Unpooled.buffer();
    MessageTable.write(new CancelMessage(1), question);
    assertError(new EmbeddedChannel(new FrameDecoder()), question);
    ByteBuf refused = Unpooled.buffer();
    refused.writeInt(4).writeShort(FrameCode.REFUSED.code()).writeShort(1);
    assertError(open(), refused);
  }

  @Example
  void nothingIsReadAfterAnError() {
    EmbeddedChannel channel = open();
    ByteBuf bytes = Unpooled.buffer().writeInt(2).writeShort(9_999);
    MessageTable.write(new CancelMessage(1), bytes);
    assertError(channel, bytes);
    ByteBuf more = Unpooled.buffer();
    MessageTable.write(new CancelMessage(2), more);
    EmbeddedChannel broken = open();
    assertThrows(
        DecoderException.class,
        () -> broken.writeInbound(Unpooled.buffer().writeInt(2).writeShort(9_999)));
    broken.writeInbound(more);
    assertNull(broken.readInbound());
    broken.finishAndReleaseAll();
  }

  @Example
  void whatIsTooLargeForTheWireIsRefusedBeforeItIsQueued() {
    assertThrows(
        IllegalArgumentException.class,
        () -> MessageTable.frameBytes(Messages.check(1, Limits.VALUES_BYTES + 1)));
    CounterAsk largest = new CounterAsk(1, false, 0, new byte[Limits.VALUES_BYTES], 1);
    CheckMessage tooMany =
        new CheckMessage(
            1,
            new ViewName(1, 0),
            Deed.of(Deed.Mode.PEEK),
            0,
            Collections.nCopies(CheckMessage.MAX_COUNTERS, largest));
    assertThrows(IllegalArgumentException.class, () -> MessageTable.frameBytes(tooMany));
    assertThrows(
        IllegalArgumentException.class,
        () -> MessageTable.frameBytes(new StatusMessage(null, "x".repeat(Limits.TEXT_BYTES + 1))));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            MessageTable.frameBytes(
                new AnswerMessage(1, Collections.nCopies(Limits.ANSWERS + 1, Messages.answer(1)))));
  }

  @Example
  void theLargestViewFitsIntoAFrame() {
    List<Member> members = new ArrayList<>();
    Address longest = new Address("h".repeat(253), 65_535);
    for (int i = 0; i < View.MAX_MEMBERS; i++) {
      String name = "n".repeat(60) + String.format("%04d", i);
      members.add(
          new Member(new MemberId(name, i), longest, longest, 100, MemberState.ACTIVE, true));
    }
    View view = new View(new Lineage(1, 1), new ViewName(1, 0), members, true);
    PeerMessage message = new ViewMessage(view);
    ByteBuf out = Unpooled.buffer();
    MessageTable.write(message, out);
    EmbeddedChannel channel = open();
    channel.writeInbound(out);
    assertEquals(message, channel.readInbound());
    channel.finishAndReleaseAll();
  }

  private static EmbeddedChannel open() {
    FrameDecoder decoder = new FrameDecoder();
    decoder.authenticated();
    return new EmbeddedChannel(decoder);
  }

  private static ByteBuf length(int length) {
    return Unpooled.buffer().writeInt(length);
  }

  private static ByteBuf reframed(ByteBuf frame, int payload) {
    ByteBuf changed = Unpooled.buffer();
    changed.writeInt(Short.BYTES + payload).writeShort(frame.getUnsignedShort(Integer.BYTES));
    int kept = Math.min(payload, frame.readableBytes() - MessageTable.HEADER_BYTES);
    changed.writeBytes(frame, MessageTable.HEADER_BYTES, kept).writeZero(payload - kept);
    return changed;
  }

  private static void assertError(ByteBuf bytes) {
    assertError(open(), bytes);
  }

  private static void assertError(EmbeddedChannel channel, ByteBuf bytes) {
    DecoderException error =
        assertThrows(DecoderException.class, () -> channel.writeInbound(bytes));
    assertTrue(ConnectionFault.isProtocol(error), error::toString);
    assertNull(channel.readInbound());
    channel.finishAndReleaseAll();
  }

  @Provide
  Arbitrary<PeerMessage> messages() {
    Arbitrary<Long> longs = Arbitraries.longs();
    return Arbitraries.oneOf(
        checks(),
        answers(),
        SlotMessages.any(),
        Combinators.combine(longs, Arbitraries.of(RefusalMessage.Reason.class))
            .as(RefusalMessage::new),
        longs.map(CancelMessage::new),
        longs.map(LiftedMessage::new),
        lifts(),
        usageAnswers(),
        Combinators.combine(
                longs,
                SlotMessages.names(),
                Arbitraries.integers(),
                Arbitraries.strings().excludeChars(surrogates()).ofMaxLength(60))
            .as(UsageMessage::new),
        views().map(ViewMessage::new),
        Arbitraries.of(new ViewRequest(), new LeaveMessage()),
        Arbitraries.integers().between(1, 100).map(WeightMessage::new),
        carried(),
        longs.map(PathMessage::new),
        Combinators.combine(
                Combinators.combine(lineages(), SlotMessages.names())
                    .as(ViewStamp::new)
                    .injectNull(0.2),
                Arbitraries.strings().excludeChars(surrogates()).ofMaxLength(60))
            .as(StatusMessage::new));
  }

  private static Arbitrary<PeerMessage> carried() {
    Arbitrary<PeerMessage> inner = Arbitraries.oneOf(checks(), answers(), SlotMessages.any());
    Arbitrary<MemberId> member = Arbitraries.longs().map(bits -> new MemberId("n1", bits));
    return Arbitraries.oneOf(
        Combinators.combine(member, Arbitraries.longs(), inner).as(RelayMessage::new),
        Combinators.combine(member, Arbitraries.longs(), inner).as(RelayedMessage::new),
        member.map(RelayRefusal::new));
  }

  private static char[] surrogates() {
    char[] all = new char[0xe000 - 0xd800];
    for (int i = 0; i < all.length; i++) {
      all[i] = (char) (0xd800 + i);
    }
    return all;
  }

  private static Arbitrary<byte[]> bytes(int max) {
    return Arbitraries.bytes().array(byte[].class).ofMaxSize(max);
  }

  private static Arbitrary<PeerMessage> checks() {
    return deeds().flatMap(FramePropertiesTest::checks);
  }

  private static Arbitrary<PeerMessage> checks(Deed deed) {
    Arbitrary<Late> late =
        Combinators.combine(
                SlotMessages.versions(),
                Arbitraries.longs().between(0, 1_000),
                Arbitraries.longs().greaterOrEqual(1_000))
            .as((version, from, known) -> new Late(version.term(), from, known));
    Arbitrary<CounterAsk> asks =
        Combinators.combine(
                Arbitraries.longs(),
                Arbitraries.of(true, false),
                Arbitraries.integers().greaterOrEqual(0),
                bytes(300),
                Arbitraries.longs().between(1, Check.MAX_COST),
                late.injectNull(deed.mode() == Deed.Mode.LATE ? 0 : 1))
            .as(CounterAsk::new);
    return Combinators.combine(
            Arbitraries.longs(),
            SlotMessages.names(),
            Arbitraries.just(deed),
            Arbitraries.longs().greaterOrEqual(0),
            asks.list().ofMinSize(1).ofMaxSize(CheckMessage.MAX_COUNTERS))
        .as(CheckMessage::new);
  }

  private static Arbitrary<Deed> deeds() {
    Arbitrary<RequestKey> keys =
        Combinators.combine(Arbitraries.longs(), Arbitraries.longs()).as(RequestKey::new);
    return Combinators.combine(
            Arbitraries.of(Deed.Mode.class),
            keys.injectNull(0.5),
            Arbitraries.integers().between(0, Deed.MAX_TENANT))
        .as(Deed::new);
  }

  private static Arbitrary<PeerMessage> lifts() {
    Arbitrary<LiftMessage.Lifted> lifted =
        Combinators.combine(Arbitraries.longs(), Arbitraries.of(true, false), bytes(300))
            .as(LiftMessage.Lifted::new);
    return Combinators.combine(
            Arbitraries.longs(), lifted.list().ofMinSize(1).ofMaxSize(LiftMessage.MAX_LIFTED))
        .as(LiftMessage::new);
  }

  private static Arbitrary<PeerMessage> usageAnswers() {
    Arbitrary<UsageAnswerMessage.Entry> entries =
        Combinators.combine(Arbitraries.longs(), bytes(300), oneAnswer())
            .as(UsageAnswerMessage.Entry::new);
    return Combinators.combine(
            Arbitraries.longs(), entries.list().ofMaxSize(64), Arbitraries.of(true, false))
        .as(UsageAnswerMessage::new);
  }

  private static Arbitrary<PeerMessage> answers() {
    return Combinators.combine(Arbitraries.longs(), oneAnswer().list().ofMaxSize(Limits.ANSWERS))
        .as(AnswerMessage::new);
  }

  private static Arbitrary<LimitVerdict.Answer> oneAnswer() {
    Arbitrary<Long> longs = Arbitraries.longs();
    return Combinators.combine(
            Arbitraries.of(true, false),
            longs,
            longs,
            longs,
            longs,
            longs,
            Arbitraries.of(Certainty.class))
        .as(LimitVerdict.Answer::new);
  }

  private static Arbitrary<Lineage> lineages() {
    return Combinators.combine(
            Arbitraries.integers().between(1, View.MAX_MEMBERS), Arbitraries.longs())
        .as(Lineage::new);
  }

  private static Arbitrary<View> views() {
    Arbitrary<Address> addresses =
        Combinators.combine(
                Arbitraries.of("127.0.0.1", "::1", "node-1.example.org"),
                Arbitraries.integers().between(0, 65_535))
            .as(Address::new);
    Arbitrary<MemberId> ids =
        Combinators.combine(
                Arbitraries.strings().withCharRange('a', 'z').ofMinLength(1).ofMaxLength(64),
                Arbitraries.longs())
            .as(MemberId::new);
    Arbitrary<Member> members =
        Combinators.combine(
                ids,
                addresses,
                addresses,
                Arbitraries.integers().between(1, 100),
                Arbitraries.of(MemberState.class))
            .as(
                (id, peer, http, weight, state) ->
                    new Member(
                        id, peer, http, weight, state, state.mayBeInBase() ? 101 - weight : 0));
    return Combinators.combine(
            lineages(),
            SlotMessages.names(),
            members.list().uniqueElements(Member::name).ofMaxSize(20))
        .as(
            (lineage, name, some) -> {
              List<Member> all = new ArrayList<>(some);
              Address at = new Address("127.0.0.1", 1);
              all.add(new Member(new MemberId("0", 1), at, at, 1, MemberState.ACTIVE, true));
              return new View(lineage, name, all, false);
            });
  }
}
