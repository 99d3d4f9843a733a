package io.ringfence.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts the pieces of a request together and hands it over whole. What is wrong with the message
 * itself (not with what it says) is refused here, and is the last that its connection hears.
 *
 * <p>No Host is asked for: nothing is served by name. On the connection's loop alone.
 */
final class RequestAssembly {
  /** The most header lines of a request. */
  static final int MAX_HEADER_LINES = 128;

  private static final int FIRST_BODY_BYTES = 1_024;

  private final HttpConnection connection;
  private final Premises premises;
  private final int bodyLimit;

  // All of it belongs to the request that has begun and not ended; exchange is null between two.
  private @Nullable Exchange exchange;
  // One of the two: what the head asked for, or why it gets nothing.
  private @Nullable Call call;
  private @Nullable BadInput refusal;
  private @Nullable ByteBuf body;
  // 0 <= bodyBytes <= bodyLimit, counted also where the body is dropped.
  private long bodyBytes;
  // What body takes, as told to the premises' partial bodies.
  private long takenBytes;

  RequestAssembly(HttpConnection connection, Premises premises) {
    this.connection = connection;
    this.premises = premises;
    this.bodyLimit = premises.bodyBytes();
  }

  /** Takes the next piece, which it releases or hands on. */
  void accept(HttpObject piece) {
    if (piece instanceof HttpRequest request) {
      begin(request);
    }
    if (piece instanceof HttpContent content) {
      try {
        append(content);
      } finally {
        content.release();
      }
    }
  }

  /** Whether a request has begun and not ended. */
  boolean midRequest() {
    return exchange != null;
  }

  /** Forgets the request that has begun. */
  void discard() {
    exchange = null;
    call = null;
    refusal = null;
    bodyBytes = 0;
    if (takenBytes > 0) {
      premises.bodies().give(takenBytes);
      takenBytes = 0;
    }
    ByteBuf held = body;
    body = null;
    if (held != null) {
      held.release();
    }
  }

  private void begin(HttpRequest request) {
    if (request.decoderResult().isFailure()) {
      connection.refuse(malformed(request.decoderResult().cause()));
      return;
    }
    BadInput unfit = ambiguity(request);
    if (unfit == null) {
      unfit = excess(request);
    }
    if (unfit != null) {
      connection.refuse(unfit);
      return;
    }
    boolean head = request.method().equals(HttpMethod.HEAD);
    boolean http10 = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
    exchange = new Exchange(connection, head, http10, HttpUtil.isKeepAlive(request));
    try {
      call = premises.endpoints().route(request, connection.channel().remoteAddress());
    } catch (BadInput e) {
      refusal = e;
    }
    if (HttpUtil.is100ContinueExpected(request)) {
      connection.allowBody();
    }
  }

  /**
   * Why a request may mean one thing to this node and another to a proxy before it; null where it
   * cannot. What is smuggled past a proxy is always of this kind.
   */
  private static @Nullable BadInput ambiguity(HttpRequest request) {
    if (request.protocolVersion().majorVersion() != 1) {
      return BadInput.refused(
          HttpResponseStatus.HTTP_VERSION_NOT_SUPPORTED, "only HTTP/1.0 and HTTP/1.1 are spoken");
    }
    if (request.headers().getAll(HttpHeaderNames.HOST).size() > 1) {
      return BadInput.refused(HttpResponseStatus.BAD_REQUEST, "there is more than one Host");
    }
    List<String> codings = request.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
    if (codings.size() > 1
        || (codings.size() == 1
            && !HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(codings.get(0).trim()))) {
      return BadInput.refused(
          HttpResponseStatus.NOT_IMPLEMENTED, "the only transfer coding understood is chunked");
    }
    if (!codings.isEmpty() && request.protocolVersion().equals(HttpVersion.HTTP_1_0)) {
      return BadInput.refused(
          HttpResponseStatus.BAD_REQUEST, "HTTP/1.0 has no transfer codings (RFC 9112, 6.1)");
    }
    if (expectsAnythingElse(request)) {
      return BadInput.refused(
          HttpResponseStatus.EXPECTATION_FAILED, "the only expectation met is 100-continue");
    }
    return null;
  }

