package io.ringfence.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.ringfence.Fuzz;
import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.Kind;
import io.ringfence.engine.message.CheckMessage;
import io.ringfence.engine.message.CopiedMessage;
import io.ringfence.engine.message.CopyMessage;
import io.ringfence.engine.message.CounterCopy;
import io.ringfence.engine.message.FetchMessage;
import io.ringfence.engine.message.InventoryMessage;
import io.ringfence.engine.message.Knowledge;
import io.ringfence.engine.message.Ledger;
import io.ringfence.engine.message.NotOwnerMessage;
import io.ringfence.engine.message.PassMessage;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.engine.message.SlotCopy;
import io.ringfence.engine.message.TakenMessage;
import io.ringfence.engine.message.Term;
import io.ringfence.engine.message.Version;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.ViewName;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

/**
 * What a peer may and may not say of slots and in copies: the largest that is allowed passes, one
 * more is an error, and so is every number outside its range.
 */
class SlotFramesTest {
  private static final ViewName VIEW = new ViewName(7, 1);
  private static final Version VERSION = new Version(new Term(7, 2), 9);
  private static final Algorithm ALGORITHM = Algorithm.of(Kind.FIXED_WINDOW, 5, 1_000_000_000, 0);
  private static final int FIRST_ALGORITHM = Long.BYTES + Fields.VIEW_NAME_BYTES + Short.BYTES;
  private static final int FIRST_SLOT = FIRST_ALGORITHM + 25 + Short.BYTES;
  private static final int FIRST_COUNTER = FIRST_SLOT + 4 + 1 + 20 + 9 + 2;

  @Property(tries = 1_000)
  void anyNoiseInAMessageLeavesAMessageOrAProtocolError(
      @ForAll("messages") PeerMessage message, @ForAll @Size(min = 1, max = 6) int[] changes) {
    ByteBuf payload = payload(message);
    for (int change : changes) {
      int at = Math.floorMod(change, payload.writerIndex());
      payload.setByte(at, payload.getByte(at) ^ (1 << (change >>> 29)));
    }
    readOrRefused(MessageTable.codeOf(message), payload);
  }

  @Example
  void anyNoiseAtAllIsAMessageOrAProtocolError() {
    Fuzz fuzz = Fuzz.of("noise for the codecs of slots");
    List<FrameCode> codes =
        List.of(
            FrameCode.NOT_OWNER,
            FrameCode.INVENTORY,
            FrameCode.COPY,
            FrameCode.COPIED,
            FrameCode.PASS,
            FrameCode.TAKEN,
            FrameCode.INVENTORY_REQUEST,
            FrameCode.FETCH);
    for (int i = Fuzz.times(20_000); i > 0; i--) {
      byte[] noise = fuzz.noise(200);
      int sparse = fuzz.random().nextInt(4);
      for (int at = 0; at < noise.length; at++) {
        noise[at] = fuzz.random().nextInt(4) < sparse ? 0 : noise[at];
      }
      readOrRefused(fuzz.oneOf(codes), Unpooled.wrappedBuffer(noise));
    }
  }

  @Provide
  Arbitrary<PeerMessage> messages() {
    return SlotMessages.any();
  }

  /** What is read can be written again, in no more bytes than it came in. */
  private static void readOrRefused(FrameCode code, ByteBuf payload) {
    int length = payload.readableBytes();
    PeerMessage read;
    try {
      read = MessageTable.read(code, payload);
    } catch (ProtocolException expected) {
      return;
    }
    ByteBuf again = payload(read);
    assertEquals(MessageTable.frameBytes(read), again.readableBytes() + MessageTable.HEADER_BYTES);
    // A set of slots may end with zeros that are not written again.
    assertTrue(again.readableBytes() <= length, read::toString);
    assertEquals(Messages.comparable(read), Messages.comparable(MessageTable.read(code, again)));
  }

  @Example
  void theLongestListsComeThrough() {
    passes(new NotOwnerMessage(1, VIEW, repeated(64, SlotFramesTest::moved)));
    passes(new InventoryMessage(VIEW, 15, 16, repeated(8_192, SlotFramesTest::held)));
    passes(new PassMessage(VIEW, repeated(4_096, SlotFramesTest::passed)));
    passes(new CopiedMessage(1, VIEW, repeated(4_096, SlotFramesTest::untaken)));
    BitSet all = new BitSet();
    all.set(0, Limits.SLOT_SET_BYTES * Byte.SIZE);
    passes(new TakenMessage(VIEW, all));
    passes(new FetchMessage(VIEW, all));
    List<CounterCopy> none = List.of();
    passes(
        new CopyMessage(
            1,
            VIEW,
            Collections.nCopies(CopyMessage.MAX_ALGORITHMS, ALGORITHM),
            repeated(CopyMessage.MAX_SLOTS, slot -> copy(slot, none))));
    passes(copyOf(Collections.nCopies(SlotCopy.MAX_COUNTERS, counter(0, 2))));
    passes(copyOf(List.of(counter(Limits.VALUES_BYTES, CounterCopy.MAX_WORDS))));
  }

