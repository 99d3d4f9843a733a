package io.ringfence;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What tests that feed noise have in common. Every run draws a seed and prints it; {@code
 * -Dringfence.fuzz.seed=N} repeats one, and {@code -Dringfence.fuzz.factor=N} makes all of them N
 * times as long.
 */
public final class Fuzz {
  private static final String SEED = "ringfence.fuzz.seed";
  private static final String FACTOR = "ringfence.fuzz.factor";

  private final long seed;
  private final Random random;

  private Fuzz(long seed) {
    this.seed = seed;
    this.random = new Random(seed);
  }

  /** A source of noise for the test of that name. */
  public static Fuzz of(String test) {
    long seed = Long.getLong(SEED, new Random().nextLong());
    System.out.println("fuzz: " + test + " -D" + SEED + "=" + seed);
    return new Fuzz(seed);
  }

  /** How often to do what usually is done that often. */
  public static int times(int usual) {
    return Math.multiplyExact(usual, Integer.getInteger(FACTOR, 1));
  }

  /** The words for a failure's message. */
  public String replay() {
    return "-D" + SEED + "=" + seed;
  }

  /** The source of chance. */
  public Random random() {
    return random;
  }

  /** Bytes of no meaning. */
  public byte[] noise(int most) {
    byte[] bytes = new byte[1 + random.nextInt(most)];
    random.nextBytes(bytes);
    return bytes;
  }

  /** One of them. */
  public <T> T oneOf(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  /**
   * The bytes with one to four changes: a bit turned, a run removed, doubled, moved, replaced by
   * noise or by a piece, or the end cut off.
   */
  public byte[] mutated(byte[] valid, List<byte[]> pieces) {
    byte[] mutant = valid;
    for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
      mutant = changed(mutant, pieces);
    }
    return mutant;
  }

  private byte[] changed(byte[] before, List<byte[]> pieces) {
    int at = random.nextInt(before.length + 1);
    int end = Math.min(before.length, at + 1 + random.nextInt(16));
    byte[] run = Arrays.copyOfRange(before, at, end);
    return switch (random.nextInt(7)) {
      case 0 -> turned(before);
      case 1 -> spliced(before, at, end, new byte[0]);
      case 2 -> spliced(before, at, at, run);
      case 3 -> spliced(before, at, end, noise(8));
      case 4 -> spliced(before, at, at, oneOf(pieces));
      case 5 -> spliced(before, at, end, oneOf(pieces));
      default -> random.nextInt(4) == 0 ? Arrays.copyOf(before, at) : turned(before);
    };
  }

  private byte[] turned(byte[] before) {
    byte[] after = before.clone();
    if (after.length > 0) {
      after[random.nextInt(after.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return after;
  }

  private static byte[] spliced(byte[] before, int from, int to, byte[] inserted) {
    byte[] after = new byte[before.length - (to - from) + inserted.length];
    System.arraycopy(before, 0, after, 0, from);
    System.arraycopy(inserted, 0, after, from, inserted.length);
    System.arraycopy(before, to, after, from + inserted.length, before.length - to);
    return after;
  }

  /** The bytes in one to six parts. */
  public List<byte[]> split(byte[] whole) {
    List<byte[]> parts = new ArrayList<>();
    int from = 0;
    for (int cuts = random.nextInt(6); cuts > 0 && from < whole.length; cuts--) {
      int to = from + 1 + random.nextInt(whole.length - from);
      parts.add(Arrays.copyOfRange(whole, from, to));
      from = to;
    }
    if (from < whole.length) {
      parts.add(Arrays.copyOfRange(whole, from, whole.length));
    }
    return parts;
  }

  /** The files of a directory of {@code corpus} in the test resources, by name. */
  public static Map<String, byte[]> corpus(String directory) {
    URL url = Objects.requireNonNull(Fuzz.class.getResource("/corpus/" + directory), directory);
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> list = Files.list(Path.of(url.toURI()))) {
      for (Path file : list.toList()) {
        files.put(Objects.requireNonNull(file.getFileName()).toString(), Files.readAllBytes(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
    return files;
  }
}
