package io.ringfence.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.Decision;
import io.ringfence.algorithms.Kind;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.LimitVerdict;
import io.ringfence.engine.message.AcceptedMessage;
import io.ringfence.engine.message.AnswerMessage;
import io.ringfence.engine.message.CancelMessage;
import io.ringfence.engine.message.CheckMessage;
import io.ringfence.engine.message.CopiedMessage;
import io.ringfence.engine.message.CopyMessage;
import io.ringfence.engine.message.CounterAsk;
import io.ringfence.engine.message.CounterCopy;
import io.ringfence.engine.message.Deed;
import io.ringfence.engine.message.FetchMessage;
import io.ringfence.engine.message.InventoryMessage;
import io.ringfence.engine.message.InventoryRequest;
import io.ringfence.engine.message.Knowledge;
import io.ringfence.engine.message.Late;
import io.ringfence.engine.message.LeaveMessage;
import io.ringfence.engine.message.Ledger;
import io.ringfence.engine.message.LiftMessage;
import io.ringfence.engine.message.LiftedMessage;
import io.ringfence.engine.message.NotOwnerMessage;
import io.ringfence.engine.message.PassMessage;
import io.ringfence.engine.message.PathMessage;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.engine.message.PingMessage;
import io.ringfence.engine.message.PongMessage;
import io.ringfence.engine.message.PrepareMessage;
import io.ringfence.engine.message.PromiseMessage;
import io.ringfence.engine.message.ProposeMessage;
import io.ringfence.engine.message.RefusalMessage;
import io.ringfence.engine.message.RelayMessage;
import io.ringfence.engine.message.RelayRefusal;
import io.ringfence.engine.message.RelayedMessage;
import io.ringfence.engine.message.RequestKey;
import io.ringfence.engine.message.SlotCopy;
import io.ringfence.engine.message.StatusMessage;
import io.ringfence.engine.message.TakenMessage;
import io.ringfence.engine.message.Term;
import io.ringfence.engine.message.UsageAnswerMessage;
import io.ringfence.engine.message.UsageMessage;
import io.ringfence.engine.message.Version;
import io.ringfence.engine.message.ViewMessage;
import io.ringfence.engine.message.ViewRequest;
import io.ringfence.engine.message.WeightMessage;
import io.ringfence.membership.Address;
import io.ringfence.membership.Introduction;
import io.ringfence.membership.Lineage;
import io.ringfence.membership.Member;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.MemberState;
import io.ringfence.membership.View;
import io.ringfence.membership.ViewName;
import io.ringfence.membership.ViewStamp;
import io.ringfence.membership.ViewWord;
import io.ringfence.peer.HandshakePayloads.Call;
import io.ringfence.peer.HandshakePayloads.Challenge;
import io.ringfence.peer.HandshakePayloads.Hello;
import io.ringfence.peer.HandshakePayloads.Welcome;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The bytes of every frame of protocol version 1. A change here breaks clusters that are being
 * upgraded: a new payload needs a new code and a higher protocol version.
 */
class GoldenBytesTest {
  private static final byte[] ACME = "acme".getBytes(StandardCharsets.UTF_8);
  private static final ViewName NAME = new ViewName(7, 0x1_0000_0002L);
  private static final Lineage LINEAGE = new Lineage(3, -2);
  private static final MemberId N1 = new MemberId("n1", 0x0102030405060708L);
  private static final Member MEMBER =
      new Member(
          N1, new Address("10.0.0.1", 7101), new Address("::1", 8081), 5, MemberState.ACTIVE, true);
  private static final ViewStamp STAMP = new ViewStamp(LINEAGE, NAME);
  private static final View VIEW = new View(LINEAGE, NAME, List.of(MEMBER), true);

  private static final String NAME_HEX = "0000000000000007" + "0000000100000002";
  private static final String LINEAGE_HEX = "0003" + "fffffffffffffffe";
  private static final String STAMP_HEX = LINEAGE_HEX + NAME_HEX;
  private static final String FACTS_HEX =
      "00026e31"
          + "0102030405060708" // name@incarnation
          + "0008"
          + "31302e302e302e31"
          + "1bbd" // peer
          + "0003"
          + "3a3a31"
          + "1f91" // http
          + "05"; // weight
  private static final Version VERSION = new Version(new Term(7, 3), 258);
  private static final String VERSION_HEX = "0000000000000007" + "00000003" + "0000000000000102";
  private static final String VIEW_HEX =
      LINEAGE_HEX + NAME_HEX + "01" + "0001" + FACTS_HEX + "0205";

