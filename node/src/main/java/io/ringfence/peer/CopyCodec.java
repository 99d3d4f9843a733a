package io.ringfence.peer;

import io.netty.buffer.ByteBuf;
import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.Kind;
import io.ringfence.engine.message.CopiedMessage;
import io.ringfence.engine.message.CopiedMessage.Untaken;
import io.ringfence.engine.message.CopyMessage;
import io.ringfence.engine.message.CounterCopy;
import io.ringfence.engine.message.Knowledge;
import io.ringfence.engine.message.Ledger;
import io.ringfence.engine.message.Ledger.ChargedIn;
import io.ringfence.engine.message.Ledger.Debited;
import io.ringfence.engine.message.RequestKey;
import io.ringfence.engine.message.SlotCopy;
import java.util.ArrayList;
import java.util.List;

/**
 * The payloads that carry copies of slots, and what is answered to them; docs/protocol.md lists the
 * fields.
 *
 * <p>A copy is a list of lists of lists: slots, their counters, and the counters' words. Each count
 * is checked against its limit and against what is left of the payload before anything is allocated
 * for it, so what a frame takes on the heap follows from the bytes that came, whatever they say. A
 * counter names its algorithm by its place in the message's list, and a place that the list does
 * not have is an error here, so that nobody behind needs to ask.
 *
 * <p>The limits of the lists multiplied are far beyond a frame, so who makes such a message must
 * add up: {@link #bytes(CopyMessage)} refuses what is longer than a frame before it is queued.
 */
final class CopyCodec {
  private static final int COPY_FIXED_BYTES =
      Long.BYTES + Fields.VIEW_NAME_BYTES + Short.BYTES + Short.BYTES;
  private static final int ALGORITHM_BYTES = Byte.BYTES + 3 * Long.BYTES;
  private static final int KNOWLEDGE_BYTES = Byte.BYTES + Long.BYTES;
  private static final int SLOT_FIXED_BYTES =
      Integer.BYTES + Byte.BYTES + SlotCodec.VERSION_BYTES + KNOWLEDGE_BYTES + Short.BYTES;
  private static final int COUNTER_FIXED_BYTES =
      Long.BYTES
          + Fields.LENGTH_BYTES
          + 2 * Short.BYTES
          + Long.BYTES
          + 2 * Integer.BYTES
          + Short.BYTES
          + Long.BYTES
          + 2 * Byte.BYTES;
  private static final int CHARGED_BYTES = SlotCodec.TERM_BYTES + Long.BYTES;
  private static final int DEBIT_BYTES = 3 * Long.BYTES;
  private static final int UNTAKEN_BYTES = Integer.BYTES + Byte.BYTES;

  private CopyCodec() {}

  static int bytes(CopyMessage copy) {
    int algorithms = copy.algorithms().size();
    long bytes = COPY_FIXED_BYTES + (long) ALGORITHM_BYTES * algorithms;
    for (SlotCopy slot : copy.slots()) {
      bytes += bytes(slot, algorithms);
    }
    if (bytes > Limits.FRAME_BYTES) { // in a long, as the sum may be more than an int holds
      throw new IllegalArgumentException(
          "a frame is at most " + Limits.FRAME_BYTES + " bytes, not " + bytes);
    }
    return (int) bytes;
  }

  private static long bytes(SlotCopy slot, int algorithms) {
    if (!hasBase(slot.kind()) && !slot.base().equals(slot.version())) {
      throw new IllegalArgumentException(slot.kind() + " has no base of its own");
    }
    long bytes = SLOT_FIXED_BYTES;
    bytes += hasBase(slot.kind()) ? SlotCodec.VERSION_BYTES : 0;
    for (CounterCopy counter : slot.counters()) {
      if (counter.algorithm() >= algorithms) {
        throw new IllegalArgumentException(
            "algorithm " + counter.algorithm() + " of " + algorithms + " in the message");
      }
      bytes +=
          COUNTER_FIXED_BYTES
              + CounterCodec.valuesBytes(counter.values())
              + counter.words().length * Long.BYTES
              + counter.ledger().earlier().size() * CHARGED_BYTES
              + counter.ledger().debits().size() * DEBIT_BYTES;
    }
    return bytes;
  }

  private static boolean hasBase(SlotCopy.Kind kind) {
    return kind == SlotCopy.Kind.CONFIRM;
  }

  static void write(CopyMessage copy, ByteBuf out) {
    out.writeLong(copy.number());
    Fields.writeViewName(copy.view(), out);
    out.writeShort(copy.algorithms().size());
    copy.algorithms().forEach(algorithm -> write(algorithm, out));
    out.writeShort(copy.slots().size());
    copy.slots().forEach(slot -> write(slot, out));
  }

  private static void write(Algorithm algorithm, ByteBuf out) {
    out.writeByte(algorithm.kind().wireCode());
    out.writeLong(algorithm.limit());
    out.writeLong(algorithm.windowNanos());
    out.writeLong(algorithm.burst());
  }

  private static void write(SlotCopy slot, ByteBuf out) {
    out.writeInt(slot.slot());
    out.writeByte(slot.kind().code());
    SlotCodec.writeVersion(slot.version(), out);
    if (hasBase(slot.kind())) {
      SlotCodec.writeVersion(slot.base(), out);
    }
    out.writeByte(slot.knowledge().kind().code());
    out.writeLong(slot.knowledge().ageNanos());
    out.writeShort(slot.counters().size());
    slot.counters().forEach(counter -> write(counter, out));
  }

