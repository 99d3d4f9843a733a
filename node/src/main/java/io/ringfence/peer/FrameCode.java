package io.ringfence.peer;

import org.jspecify.annotations.Nullable;

/**
 * Every kind of frame, with the number that stands for it on the wire.
 *
 * <p>Codes are append-only: a number once used never gets another meaning, and a payload once
 * released never changes within a protocol version. Numbers below 16 belong to the connection
 * itself, the others carry messages of the engine. A code that is not listed is an error that
 * closes the connection; a release that adds one raises the protocol version and sends the new code
 * only where that version was agreed.
 */
enum FrameCode {
  /** Dialler: who I am, whom I look for, where I dialled, what I speak, a nonce. */
  HELLO(1, Phase.HANDSHAKE),
  /** Listener: the version to speak, and a nonce. Says nothing of who answers. */
  CHALLENGE(2, Phase.HANDSHAKE),
  /** Dialler: proof that it knows the secret. */
  PROOF(3, Phase.HANDSHAKE),
  /** Listener: who it is, and its own proof. */
  WELCOME(4, Phase.HANDSHAKE),
  /** Either end gives up, with a reason. */
  REFUSED(5, Phase.HANDSHAKE),

  /** Listener, once and first after WELCOME: its facts and its view. */
  INTRODUCTION(6, Phase.LINK),
  /** Nothing to say, but alive. */
  KEEPALIVE(7, Phase.LINK),

  /** Decide on counters. */
  CHECK(16, Phase.QUESTION),
  /** What the counters said. */
  ANSWER(17, Phase.ANSWER),
  /** The receiver of a check does not own its slots. */
  NOT_OWNER(18, Phase.ANSWER),
  /** The receiver of a check cannot decide it. */
  REFUSAL(19, Phase.ANSWER),
  /** Undo a tentative charge. */
  CANCEL(20, Phase.QUESTION),
  /** A view. */
  VIEW(21, Phase.QUESTION),
  /** Asks for the view. */
  VIEW_REQUEST(22, Phase.QUESTION),
  /** What a member tells of itself from time to time. */
  STATUS(23, Phase.QUESTION),
  /** The sender leaves for good. */
  LEAVE(24, Phase.QUESTION),
  /** What the sender holds of the slots that the receiver owns by the base. */
  INVENTORY(25, Phase.QUESTION),
  /** Denials that the sender stated have ended before their time. */
  LIFT(26, Phase.QUESTION),
  /** Acknowledges a lift. */
  LIFTED(27, Phase.ANSWER),
  /** Asks for all counters of a client. */
  USAGE(28, Phase.QUESTION),
  /** All counters of a client. */
  USAGE_ANSWER(29, Phase.ANSWER),
  /** Asks for a share of a lease, and tells how the sender stands. */
  PING(30, Phase.QUESTION),
  /** Answers a ping. */
  PONG(31, Phase.ANSWER),
  /** Asks for a promise before a view is proposed. */
  PREPARE(32, Phase.QUESTION),
  /** Promises. */
  PROMISE(33, Phase.ANSWER),
  /** Proposes the view after the one held. */
  PROPOSE(34, Phase.QUESTION),
  /** A proposed view was accepted. */
  ACCEPTED(35, Phase.QUESTION),
  /** Copies of slots, for one that keeps copies. */
  COPY(36, Phase.QUESTION),
  /** Acknowledges copies. */
  COPIED(37, Phase.ANSWER),
  /** Slots that the sender has closed and the receiver is to open. */
  PASS(38, Phase.QUESTION),
  /** Acknowledges slots that were passed on. */
  TAKEN(39, Phase.ANSWER),
  /** Asks for an inventory. */
  INVENTORY_REQUEST(40, Phase.QUESTION),
  /** Asks for copies of slots. */
  FETCH(41, Phase.QUESTION),
  /** The receiver is to have another weight. */
  WEIGHT(42, Phase.QUESTION),
  /** Asks the receiver to hand a message on to another member. */
  RELAY(43, Phase.QUESTION),
  /** A message of another member, handed on. */
  RELAYED(44, Phase.QUESTION),
  /** The sender's way to the receiver is the direct one again. */
  PATH(45, Phase.QUESTION),
  /** The receiver's message was not handed on. */
  RELAY_REFUSED(46, Phase.QUESTION);

  /** Where in the life of a connection a frame may stand, and which way it prefers to travel. */
  enum Phase {
    /** Before authentication, and only then. */
    HANDSHAKE,
    /** After it; of the connection itself. */
    LINK,
    /** After it; a message that travels on the connection that its sender dialled. */
    QUESTION,
    /** After it; a message that travels back on the connection that the question came on. */
    ANSWER
  }

  private static final FrameCode[] BY_CODE = new FrameCode[47];

  static {
    for (FrameCode frame : values()) {
      BY_CODE[frame.code] = frame;
    }
  }

  private final int code;
  private final Phase phase;

  FrameCode(int code, Phase phase) {
    this.code = code;
    this.phase = phase;
  }

  /** The number on the wire, 1 to 65,535. */
  int code() {
    return code;
  }

  Phase phase() {
    return phase;
  }

  /** The frame of that number; throws ProtocolException where there is none. */
  static FrameCode ofCode(int code) {
    @Nullable FrameCode frame = code < BY_CODE.length ? BY_CODE[code] : null;
    if (frame == null) {
      throw new ProtocolException("unknown frame code " + code);
    }
    return frame;
  }
}
