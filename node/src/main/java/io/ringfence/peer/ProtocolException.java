package io.ringfence.peer;

/**
 * The other end sent what no correct peer sends. It ends that one connection and nothing else.
 *
 * <p>It carries no stack trace: a stranger may cause one with every few bytes, and the message says
 * all there is. The message never quotes what was received.
 */
final class ProtocolException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ProtocolException(String message) {
    super(message, null, false, false);
  }
}
