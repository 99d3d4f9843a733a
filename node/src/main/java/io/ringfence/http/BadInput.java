package io.ringfence.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a request, in words for its sender. It carries no stack trace: bad input is an
 * expected outcome, and must cost no more than a good one.
 */
final class BadInput extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient HttpResponseStatus status;
  private final @Nullable String field;

  private BadInput(HttpResponseStatus status, @Nullable String field, String detail) {
    super(detail, null, false, false);
    this.status = status;
    this.field = field;
  }

  /** The field does not hold what it must. */
  static BadInput invalid(String field, String detail) {
    return new BadInput(HttpResponseStatus.BAD_REQUEST, field, detail);
  }

  /** The field holds more than its bound. */
  static BadInput tooLarge(String field, String detail) {
    return new BadInput(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, field, detail);
  }

  /** The request as a whole is refused with that status. */
  static BadInput refused(HttpResponseStatus status, String detail) {
    return new BadInput(status, null, detail);
  }

  HttpResponseStatus status() {
    return status;
  }

  /** The field at fault, or null where it is the request itself. */
  @Nullable String field() {
    return field;
  }

  /** The sentence for the sender. */
  String detail() {
    return String.valueOf(getMessage());
  }
}
