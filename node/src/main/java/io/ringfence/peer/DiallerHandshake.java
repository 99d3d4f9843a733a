package io.ringfence.peer;

import io.ringfence.peer.HandshakePayloads.Call;
import io.ringfence.peer.HandshakePayloads.Challenge;
import io.ringfence.peer.HandshakePayloads.Hello;
import io.ringfence.peer.HandshakePayloads.Welcome;

/**
 * The handshake of the end that opened the connection. It proves itself first, so that a listener
 * says who it is only to one that knows the secret; what the dialler gives away to a stranger that
 * listens is its name and the cluster's, and a proof that is good for this one challenge at this
 * one address.
 */
final class DiallerHandshake implements Handshake {
  private final HandshakeTerms terms;
  private final Call call;
  private final HandshakeFrame hello;
  private State state = State.AWAITS_CHALLENGE;
  private int version = ProtocolRange.NONE; // set with the challenge
  private byte[] challenge = {}; // set with the challenge
  private byte[] proof = {}; // set with the challenge

  private enum State {
    /** HELLO is sent. */
    AWAITS_CHALLENGE,
    /** PROOF is sent. */
    AWAITS_WELCOME,
    /** Proven or refused; nothing more may come. */
    OVER
  }

  /**
   * @param epoch the epoch of the own view, 0 without one
   * @param nonce {@value HandshakePayloads#NONCE_BYTES} bytes never used before
   */
  DiallerHandshake(HandshakeTerms terms, Call call, long epoch, byte[] nonce) {
    this.terms = terms;
    this.call = call;
    this.hello = new Hello(terms.versions(), terms.cluster(), call, epoch).frame(nonce);
  }

  @Override
  public HandshakeFrame opening() {
    return hello;
  }

  @Override
  public HandshakeStep receive(HandshakeFrame frame) {
    if (state != State.OVER && frame.code() == FrameCode.REFUSED) {
      state = State.OVER;
      return HandshakeStep.Refused.there(HandshakePayloads.readRefused(frame.payload()));
    }
    if (state == State.AWAITS_CHALLENGE && frame.code() == FrameCode.CHALLENGE) {
      return onChallenge(frame.payload());
    }
    if (state == State.AWAITS_WELCOME && frame.code() == FrameCode.WELCOME) {
      return onWelcome(frame.payload());
    }
    throw new ProtocolException(frame.code() + " is out of place");
  }

  private HandshakeStep onChallenge(byte[] payload) {
    Challenge offer = Challenge.read(payload);
    if (offer.version() == ProtocolRange.NONE
        || offer.version() != terms.versions().common(offer.versions())) {
      state = State.OVER;
      return HandshakeStep.Refused.here(HandshakeRefusal.VERSION);
    }
    version = offer.version();
    challenge = payload;
    proof = terms.key().prove(HandshakeKey.Role.DIALLER, hello.payload(), challenge);
    state = State.AWAITS_WELCOME;
    return new HandshakeStep.Reply(new HandshakeFrame(FrameCode.PROOF, proof));
  }

  private HandshakeStep onWelcome(byte[] payload) {
    Welcome welcome = Welcome.read(payload);
    boolean proven =
        terms
            .key()
            .proves(
                Welcome.proof(payload),
                HandshakeKey.Role.LISTENER,
                hello.payload(),
                challenge,
                proof,
                welcome.claim());
    state = State.OVER;
    if (!proven) {
      return HandshakeStep.Refused.here(HandshakeRefusal.PROOF);
    }
    if (!welcome.member().equals(call.to())) {
      return new HandshakeStep.OtherAnswered(welcome.member());
    }
    return new HandshakeStep.Proven(welcome.member(), version, null);
  }
}
