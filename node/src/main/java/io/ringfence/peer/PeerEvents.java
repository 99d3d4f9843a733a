package io.ringfence.peer;

import io.ringfence.engine.message.PeerMessage;
import io.ringfence.membership.Introduction;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.View;
import org.jspecify.annotations.Nullable;

/**
 * What the network tells the node.
 *
 * <p>Called on event loops; must not block. Calls about one peer other than {@link #message} come
 * one at a time and in order. An exception is counted, logged and otherwise ignored.
 */
public interface PeerEvents {

  /**
   * This process dialled a peer at the address where it was wanted, and the peer proved there that
   * it knows the secret and is who it is. {@code send} reaches it from now on. Comes again after
   * every reconnection.
   *
   * @param facts what it says of itself; identity and peer address are the proven ones
   * @param theirs its view, or null while it is in none
   */
  void authenticated(Introduction facts, @Nullable View theirs);

  /**
   * A peer that has proved itself said something. It may be one that dialled here before this
   * process dialled it, and so before it was {@link #authenticated}.
   */
  void message(MemberId from, PeerMessage message);

  /** The handshake with a wanted peer failed: it is a stranger, or this process is one to it. */
  void refused(MemberId candidate, HandshakeRefusal reason);

  /**
   * A wanted peer could not be reached this time: no answer, no route, or a refusal that proves
   * nothing. Silence is not death. Comes with every attempt, at most about once a second.
   */
  void unreachable(MemberId candidate);

  /**
   * A wanted peer is proven dead. Either its connections broke and its address then refused
   * (ECONNREFUSED and nothing else), or another incarnation of its name answered at its address and
   * proved itself.
   */
  void died(MemberId member);

  /** The last connection with a peer is gone. Says nothing of why. */
  void disconnected(MemberId peer);
}