  private static void write(CounterCopy counter, ByteBuf out) {
    out.writeLong(counter.limitId());
    Fields.writeBytes(counter.values(), out);
    out.writeShort(counter.algorithm());
    out.writeShort(counter.account());
    out.writeLong(counter.toldNanos());
    out.writeInt(counter.from());
    out.writeInt(counter.total());
    out.writeShort(counter.words().length);
    for (long word : counter.words()) {
      out.writeLong(word);
    }
    write(counter.ledger(), out);
  }

  private static void write(Ledger ledger, ByteBuf out) {
    out.writeLong(ledger.charged());
    out.writeByte(ledger.earlier().size());
    for (ChargedIn charged : ledger.earlier()) {
      SlotCodec.writeTerm(charged.term(), out);
      out.writeLong(charged.units());
    }
    out.writeByte(ledger.debits().size());
    for (Debited debit : ledger.debits()) {
      out.writeLong(debit.request().high());
      out.writeLong(debit.request().low());
      out.writeLong(debit.ageNanos());
    }
  }

  static CopyMessage readCopy(ByteBuf in) {
    long number = in.readLong();
    var view = Fields.readViewName(in);
    int kinds = Fields.readCount(in, CopyMessage.MAX_ALGORITHMS, ALGORITHM_BYTES);
    List<Algorithm> algorithms = new ArrayList<>(kinds);
    for (int i = 0; i < kinds; i++) {
      algorithms.add(readAlgorithm(in));
    }
    int count = Fields.readCount(in, CopyMessage.MAX_SLOTS, SLOT_FIXED_BYTES);
    List<SlotCopy> slots = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      slots.add(readSlot(in, kinds));
    }
    return new CopyMessage(number, view, algorithms, slots);
  }

  private static Algorithm readAlgorithm(ByteBuf in) {
    return Algorithm.of(
        Kind.ofWireCode(in.readUnsignedByte()), in.readLong(), in.readLong(), in.readLong());
  }

  private static SlotCopy readSlot(ByteBuf in, int algorithms) {
    int slot = Fields.readSlot(in);
    SlotCopy.Kind kind = SlotCopy.Kind.ofCode(in.readUnsignedByte());
    var version = SlotCodec.readVersion(in);
    var base = hasBase(kind) ? SlotCodec.readVersion(in) : version;
    var knowledge = new Knowledge(Knowledge.Kind.ofCode(in.readUnsignedByte()), in.readLong());
    int count = Fields.readCount(in, SlotCopy.MAX_COUNTERS, COUNTER_FIXED_BYTES);
    List<CounterCopy> counters = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      counters.add(readCounter(in, algorithms));
    }
    return new SlotCopy(slot, kind, version, base, knowledge, counters);
  }

  private static CounterCopy readCounter(ByteBuf in, int algorithms) {
    long limitId = in.readLong();
    byte[] values = Fields.readBytes(in, Limits.VALUES_BYTES);
    int algorithm = in.readUnsignedShort();
    if (algorithm >= algorithms) {
      throw new ProtocolException("algorithm " + algorithm + " of " + algorithms);
    }
    int account = in.readUnsignedShort();
    long toldNanos = in.readLong();
    int from = in.readInt();
    int total = in.readInt();
    long[] words = new long[Fields.readCount(in, CounterCopy.MAX_WORDS, Long.BYTES)];
    for (int i = 0; i < words.length; i++) {
      words[i] = in.readLong();
    }
    return new CounterCopy(
        limitId, values, algorithm, account, toldNanos, from, total, words, readLedger(in));
  }

  private static Ledger readLedger(ByteBuf in) {
    long charged = in.readLong();
    int terms = Fields.readSmallCount(in, Ledger.MAX_EARLIER, "earlier terms");
    List<ChargedIn> earlier = new ArrayList<>(terms);
    for (int i = 0; i < terms; i++) {
      earlier.add(new ChargedIn(SlotCodec.readTerm(in), in.readLong()));
    }
    int count = Fields.readSmallCount(in, Ledger.MAX_DEBITS, "debits");
    List<Debited> debits = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      debits.add(new Debited(new RequestKey(in.readLong(), in.readLong()), in.readLong()));
    }
    return new Ledger(charged, earlier, debits);
  }

  static int bytes(CopiedMessage message) {
    return Long.BYTES
        + Fields.VIEW_NAME_BYTES
        + Short.BYTES
        + message.untaken().size() * UNTAKEN_BYTES;
  }

  static void write(CopiedMessage message, ByteBuf out) {
    out.writeLong(message.number());
    Fields.writeViewName(message.view(), out);
    out.writeShort(message.untaken().size());
    for (Untaken untaken : message.untaken()) {
      out.writeInt(untaken.slot());
      out.writeByte(untaken.reason().code());
    }
  }

  static CopiedMessage readCopied(ByteBuf in) {
    long number = in.readLong();
    var view = Fields.readViewName(in);
    int count = Fields.readCount(in, CopyMessage.MAX_SLOTS, UNTAKEN_BYTES);
    List<Untaken> untaken = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      untaken.add(
          new Untaken(Fields.readSlot(in), CopiedMessage.Reason.ofCode(in.readUnsignedByte())));
    }
    return new CopiedMessage(number, view, untaken);
  }
}
