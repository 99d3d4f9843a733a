package io.ringfence.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.membership.Address;
import io.ringfence.membership.MemberId;
import io.ringfence.peer.HandshakePayloads.Call;
import io.ringfence.peer.HandshakePayloads.Welcome;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Both ends of the handshake against each other and against those who cheat, without a network. */
class HandshakeTest {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final MemberId A = new MemberId("a", 1);
  private static final MemberId B = new MemberId("b", 2);
  private static final Address AT_B = new Address("10.0.0.2", 7101);
  private static final Secret SECRET = TestNode.secret("right");

  private static HandshakeTerms terms(int lowest, int highest, Secret secret, String cluster) {
    return new HandshakeTerms(
        new ProtocolRange(lowest, highest), cluster, HandshakeKey.derive(secret, cluster), RANDOM);
  }

  private static HandshakeTerms terms() {
    return terms(1, 1, SECRET, "prod");
  }

  private static DiallerHandshake dialler(
      HandshakeTerms terms, MemberId from, MemberId to, Address at) {
    return new DiallerHandshake(terms, new Call(from, to, at), 3, terms.nonce());
  }

  private static DiallerHandshake dialler() {
    return dialler(terms(), A, B, AT_B);
  }

  private static ListenerHandshake listener(HandshakeTerms terms) {
    return new ListenerHandshake(terms, new Welcome(B, 4), AT_B, terms.nonce());
  }

  private static ListenerHandshake listener() {
    return listener(terms());
  }

  private static HandshakeFrame reply(HandshakeStep step) {
    return assertInstanceOf(HandshakeStep.Reply.class, step).frame();
  }

  private static void assertRefused(HandshakeRefusal reason, HandshakeStep step) {
    assertEquals(reason, assertInstanceOf(HandshakeStep.Refused.class, step).reason());
  }

  /** Runs the two against each other and returns the listener's last step. */
  private static HandshakeStep run(DiallerHandshake dialler, ListenerHandshake listener) {
    HandshakeStep step = listener.receive(dialler.opening());
    if (!(step instanceof HandshakeStep.Reply challenge)) {
      return step;
    }
    return listener.receive(reply(dialler.receive(challenge.frame())));
  }

  @Test
  void bothEndsProveThemselves() {
    DiallerHandshake dialler = dialler();
    var proven = assertInstanceOf(HandshakeStep.Proven.class, run(dialler, listener()));
    assertEquals(A, proven.peer());
    var welcomed =
        assertInstanceOf(
            HandshakeStep.Proven.class, dialler.receive(Objects.requireNonNull(proven.last())));
    assertEquals(B, welcomed.peer());
    assertEquals(1, welcomed.version());
    assertNull(welcomed.last());
  }

  @Test
  void withoutASecretTheSameHandshakeRuns() {
    HandshakeTerms open = terms(1, 1, Secret.none(), "prod");
    assertInstanceOf(HandshakeStep.Proven.class, run(dialler(open, A, B, AT_B), listener(open)));
    assertRefused(HandshakeRefusal.PROOF, run(dialler(open, A, B, AT_B), listener()));
    HandshakeTerms zero = terms(1, 1, Secret.of(new byte[1]), "prod");
    assertRefused(HandshakeRefusal.PROOF, run(dialler(zero, A, B, AT_B), listener(open)));
  }

  @Test
  void aDiallerWithoutTheSecretIsRefused() {
    DiallerHandshake stranger = dialler(terms(1, 1, TestNode.secret("wrong"), "prod"), A, B, AT_B);
    HandshakeStep last = run(stranger, listener());
    assertRefused(HandshakeRefusal.PROOF, last);
    HandshakeFrame told = Objects.requireNonNull(((HandshakeStep.Refused) last).last());
    assertRefused(HandshakeRefusal.PROOF, stranger.receive(told));
  }