  private static final Map<PeerMessage, String> MESSAGES =
      Map.ofEntries(
          Map.entry(
              new CheckMessage(
                  0x1122334455667788L,
                  NAME,
                  Deed.of(Deed.Mode.TENTATIVE),
                  20_000,
                  List.of(new CounterAsk(0x0a0b0c0d0e0f1011L, true, 16_383, ACME, 2))),
              "00000042"
                  + "0010"
                  + "1122334455667788"
                  + NAME_HEX
                  + "03"
                  + "0000" // tenant
                  + "00" // without a request key
                  + "0000000000004e20"
                  + "01"
                  + "0a0b0c0d0e0f1011"
                  + "01"
                  + "00003fff"
                  + "0000000000000002"
                  + "0004"
                  + "61636d65"),
          Map.entry(
              new CheckMessage(
                  9,
                  NAME,
                  Deed.of(Deed.Mode.LATE),
                  1,
                  List.of(
                      new CounterAsk(1, false, 2, new byte[0], 4, new Late(new Term(7, 3), 5, 6)))),
              "0000005a"
                  + "0010"
                  + "0000000000000009"
                  + NAME_HEX
                  + "07"
                  + "0000"
                  + "00"
                  + "0000000000000001"
                  + "01"
                  + "0000000000000001"
                  + "00"
                  + "00000002"
                  + "0000000000000004"
                  + "0000"
                  + "0000000000000007" // the term
                  + "00000003"
                  + "0000000000000005"
                  + "0000000000000006"),
          Map.entry(
              new CheckMessage(
                  9,
                  NAME,
                  new Deed(Deed.Mode.DEBIT, new RequestKey(-2, 3), 65_535),
                  1,
                  List.of(new CounterAsk(1, false, 2, new byte[0], 4))),
              "0000004e"
                  + "0010"
                  + "0000000000000009"
                  + NAME_HEX
                  + "06"
                  + "ffff"
                  + "01"
                  + "fffffffffffffffe"
                  + "0000000000000003"
                  + "0000000000000001"
                  + "01"
                  + "0000000000000001"
                  + "00"
                  + "00000002"
                  + "0000000000000004"
                  + "0000"),
          Map.entry(
              new LiftMessage(
                  5, List.of(LiftMessage.Lifted.all(6), new LiftMessage.Lifted(7, false, ACME))),
              "00000025"
                  + "001a"
                  + "0000000000000005"
                  + "02"
                  + "0000000000000006"
                  + "01"
                  + "0000"
                  + "0000000000000007"
                  + "00"
                  + "0004"
                  + "61636d65"),
          Map.entry(new LiftedMessage(5), "0000000a" + "001b" + "0000000000000005"),
          Map.entry(
              new UsageMessage(6, NAME, 258, "acme"),
              "00000024"
                  + "001c"
                  + "0000000000000006"
                  + NAME_HEX
                  + "00000102"
                  + "0004"
                  + "61636d65"),
          Map.entry(
              new UsageAnswerMessage(
                  6,
                  List.of(
                      new UsageAnswerMessage.Entry(
                          8, ACME, new LimitVerdict.Answer(true, 9, 7, 0, 5, 0, Certainty.EXACT))),
                  true),
              "00000044"
                  + "001d"
                  + "0000000000000006"
                  + "01"
                  + "01"
                  + "0000000000000008"
                  + "0004"
                  + "61636d65"
                  + "01"
                  + "0000000000000009"
                  + "0000000000000007"
                  + "0000000000000000"
                  + "0000000000000005"
                  + "0000000000000000"
                  + "00"),
          Map.entry(
              new AnswerMessage(
                  1,
                  List.of(
                      new LimitVerdict.Answer(
                          false,
                          100,
                          0,
                          Decision.NEVER,
                          LimitVerdict.Answer.NO_RESET,
                          0,
                          Certainty.ASSUMED))),
              "00000035"
                  + "0011"
                  + "0000000000000001"
                  + "01"
                  + "00"
                  + "0000000000000064"
                  + "0000000000000000"
                  + "7fffffffffffffff"
                  + "8000000000000000"
                  + "0000000000000000"
                  + "02"),
          Map.entry(
              new NotOwnerMessage(2, NAME, List.of()),
              "0000001b" + "0012" + "0000000000000002" + NAME_HEX + "00"),
          Map.entry(
              new NotOwnerMessage(2, NAME, List.of(new NotOwnerMessage.Moved(258, N1))),
              "0000002b"
                  + "0012"
                  + "0000000000000002"
                  + NAME_HEX
                  + "01"
                  + "00000102"
                  + "00026e31"
                  + "0102030405060708"),
          Map.entry(
              new RefusalMessage(3, RefusalMessage.Reason.OVERLOADED),
              "0000000b" + "0013" + "0000000000000003" + "03"),
          Map.entry(new CancelMessage(4), "0000000a" + "0014" + "0000000000000004"),
          Map.entry(new ViewMessage(VIEW), "00000041" + "0015" + VIEW_HEX),
          Map.entry(new ViewRequest(), "00000002" + "0016"),
          Map.entry(new StatusMessage(null, ""), "00000005" + "0017" + "00" + "0000"),
          Map.entry(
              new StatusMessage(new ViewStamp(LINEAGE, NAME), "v\u00e9"),
              "00000022" + "0017" + "01" + LINEAGE_HEX + NAME_HEX + "0003" + "76c3a9"),
          Map.entry(
              new PingMessage(
                  new ViewWord.Ping(
                      STAMP,
                      true,
                      500_000_000,
                      258,
                      BitSet.valueOf(new byte[] {0, 2}),
                      BitSet.valueOf(new byte[] {5}),
                      7)),
              "00000036"
                  + "001e"
                  + "01"
                  + STAMP_HEX
                  + "01"
                  + "000000001dcd6500"
                  + "0000000000000102"
                  + "0002"
                  + "0002"
                  + "0001"
                  + "05"
                  + "07"),
          Map.entry(
              new PingMessage(
                  new ViewWord.Ping(null, false, 1, -1, new BitSet(), new BitSet(), 100)),
              "00000019"
                  + "001e"
                  + "00"
                  + "00"
                  + "0000000000000001"
                  + "ffffffffffffffff"
                  + "0000"
                  + "0000"
                  + "64"),
          Map.entry(
              new PongMessage(new ViewWord.Pong(STAMP, true, 258)),
              "00000026" + "001f" + "01" + STAMP_HEX + "01" + "0000000000000102"),
          Map.entry(
              new PongMessage(new ViewWord.Pong(null, false, 3)),
              "0000000c" + "001f" + "00" + "00" + "0000000000000003"),
          Map.entry(
              new PrepareMessage(new ViewWord.Prepare(STAMP, 0x2_0000_0003L)),
              "00000024" + "0020" + STAMP_HEX + "0000000200000003"),
          Map.entry(
              new PromiseMessage(new ViewWord.Promise(STAMP, 4, null)),
              "00000025" + "0021" + STAMP_HEX + "0000000000000004" + "00"),
          Map.entry(
              new PromiseMessage(new ViewWord.Promise(STAMP, 4, VIEW)),
              "00000064" + "0021" + STAMP_HEX + "0000000000000004" + "01" + VIEW_HEX),
          Map.entry(
              new ProposeMessage(new ViewWord.Propose(STAMP, VIEW)),
              "0000005b" + "0022" + STAMP_HEX + VIEW_HEX),
          Map.entry(
              new AcceptedMessage(new ViewWord.Accepted(STAMP, NAME)),
              "0000002c" + "0023" + STAMP_HEX + NAME_HEX),
          Map.entry(new LeaveMessage(), "00000002" + "0018"),
          Map.entry(new WeightMessage(100), "00000003" + "002a" + "64"),
          Map.entry(
              new RelayMessage(N1, 9, new CancelMessage(4)),
              "00000020"
                  + "002b"
                  + "00026e31"
                  + "0102030405060708"
                  + "0000000000000009"
                  + "0014"
                  + "0000000000000004"),
          Map.entry(
              new RelayedMessage(N1, 9, new LeaveMessage()),
              "00000018" + "002c" + "00026e31" + "0102030405060708" + "0000000000000009" + "0018"),
          Map.entry(new PathMessage(258), "0000000a" + "002d" + "0000000000000102"),
          Map.entry(new RelayRefusal(N1), "0000000e" + "002e" + "00026e31" + "0102030405060708"),
          Map.entry(
              new InventoryMessage(
                  NAME,
                  1,
                  3,
                  List.of(
                      new InventoryMessage.Held(258, true, VERSION),
                      new InventoryMessage.Held(1, false, Version.NONE))),
              "00000048"
                  + "0019"
                  + NAME_HEX
                  + "01"
                  + "03"
                  + "0002"
                  + "00000102"
                  + "01"
                  + VERSION_HEX
                  + "00000001"
                  + "00"
                  + "00".repeat(20)),
          Map.entry(
              new CopyMessage(
                  9,
                  NAME,
                  List.of(
                      Algorithm.of(Kind.TOKEN_BUCKET, 100, 60_000_000_000L, 20),
                      Algorithm.of(Kind.SLIDING_WINDOW_COUNTER, 5, 1_000_000, 0)),
                  List.of(
                      new SlotCopy(
                          258,
                          SlotCopy.Kind.CHANGES,
                          VERSION,
                          VERSION,
                          new Knowledge(Knowledge.Kind.COPIED, 10),
                          List.of(
                              new CounterCopy(
                                  6, ACME, 1, 1_023, 11, 4, 7, new long[] {-1, 5}, Ledger.EMPTY),
                              new CounterCopy(
                                  7,
                                  new byte[0],
                                  0,
                                  0,
                                  0,
                                  0,
                                  1,
                                  new long[] {8},
                                  new Ledger(
                                      9,
                                      List.of(new Ledger.ChargedIn(new Term(4, 1), 5)),
                                      List.of(new Ledger.Debited(new RequestKey(1, 2), 3)))))),
                      new SlotCopy(
                          3,
                          SlotCopy.Kind.CONFIRM,
                          VERSION,
                          Version.NONE,
                          Knowledge.WHOLE,
                          List.of()))),
              "00000148"
                  + "0024"
                  + "0000000000000009"
                  + NAME_HEX
                  + "0002"
                  + "01"
                  + "0000000000000064"
                  + "0000000df8475800"
                  + "0000000000000014"
                  + "06"
                  + "0000000000000005"
                  + "00000000000f4240"
                  + "0000000000000000"
                  + "0002"
                  + "00000102" // the first slot
                  + "05"
                  + VERSION_HEX
                  + "01"
                  + "000000000000000a"
                  + "0002"
                  + "0000000000000006"
                  + "0004"
                  + "61636d65"
                  + "0001"
                  + "03ff"
                  + "000000000000000b"
                  + "00000004"
                  + "00000007"
                  + "0002"
                  + "ffffffffffffffff"
                  + "0000000000000005"
                  + "0000000000000000" // its ledger
                  + "00"
                  + "00"
                  + "0000000000000007"
                  + "0000"
                  + "0000"
                  + "0000"
                  + "0000000000000000"
                  + "00000000"
                  + "00000001"
                  + "0001"
                  + "0000000000000008"
                  + "0000000000000009" // its ledger
                  + "01"
                  + "0000000000000004"
                  + "00000001"
                  + "0000000000000005"
                  + "01"
                  + "0000000000000001"
                  + "0000000000000002"
                  + "0000000000000003"
                  + "00000003" // the second
                  + "00"
                  + VERSION_HEX
                  + "00".repeat(20)
                  + "00"
                  + "0000000000000000"
                  + "0000"),
          Map.entry(
              new CopiedMessage(
                  9, NAME, List.of(new CopiedMessage.Untaken(258, CopiedMessage.Reason.OUTDATED))),
              "00000021" + "0025" + "0000000000000009" + NAME_HEX + "0001" + "00000102" + "03"),
          Map.entry(
              new PassMessage(NAME, List.of(new PassMessage.Passed(258, VERSION))),
              "0000002c" + "0026" + NAME_HEX + "0001" + "00000102" + VERSION_HEX),
          Map.entry(
              new TakenMessage(NAME, BitSet.valueOf(new byte[] {5, 0, (byte) 0x80})),
              "00000017" + "0027" + NAME_HEX + "0003" + "050080"),
          Map.entry(new InventoryRequest(NAME), "00000012" + "0028" + NAME_HEX),
          Map.entry(
              new FetchMessage(NAME, BitSet.valueOf(new byte[] {0, 1})),
              "00000016" + "0029" + NAME_HEX + "0002" + "0001"));

