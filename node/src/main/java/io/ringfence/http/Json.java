package io.ringfence.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * The JSON dialect of the API: strict on the way in, compact on the way out.
 *
 * <p>Names are not canonicalised, as callers choose them: a table of all names ever seen would be
 * theirs to fill.
 */
final class Json {
  private static final int MAX_DEPTH = 8;
  private static final int INITIAL_BYTES = 512;

  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
          .build();

  private Json() {}

  static JsonParser parser(String text) throws IOException {
    return FACTORY.createParser(text);
  }

  /** What one response says. */
  @FunctionalInterface
  interface Content {
    /** Writes one JSON value. */
    void writeTo(JsonGenerator json) throws IOException;
  }

  /** Renders into a buffer that the caller owns. */
  static ByteBuf render(ByteBufAllocator allocator, Content content) {
    ByteBuf buffer = allocator.buffer(INITIAL_BYTES);
    boolean whole = false;
    try (JsonGenerator json =
        FACTORY.createGenerator((OutputStream) new ByteBufOutputStream(buffer))) {
      content.writeTo(json);
      whole = true;
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    } finally {
      if (!whole) {
        buffer.release();
      }
    }
    return buffer;
  }
}