  @Test
  void aListenerWithoutTheSecretIsRefused() {
    DiallerHandshake dialler = dialler();
    HandshakeTerms wrong = terms(1, 1, TestNode.secret("wrong"), "prod");
    HandshakeFrame challenge = reply(listener(wrong).receive(dialler.opening()));
    reply(dialler.receive(challenge)); // the proof, which the stranger does not look at
    HandshakeFrame forged = new Welcome(B, 4).frame(new byte[HandshakeKey.PROOF_BYTES]);
    assertRefused(HandshakeRefusal.PROOF, dialler.receive(forged));
  }

  @Test
  void oneSecretInTwoClustersGivesTwoKeys() {
    assertRefused(
        HandshakeRefusal.CLUSTER,
        run(dialler(terms(1, 1, SECRET, "other"), A, B, AT_B), listener()));
    HandshakeTerms pretender =
        new HandshakeTerms(
            ProtocolRange.CURRENT, "prod", HandshakeKey.derive(SECRET, "other"), RANDOM);
    assertRefused(HandshakeRefusal.PROOF, run(dialler(pretender, A, B, AT_B), listener()));
  }

  @Test
  void aRecordedProofIsWorthNothing() {
    DiallerHandshake dialler = dialler();
    ListenerHandshake first = listener();
    HandshakeFrame proof = reply(dialler.receive(reply(first.receive(dialler.opening()))));
    assertInstanceOf(HandshakeStep.Proven.class, first.receive(proof));

    ListenerHandshake second = listener();
    reply(second.receive(dialler.opening()));
    assertRefused(HandshakeRefusal.PROOF, second.receive(proof));
  }

  @Test
  void aReflectedProofIsWorthNothing() {
    DiallerHandshake dialler = dialler();
    HandshakeFrame challenge = reply(listener().receive(dialler.opening()));
    byte[] own = reply(dialler.receive(challenge)).payload();
    assertRefused(HandshakeRefusal.PROOF, dialler.receive(new Welcome(B, 4).frame(own)));
  }

  @Test
  void aRelayAtAnotherAddressIsRefused() {
    DiallerHandshake lured = dialler(terms(), A, B, new Address("10.66.6.6", 7101));
    assertRefused(HandshakeRefusal.ADDRESS, run(lured, listener()));
  }

  @Test
  void aRelayThatRewritesTheAddressIsRefused() {
    DiallerHandshake lured = dialler(terms(), A, B, new Address("10.0.0.6", 7101));
    HandshakeFrame rewritten =
        new HandshakePayloads.Hello(ProtocolRange.CURRENT, "prod", new Call(A, B, AT_B), 3)
            .frame(Arrays.copyOfRange(lured.opening().payload(), 8, 40));
    ListenerHandshake real = listener();
    HandshakeFrame proof = reply(lured.receive(reply(real.receive(rewritten))));
    assertRefused(HandshakeRefusal.PROOF, real.receive(proof));
  }

  @Test
  void theHighestCommonVersionIsSpoken() {
    HandshakeTerms next = terms(1, 2, SECRET, "prod");
    DiallerHandshake newer = dialler(next, A, B, AT_B);
    var proven = assertInstanceOf(HandshakeStep.Proven.class, run(newer, listener()));
    assertEquals(1, proven.version());
    var both =
        assertInstanceOf(
            HandshakeStep.Proven.class, run(dialler(next, A, B, AT_B), listener(next)));
    assertEquals(2, both.version());
    HandshakeTerms far = terms(2, 3, SECRET, "prod");
    assertRefused(HandshakeRefusal.VERSION, run(dialler(far, A, B, AT_B), listener()));
  }

