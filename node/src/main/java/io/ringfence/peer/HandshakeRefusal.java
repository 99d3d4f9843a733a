package io.ringfence.peer;

/**
 * Why two processes did not become peers. The code is what crosses the wire and is never given
 * another meaning. A reason tells an operator what to look at and a stranger nothing: whatever is
 * about names, addresses or incarnations is said only to one who has proved the secret.
 */
public enum HandshakeRefusal {
  /** A reason that this release does not know, sent by a later one. */
  UNKNOWN(0, "refused for a reason that this release does not know"),
  /** The two have no protocol version in common. */
  VERSION(1, "no protocol version in common"),
  /** The other belongs to another cluster. */
  CLUSTER(2, "another cluster's name"),
  /** The other does not know the secret. */
  PROOF(3, "wrong secret"),
  /** A process reached itself. */
  SELF(4, "this very process"),
  /** The other bears the listener's name, but is another process. */
  DUPLICATE_NAME(5, "another process of the listener's name"),
  /** The dialler dialled another address than the listener's: somebody stands in between. */
  ADDRESS(6, "the address dialled is not the listener's"),
  /** Another member than the one expected answered. */
  OTHER_MEMBER(7, "another member answers at this address"),
  /** The listener knows as many peers as it may. */
  TOO_MANY_PEERS(8, "the listener has as many peers as it may have");

  private final int code;
  private final String text;

  HandshakeRefusal(int code, String text) {
    this.code = code;
    this.text = text;
  }

  /** The code on the wire. */
  public int code() {
    return code;
  }

  /** A phrase for logs. */
  public String text() {
    return text;
  }

  /** The reason of that code, {@link #UNKNOWN} where there is none. */
  static HandshakeRefusal ofCode(int code) {
    for (HandshakeRefusal refusal : values()) {
      if (refusal.code == code) {
        return refusal;
      }
    }
    return UNKNOWN;
  }
}
