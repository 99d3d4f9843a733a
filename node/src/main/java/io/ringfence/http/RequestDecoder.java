package io.ringfence.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequestDecoder;

/**
 * Netty's decoder, with two things added: it can tell whether a request has begun and not ended,
 * which is what a deadline for slow senders needs, and it refuses a message that states its length
 * in two ways, which is how requests are smuggled past a proxy.
 */
final class RequestDecoder extends HttpRequestDecoder {
  /** The longest request line, in bytes. */
  static final int MAX_REQUEST_LINE_BYTES = 8 * 1024;

  /** The most bytes of header lines. */
  static final int MAX_HEADER_BYTES = 16 * 1024;

  private static final int MAX_PIECE_BYTES = 16 * 1024;

  // Bytes have come since the last request ended.
  private boolean begun;

  RequestDecoder() {
    super(
        new HttpDecoderConfig()
            .setMaxInitialLineLength(MAX_REQUEST_LINE_BYTES)
            .setMaxHeaderSize(MAX_HEADER_BYTES)
            .setMaxChunkSize(MAX_PIECE_BYTES));
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
    begun = true;
    super.channelRead(ctx, message);
  }

  /** A request has ended; what is left of the bytes belongs to the next. */
  void requestEnded() {
    begun = false;
  }

  /** Whether a request has begun and not ended. */
  boolean midRequest() {
    return begun || actualReadableBytes() > 0;
  }

  @Override
  protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
    throw new IllegalArgumentException("both Transfer-Encoding and Content-Length");
  }
}
