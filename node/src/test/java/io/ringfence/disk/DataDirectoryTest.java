package io.ringfence.disk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.Kind;
import io.ringfence.engine.CheckpointBatch;
import io.ringfence.engine.CheckpointBatches;
import io.ringfence.engine.SavedCounter;
import io.ringfence.engine.SavedSlots;
import io.ringfence.ring.RingSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
  private static final RingSettings RING = new RingSettings(256, 16, 1, 2);
  private static final long HOUR = 3_600_000_000_000L;

  @TempDir Path directory;

  private final List<String> warnings = new ArrayList<>();

  private static SavedCounter counter(int slot, int value, long... words) {
    return new SavedCounter(
        slot,
        77,
        new byte[] {0, 1, (byte) value},
        3,
        Algorithm.of(Kind.FIXED_WINDOW, 10, HOUR, 0),
        words,
        1_000_000_000L + value);
  }

  private static CheckpointBatch batch(int left, int opened, SavedCounter... counters) {
    return CheckpointBatches.of(left, opened, List.of(counters));
  }

  private void write(CheckpointBatch... batches) throws IOException {
    try (DataDirectory data = DataDirectory.open(directory, RING)) {
      data.read(warnings::add);
      data.remember("1");
      for (CheckpointBatch batch : batches) {
        data.write(batch, data.wantsAll());
      }
    }
  }

  private @Nullable SavedSlots read() throws IOException {
    try (DataDirectory data = DataDirectory.open(directory, RING)) {
      return data.read(warnings::add);
    }
  }

  private SavedSlots saved() throws IOException {
    SavedSlots saved = read();
    assertNotNull(saved);
    return saved;
  }

  private Path log() {
    return directory.resolve("checkpoint");
  }

  @Test
  void whatIsWrittenIsReadAgain() throws IOException {
    write(
        batch(-1, 5, counter(5, 1, 1, 2, 3)),
        batch(-1, 9, counter(9, 2, 4), counter(5, 3, -1)),
        batch(-1, -1, counter(5, 1, 8, 8)));
    SavedSlots saved = saved();
    assertEquals(2, saved.slots());
    assertEquals(3, saved.counters());
    SavedCounter first = CheckpointBatches.of(saved, 5).get(0);
    assertArrayEquals(new long[] {8, 8}, first.words());
    assertArrayEquals(new byte[] {0, 1, 1}, first.values());
    assertEquals(77, first.limitId());
    assertEquals(3, first.account());
    assertEquals(1_000_000_001L, first.wallNanos());
    assertEquals(Algorithm.of(Kind.FIXED_WINDOW, 10, HOUR, 0), first.algorithm());
    assertEquals(List.of(), warnings);
  }

  @Test
  void aSlotThatLeftIsForgotten() throws IOException {
    write(batch(-1, 5, counter(5, 1, 1)), batch(5, 6, counter(6, 1, 2), counter(5, 2, 3)));
    SavedSlots saved = saved();
    assertEquals(1, saved.slots());
    assertEquals(1, saved.counters());
  }

  @Test
  void theLogGoesOnAfterARestart() throws IOException {
    write(batch(-1, 5, counter(5, 1, 1)));
    write(batch(-1, 6, counter(6, 2, 2)));
    assertEquals(2, saved().counters());
  }

  @Test
  void aDirectoryThatWasInNoClusterIsThatOfAFirstStart() throws IOException {
    assertNull(read());
    try (DataDirectory data = DataDirectory.open(directory, RING)) {
      data.remember("1");
      data.remember("1");
    }
    assertEquals(0, saved().slots());
  }

  @Test
  void whatIsCutOffAnywhereIsReadUpToThere() throws IOException {
    write(batch(-1, 5, counter(5, 1, 1)));
    long whole = Files.size(log());
    write(batch(-1, -1, counter(5, 2, 2), counter(5, 3, 3)));
    byte[] all = Files.readAllBytes(log());
    for (int length = (int) whole + 1; length < all.length; length++) {
      Files.write(log(), Arrays.copyOf(all, length));
      warnings.clear();
      assertEquals(1, saved().counters(), "cut off after " + length);
      assertEquals(1, warnings.size());
      assertTrue(warnings.get(0).contains(log() + " ends in the middle"), warnings.get(0));
      assertEquals(whole, Files.size(log()));
    }
    write(batch(-1, -1, counter(5, 4, 4)));
    assertEquals(2, saved().counters());
  }

  @Test
  void aByteThatIsWrongEndsTheReadingAndHarmsNothingElse() throws IOException {
    write(batch(-1, 5, counter(5, 1, 1)));
    int whole = (int) Files.size(log());
    write(batch(-1, -1, counter(5, 2, 2)));
    byte[] all = Files.readAllBytes(log());
    for (int at = whole; at < all.length; at++) {
      byte[] wrong = all.clone();
      wrong[at] ^= 0x10;
      Files.write(log(), wrong);
      assertEquals(1, saved().counters(), "wrong at " + at);
    }
  }

  @Test
  void noiseIsNotRead() throws IOException {
    write(batch(-1, 5, counter(5, 1, 1)));
    Random random = new Random(7);
    for (int length : new int[] {0, 1, 15, 16, 17, 1_000}) {
      byte[] noise = new byte[length];
      random.nextBytes(noise);
      Files.write(log(), noise);
      warnings.clear();
      assertEquals(0, saved().slots());
      assertTrue(warnings.get(0).contains("is not a checkpoint of this release"), warnings.get(0));
    }
    write(batch(-1, 5, counter(5, 1, 1)));
    assertEquals(1, saved().counters());
  }

  @Test
  void aLogOfAnotherRingIsNotRead() throws IOException {
    write(batch(-1, 5, counter(5, 1, 1)));
    try (DataDirectory data = DataDirectory.open(directory, new RingSettings(256, 16, 1, 3))) {
      SavedSlots saved = data.read(warnings::add);
      assertNotNull(saved);
      assertEquals(0, saved.slots());
      assertTrue(warnings.get(0).contains("another name, secret or ring"), warnings.get(0));
      assertTrue(data.wantsAll());
    }
  }

  @Test
  void twoProcessesDoNotShareADirectory() throws IOException {
    try (DataDirectory data = DataDirectory.open(directory, RING)) {
      IOException refused =
          assertThrows(IOException.class, () -> DataDirectory.open(directory, RING));
      assertEquals("node.data: " + directory + ": another process uses it", refused.getMessage());
      assertTrue(data.wantsAll());
    }
    DataDirectory.open(directory, RING).close();
  }

  @Test
  void whatIsNoDirectoryIsRefusedByItsName() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "x");
    IOException refused = assertThrows(IOException.class, () -> DataDirectory.open(file, RING));
    assertEquals("node.data: " + file + ": it is not a directory", refused.getMessage());
  }

  @Test
  void aLogThatHasGrownIsBegunAnew() throws IOException {
    try (DataDirectory data = DataDirectory.open(directory, RING)) {
      data.remember("1");
      assertTrue(data.wantsAll());
      data.write(batch(-1, 5, counter(5, 1, new long[100])), true);
      int written = 1;
      while (!data.wantsAll()) {
        data.write(batch(-1, -1, counter(5, 1, new long[100_000])), false);
        written++;
      }
      assertEquals(22, written, "800 kB each, until there are 16 MiB");
      data.write(batch(-1, 5, counter(5, 1, 9)), true);
      assertFalse(data.wantsAll());
    }
    assertTrue(Files.size(log()) < 200);
    assertEquals(1, saved().counters());
  }

  @Test
  void whereAWriteFailsTheLastCheckpointStaysAndTheNextHasEverything() throws IOException {
    write(batch(-1, 5, counter(5, 1, 1)));
    try (DataDirectory data = DataDirectory.open(directory, RING)) {
      data.read(warnings::add);
      Files.createDirectory(directory.resolve("checkpoint.new"));
      assertFalse(data.wantsAll());
      assertThrows(IOException.class, () -> data.write(batch(-1, 5, counter(5, 2, 2)), true));
      assertTrue(data.wantsAll());
      Files.delete(directory.resolve("checkpoint.new"));
      data.write(batch(-1, 5, counter(5, 3, 3)), true);
    }
    assertEquals(1, saved().counters());
    assertEquals(3, CheckpointBatches.of(saved(), 5).get(0).values()[2]);
  }

  @Test
  void manyCountersAreSeveralFrames() throws IOException {
    SavedCounter[] many = new SavedCounter[100];
    for (int i = 0; i < many.length; i++) {
      many[i] = counter(5, i, new long[5_000]);
    }
    write(batch(-1, 5, many));
    assertEquals(100, saved().counters());
    try (var file = Files.newByteChannel(log(), StandardOpenOption.WRITE)) {
      file.truncate(Files.size(log()) - 1);
    }
    long read = saved().counters();
    assertTrue(read >= 70 && read < 100, "read: " + read);
  }
}