  @Test
  void messagesHaveTheirBytes() {
    MESSAGES.forEach(
        (message, hex) -> {
          ByteBuf out = Unpooled.buffer();
          MessageTable.write(message, out);
          assertEquals(hex, ByteBufUtil.hexDump(out), message::toString);
          assertEquals(hex.length() / 2, MessageTable.frameBytes(message), message::toString);
          out.skipBytes(Integer.BYTES);
          PeerMessage read = MessageTable.read(FrameCode.ofCode(out.readUnsignedShort()), out);
          assertEquals(Messages.comparable(message), Messages.comparable(read));
        });
  }

  @Test
  void everyKindOfMessageIsAmongThem() {
    TreeSet<String> covered = new TreeSet<>();
    MESSAGES.keySet().forEach(message -> covered.add(message.getClass().getSimpleName()));
    TreeSet<String> all = new TreeSet<>();
    for (Class<?> kind : PeerMessage.class.getPermittedSubclasses()) {
      Class<?>[] kinds = kind.isInterface() ? kind.getPermittedSubclasses() : new Class<?>[] {kind};
      Stream.of(kinds).forEach(each -> all.add(each.getSimpleName()));
    }
    assertEquals(all, covered);
  }

  @Test
  void theHandshakeHasItsBytes() {
    byte[] nonce = new byte[HandshakePayloads.NONCE_BYTES];
    nonce[31] = 9;
    String nonceHex = "00".repeat(31) + "09";
    Call call = new Call(N1, new MemberId("n2", -1), new Address("10.0.0.2", 7102));
    Hello hello = new Hello(new ProtocolRange(1, 2), "prod", call, 7);
    assertFrame(
        FrameCode.HELLO,
        "52465058"
            + "00010002"
            + nonceHex
            + "000470726f64"
            + "00026e31"
            + "0102030405060708"
            + "00026e32"
            + "ffffffffffffffff"
            + "0008"
            + "31302e302e302e32"
            + "1bbe"
            + "0000000000000007",
        hello.frame(nonce));
    assertEquals(hello, Hello.read(hello.frame(nonce).payload()));

    Challenge challenge = new Challenge(1, new ProtocolRange(1, 1));
    assertFrame(FrameCode.CHALLENGE, "0001" + "00010001" + nonceHex, challenge.frame(nonce));
    assertEquals(challenge, Challenge.read(challenge.frame(nonce).payload()));

    Welcome welcome = new Welcome(N1, 7);
    byte[] proof = new byte[HandshakeKey.PROOF_BYTES];
    assertFrame(
        FrameCode.WELCOME,
        "00026e31" + "0102030405060708" + "0000000000000007" + "00".repeat(32),
        welcome.frame(proof));
    assertEquals(welcome, Welcome.read(welcome.frame(proof).payload()));

    assertFrame(FrameCode.REFUSED, "0003", HandshakePayloads.refused(HandshakeRefusal.PROOF));
  }