  @Test
  void nobodyInBetweenTalksTheVersionDown() {
    HandshakeTerms next = terms(1, 2, SECRET, "prod");
    DiallerHandshake dialler = dialler(next, A, B, AT_B);
    HandshakeFrame lowered =
        new HandshakePayloads.Challenge(1, new ProtocolRange(1, 2)).frame(next.nonce());
    assertRefused(HandshakeRefusal.VERSION, dialler.receive(lowered));

    DiallerHandshake believing = dialler(next, A, B, AT_B);
    ListenerHandshake real = listener(next);
    byte[] offer = reply(real.receive(believing.opening())).payload();
    HandshakeFrame pretended =
        new HandshakePayloads.Challenge(1, new ProtocolRange(1, 1))
            .frame(Arrays.copyOfRange(offer, 6, 38));
    assertRefused(HandshakeRefusal.PROOF, real.receive(reply(believing.receive(pretended))));
  }

  @Test
  void aProcessDoesNotPeerWithItself() {
    assertRefused(HandshakeRefusal.SELF, run(dialler(terms(), B, A, AT_B), listener()));
  }

  @Test
  void aSecondProcessOfTheListenersNameIsRefused() {
    MemberId twin = new MemberId("b", 77);
    assertRefused(
        HandshakeRefusal.DUPLICATE_NAME, run(dialler(terms(), twin, B, AT_B), listener()));
  }

  @Test
  void whoLooksForAnotherIsToldWithProofWhoIsHere() {
    MemberId former = new MemberId("b", 1);
    DiallerHandshake dialler = dialler(terms(), A, former, AT_B);
    var misdirected = assertInstanceOf(HandshakeStep.Misdirected.class, run(dialler, listener()));
    var other =
        assertInstanceOf(HandshakeStep.OtherAnswered.class, dialler.receive(misdirected.last()));
    assertEquals(B, other.actual());
  }

  @Test
  void aStrangerIsToldNothingButTheVersions() {
    byte[] offer = reply(listener().receive(dialler().opening())).payload();
    assertEquals(2 + 4 + HandshakePayloads.NONCE_BYTES, offer.length);
  }

  @Test
  void framesOutOfPlaceAreErrors() {
    HandshakeFrame proof = new HandshakeFrame(FrameCode.PROOF, new byte[32]);
    assertThrows(ProtocolException.class, () -> listener().receive(proof));
    assertThrows(ProtocolException.class, () -> dialler().receive(proof));
    ListenerHandshake listener = listener();
    reply(listener.receive(dialler().opening()));
    assertThrows(ProtocolException.class, () -> listener.receive(dialler().opening()));
    DiallerHandshake over = dialler();
    assertRefused(
        HandshakeRefusal.CLUSTER,
        over.receive(HandshakePayloads.refused(HandshakeRefusal.CLUSTER)));
    assertThrows(
        ProtocolException.class,
        () -> over.receive(HandshakePayloads.refused(HandshakeRefusal.CLUSTER)));
  }

  @Test
  void aHelloOfALaterReleaseIsReadAsFarAsItIsKnown() {
    byte[] hello = dialler().opening().payload();
    byte[] longer = Arrays.copyOf(hello, hello.length + 5);
    reply(listener().receive(new HandshakeFrame(FrameCode.HELLO, longer)));
    byte[] shorter = Arrays.copyOf(hello, hello.length - 1);
    ProtocolException short0 =
        assertThrows(
            ProtocolException.class,
            () -> listener().receive(new HandshakeFrame(FrameCode.HELLO, shorter)));
    assertTrue(short0.toString().contains("HELLO"), short0::toString);
  }

  @Test
  void aReasonOfALaterReleaseIsStillARefusal() {
    HandshakeFrame later = new HandshakeFrame(FrameCode.REFUSED, new byte[] {0x7f, 1});
    assertRefused(HandshakeRefusal.UNKNOWN, dialler().receive(later));
  }

  @Test
  void aSecretIsNeverPrinted() {
    assertEquals("Secret[set]", TestNode.secret("hush").toString());
    assertEquals("Secret[none]", Secret.none().toString());
    assertThrows(IllegalArgumentException.class, () -> Secret.of(new byte[0]));
    assertThrows(IllegalArgumentException.class, () -> Secret.of(new byte[Secret.MAX_BYTES + 1]));
  }
}