  /** Why a request is more than this node takes; null where it is not. */
  private @Nullable BadInput excess(HttpRequest request) {
    if (request.headers().size() > MAX_HEADER_LINES) {
      premises.met(HttpBound.HEADER_LINES);
      return BadInput.refused(
          HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
          "the header has more than " + MAX_HEADER_LINES + " lines");
    }
    return HttpUtil.getContentLength(request, 0L) > bodyLimit ? tooLarge() : null;
  }

  /** An HTTP/1.0 client's expectation is ignored (RFC 9110, 10.1.1). */
  private static boolean expectsAnythingElse(HttpRequest request) {
    String expected = request.headers().get(HttpHeaderNames.EXPECT);
    return expected != null
        && !request.protocolVersion().equals(HttpVersion.HTTP_1_0)
        && !HttpHeaderValues.CONTINUE.contentEqualsIgnoreCase(expected.trim());
  }

  private BadInput malformed(Throwable cause) {
    if (cause instanceof TooLongHttpLineException) {
      premises.met(HttpBound.REQUEST_LINE);
      return BadInput.refused(
          HttpResponseStatus.REQUEST_URI_TOO_LONG,
          "the request line is longer than " + RequestDecoder.MAX_REQUEST_LINE_BYTES + " bytes");
    }
    if (cause instanceof TooLongHttpHeaderException) {
      premises.met(HttpBound.HEADER);
      return BadInput.refused(
          HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
          "the header is longer than " + RequestDecoder.MAX_HEADER_BYTES + " bytes");
    }
    return BadInput.refused(HttpResponseStatus.BAD_REQUEST, "the message is not valid HTTP/1.1");
  }

  private BadInput tooLarge() {
    premises.met(HttpBound.BODY);
    return BadInput.tooLarge(
        CheckReader.BODY, "body is longer than " + bodyLimit + " bytes; nothing was charged");
  }

  private void append(HttpContent content) {
    Exchange current = exchange;
    if (current == null) {
      return;
    }
    if (content.decoderResult().isFailure()) {
      discard();
      connection.refuse(malformed(content.decoderResult().cause()));
      return;
    }
    ByteBuf bytes = content.content();
    bodyBytes += bytes.readableBytes();
    if (bodyBytes > bodyLimit) {
      discard();
      connection.refuse(tooLarge());
      return;
    }
    boolean last = content instanceof LastHttpContent;
    if (call != null && call.endpoint().readsBody() && !keep(bytes, last)) {
      discard();
      premises.met(HttpBound.BODIES_TOTAL);
      connection.refuse(
          BadInput.refused(
              HttpResponseStatus.SERVICE_UNAVAILABLE,
              "too many bodies have come in part; nothing was charged"));
      return;
    }
    if (last) {
      finish(current);
    }
  }

  /**
   * Keeps a piece of the body; false if there is no room for it. A body that comes in one piece, as
   * nearly all do, is not copied.
   */
  private boolean keep(ByteBuf bytes, boolean last) {
    if (body == null && last) {
      body = bytes.retain();
      return true;
    }
    if (body == null && bytes.isReadable()) {
      body = connection.channel().alloc().buffer(Math.min(FIRST_BODY_BYTES, bodyLimit));
    }
    if (body == null) {
      return true;
    }
    long grown = body.readableBytes() + (long) bytes.readableBytes() - takenBytes;
    if (grown > 0) {
      long taking = Math.max(grown, FIRST_BODY_BYTES);
      if (!premises.bodies().take(taking)) {
        return false;
      }
      takenBytes += taking;
    }
    body.writeBytes(bytes);
    return true;
  }

  private void finish(Exchange whole) {
    ByteBuf held = body == null ? Unpooled.EMPTY_BUFFER : body;
    body = null;
    Call asked = call;
    BadInput refused = refusal;
    discard();
    try {
      connection.began(whole);
      if (asked != null) {
        premises.endpoints().serve(asked, whole, held);
      } else if (refused != null) {
        premises.endpoints().turnAway(whole, refused);
      }
    } finally {
      held.release();
    }
  }
}
