package io.ringfence.peer;

import org.jspecify.annotations.Nullable;

/**
 * One end of one handshake, without I/O, clock or randomness: it is given frames and returns what
 * follows. Not thread-safe; used on the connection's event loop. A frame that cannot stand where it
 * came is a {@link ProtocolException}.
 *
 * <pre>
 *   dialler                                                   listener
 *     HELLO      versions, nonce, cluster, from, to, address  --&gt;
 *     &lt;--  CHALLENGE  version, versions, nonce
 *     PROOF      HMAC(dialler, HELLO, CHALLENGE)              --&gt;
 *     &lt;--  WELCOME    who, epoch, HMAC(listener, HELLO, CHALLENGE, PROOF, who and epoch)
 * </pre>
 */
interface Handshake {

  /** What this end sends unasked, or null if it waits. */
  @Nullable HandshakeFrame opening();

  /** Takes the next frame. */
  HandshakeStep receive(HandshakeFrame frame);
}