  @Test
  void theIntroductionHasItsBytes() {
    Introduction facts = new Introduction(N1, MEMBER.peer(), MEMBER.http(), 5);
    ByteBuf with = Unpooled.buffer();
    new Greeting(facts, VIEW).write(with);
    assertEquals("00000062" + "0006" + FACTS_HEX + "01" + VIEW_HEX, ByteBufUtil.hexDump(with));
    ByteBuf without = Unpooled.buffer();
    new Greeting(facts, null).write(without);
    assertEquals("00000023" + "0006" + FACTS_HEX + "00", ByteBufUtil.hexDump(without));
  }

  /** The proofs of a fixed exchange, as another implementation of RFC 2104 gives them. */
  @Test
  void theProofsHaveTheirBytes() {
    HandshakeKey key = HandshakeKey.derive(TestNode.secret("s3cret"), "prod");
    byte[] one = {1};
    byte[] two = {2, 3};
    assertEquals(
        "8d23e147ac802a578079df24f1d9b22c7869e50240942c97293288dadb06539a",
        ByteBufUtil.hexDump(key.prove(HandshakeKey.Role.DIALLER, one, two)));
    assertEquals(
        "53e54ce0b1bc51d743033a60a8c67c4768775fbcdb74e2af4276b5ad022ffdaa",
        ByteBufUtil.hexDump(key.prove(HandshakeKey.Role.LISTENER, one, two)));
    HandshakeKey open = HandshakeKey.derive(Secret.none(), "prod");
    assertEquals(
        "810a9e7cd77c83250fb190de7f21effd55690efc757b3f7e6faae7709237e930",
        ByteBufUtil.hexDump(open.prove(HandshakeKey.Role.DIALLER, one, two)));
  }

  private static void assertFrame(FrameCode code, String payloadHex, HandshakeFrame frame) {
    assertEquals(code, frame.code());
    assertEquals(payloadHex, ByteBufUtil.hexDump(frame.payload()));
  }
}