  @Example
  void aLongerListThanAllowedIsAnErrorWhateverFollows() {
    ByteBuf notOwner = payload(new NotOwnerMessage(1, VIEW, List.of()));
    refused(FrameCode.NOT_OWNER, notOwner, in -> in.setByte(24, CheckMessage.MAX_COUNTERS + 1));
    ByteBuf inventory = payload(new InventoryMessage(VIEW, 0, 1, List.of()));
    refused(FrameCode.INVENTORY, inventory, in -> in.setShort(18, InventoryMessage.MAX_HELD + 1));
    ByteBuf copied = payload(new CopiedMessage(1, VIEW, List.of()));
    refused(FrameCode.COPIED, copied, in -> in.setShort(24, CopyMessage.MAX_SLOTS + 1));
    ByteBuf pass = payload(new PassMessage(VIEW, List.of(passed(1))));
    refused(FrameCode.PASS, pass, in -> in.setShort(16, PassMessage.MAX_SLOTS + 1));
    refused(FrameCode.PASS, pass, in -> in.setShort(16, 0));
    ByteBuf taken = payload(new TakenMessage(VIEW, new BitSet()));
    refused(FrameCode.TAKEN, taken, in -> in.setShort(16, Limits.SLOT_SET_BYTES + 1));
    refused(FrameCode.FETCH, taken, in -> in.setShort(16, Limits.SLOT_SET_BYTES + 1));
    refusedCopy(FIRST_ALGORITHM - 2, CopyMessage.MAX_ALGORITHMS + 1);
    refusedCopy(FIRST_SLOT - 2, CopyMessage.MAX_SLOTS + 1);
    refusedCopy(FIRST_SLOT - 2, 0);
    refusedCopy(FIRST_COUNTER - 2, SlotCopy.MAX_COUNTERS + 1);
    refusedCopy(FIRST_COUNTER + 8, Limits.VALUES_BYTES + 1);
    refusedCopy(FIRST_COUNTER + 30 + 4, CounterCopy.MAX_WORDS + 1);
  }

