package io.ringfence.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a request, in words for its sender. It carries no stack trace: bad input is an
 * expected outcome, and must cost no more than a good one.
 */
final class BadInput extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient HttpResponseStatus status;
  private final transient @Nullable Header header;
  private final @Nullable HttpBound bound;
  private final @Nullable String field;

  /** A header line that a status must come with. */
  private record Header(AsciiString name, String value) {}

  private BadInput(
      HttpResponseStatus status,
      @Nullable Header header,
      @Nullable HttpBound bound,
      @Nullable String field,
      String detail) {
    super(detail, null, false, false);
    this.status = status;
    this.header = header;
    this.bound = bound;
    this.field = field;
  }

  /** The field does not hold what it must. */
  static BadInput invalid(String field, String detail) {
    return new BadInput(HttpResponseStatus.BAD_REQUEST, null, null, field, detail);
  }

  /** The field holds more than its bound. */
  static BadInput tooLarge(String field, String detail) {
    return new BadInput(
        HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, null, HttpBound.FIELD, field, detail);
  }

  /** The request as a whole is refused with that status. */
  static BadInput refused(HttpResponseStatus status, String detail) {
    return new BadInput(status, null, null, null, detail);
  }

  /** A list has more items than the bound. */
  static BadInput tooMany(HttpBound bound, String field, String detail) {
    return new BadInput(HttpResponseStatus.BAD_REQUEST, null, bound, field, detail);
  }

  /** What is asked for is more than the bound. */
  static BadInput tooMuch(HttpBound bound, String detail) {
    return new BadInput(HttpResponseStatus.SERVICE_UNAVAILABLE, null, bound, null, detail);
  }

  /** The endpoint does not answer that method. */
  static BadInput wrongMethod(Endpoint endpoint) {
    return new BadInput(
        HttpResponseStatus.METHOD_NOT_ALLOWED,
        new Header(HttpHeaderNames.ALLOW, endpoint.allow()),
        null,
        null,
        endpoint.path() + " answers " + endpoint.allow());
  }

  /** The call presents no token, or a wrong one; which of the two is nobody's business. */
  static BadInput unauthorized() {
    return new BadInput(
        HttpResponseStatus.UNAUTHORIZED,
        new Header(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer"),
        HttpBound.ADMIN_TOKEN,
        null,
        "admin calls need the header Authorization: Bearer, with the admin token");
  }

  HttpResponseStatus status() {
    return status;
  }

  /** The bound that turned it away, or null where it was none. */
  @Nullable HttpBound bound() {
    return bound;
  }

  /** The field at fault, or null where it is the request itself. */
  @Nullable String field() {
    return field;
  }

  /** The sentence for the sender. */
  String detail() {
    return String.valueOf(getMessage());
  }

  /** Adds what the status must come with. */
  void addTo(HttpHeaders headers) {
    if (header != null) {
      headers.set(header.name(), header.value());
    }
  }
}
