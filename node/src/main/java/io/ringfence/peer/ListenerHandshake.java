package io.ringfence.peer;

import io.ringfence.membership.Address;
import io.ringfence.membership.MemberId;
import io.ringfence.peer.HandshakePayloads.Call;
import io.ringfence.peer.HandshakePayloads.Challenge;
import io.ringfence.peer.HandshakePayloads.Hello;
import io.ringfence.peer.HandshakePayloads.Welcome;
import org.jspecify.annotations.Nullable;

/**
 * The handshake of the end that accepted the connection. Until the dialler's proof it looks at the
 * versions and the cluster's name alone, and gives nothing away but the versions that it speaks.
 *
 * <p>The address check is what defeats a relay: a stranger that was introduced under an address of
 * its own, was dialled there, and passes every byte on to a real member, cannot change the address
 * that the dialler wrote, and the real member does not answer to it.
 */
final class ListenerHandshake implements Handshake {
  private final HandshakeTerms terms;
  private final Welcome welcome;
  private final Address address;
  private final byte[] nonce;
  private State state = State.AWAITS_HELLO;
  private int version = ProtocolRange.NONE; // set with the hello
  private byte[] helloPayload = {}; // set with the hello
  private byte[] challenge = {}; // set with the hello
  private @Nullable Call call; // set with the hello

  private enum State {
    /** Nothing has come yet. */
    AWAITS_HELLO,
    /** CHALLENGE is sent. */
    AWAITS_PROOF,
    /** Proven or refused; nothing more may come. */
    OVER
  }

  /**
   * @param welcome who this process is
   * @param address where it listens, as others are told to dial it
   * @param nonce {@value HandshakePayloads#NONCE_BYTES} bytes never used before
   */
  ListenerHandshake(HandshakeTerms terms, Welcome welcome, Address address, byte[] nonce) {
    this.terms = terms;
    this.welcome = welcome;
    this.address = address;
    this.nonce = nonce;
  }

  @Override
  public @Nullable HandshakeFrame opening() {
    return null;
  }

  @Override
  public HandshakeStep receive(HandshakeFrame frame) {
    if (state == State.AWAITS_HELLO && frame.code() == FrameCode.HELLO) {
      return onHello(frame.payload());
    }
    if (state == State.AWAITS_PROOF && frame.code() == FrameCode.PROOF && call != null) {
      return onProof(frame.payload(), call);
    }
    if (state == State.AWAITS_PROOF && frame.code() == FrameCode.REFUSED) {
      state = State.OVER;
      return HandshakeStep.Refused.there(HandshakePayloads.readRefused(frame.payload()));
    }
    throw new ProtocolException(frame.code() + " is out of place");
  }

  private HandshakeStep onHello(byte[] payload) {
    Hello hello = Hello.read(payload);
    version = terms.versions().common(hello.versions());
    if (version == ProtocolRange.NONE) {
      return refuse(HandshakeRefusal.VERSION);
    }
    if (!hello.cluster().equals(terms.cluster())) {
      return refuse(HandshakeRefusal.CLUSTER);
    }
    call = hello.call();
    helloPayload = payload;
    HandshakeFrame reply = new Challenge(version, terms.versions()).frame(nonce);
    challenge = reply.payload();
    state = State.AWAITS_PROOF;
    return new HandshakeStep.Reply(reply);
  }

  private HandshakeStep onProof(byte[] proof, Call proven) {
    if (!terms.key().proves(proof, HandshakeKey.Role.DIALLER, helloPayload, challenge)) {
      return refuse(HandshakeRefusal.PROOF);
    }
    MemberId self = welcome.member();
    if (!proven.address().equals(address)) {
      return refuse(HandshakeRefusal.ADDRESS);
    }
    if (proven.from().equals(self)) {
      return refuse(HandshakeRefusal.SELF);
    }
    if (proven.from().name().equals(self.name())) {
      return refuse(HandshakeRefusal.DUPLICATE_NAME);
    }
    state = State.OVER;
    byte[] own =
        terms
            .key()
            .prove(HandshakeKey.Role.LISTENER, helloPayload, challenge, proof, welcome.claim());
    HandshakeFrame last = welcome.frame(own);
    return proven.to().equals(self)
        ? new HandshakeStep.Proven(proven.from(), version, last)
        : new HandshakeStep.Misdirected(last);
  }

  private HandshakeStep refuse(HandshakeRefusal reason) {
    state = State.OVER;
    return HandshakeStep.Refused.here(reason);
  }
}