  /** Nothing is allocated for a count whose items cannot be there. */
  @Example
  void aListThatIsAnnouncedAndDoesNotComeIsAnErrorAtOnce() {
    ByteBuf copy = payload(copyOf(List.of(counter(4, 2))));
    ByteBuf announced = copy.copy(0, FIRST_COUNTER - 2).writeShort(SlotCopy.MAX_COUNTERS);
    ProtocolException error =
        assertThrows(ProtocolException.class, () -> MessageTable.read(FrameCode.COPY, announced));
    assertEquals("COPY ends too early", error.getMessage());
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> Fields.readCount(Unpooled.buffer().writeShort(0xffff).writeZero(99), 0xffff, 1_000));
  }

  @Example
  void aNumberOutsideItsRangeIsAnError() {
    refusedCopy(FIRST_ALGORITHM, 0x07_00); // there is no kind 7
    refusedCopy(FIRST_ALGORITHM + 1, 0x8000); // a negative limit
    refusedCopy(FIRST_ALGORITHM + 9, 0x7fff); // a window of centuries
    refusedCopy(FIRST_ALGORITHM + 17, 1); // a burst for one that has none
    refusedCopy(FIRST_SLOT, 0x8000);
    refusedCopy(FIRST_SLOT + 4, 0x06_00); // there is no kind 6
    refusedCopy(FIRST_SLOT + 5, 0x8000); // the epoch
    refusedCopy(FIRST_SLOT + 13, 0x8000); // the step
    refusedCopy(FIRST_SLOT + 17, 0x8000); // the batch
    refusedCopy(FIRST_SLOT + 25, 0x04_00); // there is no knowledge 4
    refusedCopy(FIRST_SLOT + 26, 0x8000); // its age
    refusedCopy(FIRST_COUNTER + 14, 1); // the second algorithm of one
    refusedCopy(FIRST_COUNTER + 16, CounterCopy.MAX_ACCOUNT + 1);
    refusedCopy(FIRST_COUNTER + 18, 0x8000); // told
    refusedCopy(FIRST_COUNTER + 26, 0x8000); // from
    refusedCopy(FIRST_COUNTER + 28, 1); // from beyond the end
    refusedCopy(FIRST_COUNTER + 30, 0x0081); // more words in all than any state has
    refusedCopy(FIRST_COUNTER + 32, 1); // fewer in all than there are here
    ByteBuf inventory = payload(new InventoryMessage(VIEW, 0, 1, List.of(held(1))));
    refused(FrameCode.INVENTORY, inventory, in -> in.setByte(16, 1)); // the second part of one
    refused(FrameCode.INVENTORY, inventory, in -> in.setByte(17, 0));
    refused(FrameCode.INVENTORY, inventory, in -> in.setByte(17, InventoryMessage.MAX_PARTS + 1));
    refused(FrameCode.INVENTORY, inventory, in -> in.setByte(20, 0x80)); // a negative slot
    refused(FrameCode.INVENTORY, inventory, in -> in.setByte(24, 2)); // neither open nor not
    ByteBuf copied = payload(new CopiedMessage(1, VIEW, List.of(untaken(1))));
    refused(FrameCode.COPIED, copied, in -> in.setByte(26, 0x80));
    refused(FrameCode.COPIED, copied, in -> in.setByte(30, 4)); // there is no reason 4
    ByteBuf pass = payload(new PassMessage(VIEW, List.of(passed(1))));
    refused(FrameCode.PASS, pass, in -> in.setByte(18, 0x80));
    ByteBuf notOwner = payload(new NotOwnerMessage(1, VIEW, List.of(moved(1))));
    refused(FrameCode.NOT_OWNER, notOwner, in -> in.setByte(25, 0x80));
    refused(FrameCode.NOT_OWNER, notOwner, in -> in.setByte(31, ' ')); // not in a name
  }

  @Example
  void whatIsTooLargeForTheWireIsRefusedBeforeItIsQueued() {
    CounterCopy half = counter(Limits.VALUES_BYTES, CounterCopy.MAX_WORDS);
    tooLarge(copyOf(Collections.nCopies(4, half)));
    // So large that the sum of an int would come round to little again.
    List<CounterCopy> many = Collections.nCopies(SlotCopy.MAX_COUNTERS, half);
    tooLarge(new CopyMessage(1, VIEW, List.of(ALGORITHM), repeated(64, slot -> copy(slot, many))));
    tooLarge(copyOf(List.of(counter(Limits.VALUES_BYTES + 1, 0))));
    tooLarge(new CopyMessage(1, VIEW, List.of(), List.of(copy(1, List.of(counter(1, 1))))));
    Version other = new Version(VERSION.term(), VERSION.batch() - 1);
    SlotCopy based =
        new SlotCopy(1, SlotCopy.Kind.CHANGES, VERSION, other, Knowledge.WHOLE, List.of());
    tooLarge(new CopyMessage(1, VIEW, List.of(), List.of(based)));
    BitSet far = new BitSet();
    far.set(Limits.SLOT_SET_BYTES * Byte.SIZE);
    tooLarge(new TakenMessage(VIEW, far));
    tooLarge(new FetchMessage(VIEW, far));
  }

  private static NotOwnerMessage.Moved moved(int slot) {
    return new NotOwnerMessage.Moved(slot, new MemberId("n", slot));
  }

  private static InventoryMessage.Held held(int slot) {
    return new InventoryMessage.Held(slot, slot % 2 == 0, VERSION);
  }

  private static PassMessage.Passed passed(int slot) {
    return new PassMessage.Passed(slot, VERSION);
  }

  private static CopiedMessage.Untaken untaken(int slot) {
    return new CopiedMessage.Untaken(slot, CopiedMessage.Reason.NO_ROOM);
  }

  private static CounterCopy counter(int values, int words) {
    return new CounterCopy(
        1, new byte[values], 0, 3, 4, 0, Math.max(1, words), new long[words], Ledger.EMPTY);
  }

  private static SlotCopy copy(int slot, List<CounterCopy> counters) {
    return new SlotCopy(slot, SlotCopy.Kind.WHOLE, VERSION, VERSION, Knowledge.WHOLE, counters);
  }

  private static CopyMessage copyOf(List<CounterCopy> counters) {
    return new CopyMessage(1, VIEW, List.of(ALGORITHM), List.of(copy(5, counters)));
  }

  private static <T> List<T> repeated(int count, IntFunction<T> item) {
    return IntStream.range(0, count).mapToObj(item).toList();
  }

  private static ByteBuf payload(PeerMessage message) {
    ByteBuf frame = Unpooled.buffer();
    MessageTable.write(message, frame);
    return frame.skipBytes(MessageTable.HEADER_BYTES).slice();
  }

  private static void passes(PeerMessage message) {
    ByteBuf payload = payload(message);
    assertEquals(
        MessageTable.frameBytes(message), payload.readableBytes() + MessageTable.HEADER_BYTES);
    PeerMessage read = MessageTable.read(MessageTable.codeOf(message), payload);
    assertEquals(Messages.comparable(message), Messages.comparable(read));
  }

  private static void tooLarge(PeerMessage message) {
    assertThrows(IllegalArgumentException.class, () -> MessageTable.frameBytes(message));
  }

  /** A copy of one slot with one counter is refused once these two bytes are there. */
  private static void refusedCopy(int at, int twoBytes) {
    ByteBuf payload = payload(copyOf(List.of(counter(4, 2))));
    refused(FrameCode.COPY, payload, in -> in.setShort(at, twoBytes));
  }

  private static void refused(FrameCode code, ByteBuf valid, Consumer<ByteBuf> change) {
    ByteBuf changed = valid.copy();
    change.accept(changed);
    String hex = ByteBufUtil.hexDump(changed);
    ProtocolException error =
        assertThrows(ProtocolException.class, () -> MessageTable.read(code, changed), hex);
    String told = String.valueOf(error.getMessage());
    assertFalse(told.endsWith("too early") || told.endsWith("too many"), () -> told + ": " + hex);
  }
}
