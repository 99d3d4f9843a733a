package io.ringfence.chaos.sim;

import io.ringfence.engine.message.CounterAsk;
import io.ringfence.engine.message.CounterCopy;
import io.ringfence.engine.message.LiftMessage.Lifted;
import io.ringfence.rules.Ask;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The identity of a counter as both sides of the wire name it.
 *
 * @param limitId the limit
 * @param values its values, each with its length before it, one char a byte
 */
record CounterName(long limitId, String values) {

  static CounterName of(Ask ask) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String value : ask.values()) {
      byte[] text = value.getBytes(StandardCharsets.UTF_8);
      bytes.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(text.length).array());
      bytes.writeBytes(text);
    }
    return of(ask.limit().id(), bytes.toByteArray());
  }

  static CounterName of(CounterAsk ask) {
    return of(ask.limitId(), ask.values());
  }

  static CounterName of(CounterCopy copy) {
    return of(copy.limitId(), copy.values());
  }

  static CounterName of(Lifted lifted) {
    return of(lifted.limitId(), lifted.values());
  }

  private static CounterName of(long limitId, byte[] values) {
    return new CounterName(limitId, new String(values, StandardCharsets.ISO_8859_1));
  }
}
