package io.ringfence.membership;

import java.util.Comparator;
import java.util.regex.Pattern;

/**
 * One process of one node. The name is given by the operator and outlives restarts; the incarnation
 * is drawn at random when the process starts. A restarted node is therefore another member of the
 * same name, and nothing that the old process left behind can be taken for the new one's.
 *
 * <p>The order, by name and then incarnation, has no meaning; it only makes lists reproducible.
 * Immutable and thread-safe.
 *
 * @param name 1 to 64 characters of {@code [A-Za-z0-9._-]}
 * @param incarnation any 64 bits, random per process
 */
public record MemberId(String name, long incarnation) implements Comparable<MemberId> {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final Pattern INCARNATION = Pattern.compile("[0-9a-f]{16}");
  private static final Comparator<MemberId> ORDER =
      Comparator.comparing(MemberId::name).thenComparingLong(MemberId::incarnation);

  /**
   * @throws IllegalArgumentException when the name is not 1..64 of the allowed characters
   */
  public MemberId {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "a node name is 1..64 characters of [A-Za-z0-9._-]; this one has "
              + name.length()
              + (name.length() > 64 ? "" : ", or others among them"));
    }
  }

  /**
   * Reads the form that {@link #toString} writes.
   *
   * @throws IllegalArgumentException when the text is anything else
   */
  public static MemberId parse(String text) {
    int at = text.lastIndexOf('@');
    if (at < 0 || !INCARNATION.matcher(text.substring(at + 1)).matches()) {
      throw new IllegalArgumentException("a member id reads name@ and 16 lower-case hex digits");
    }
    return new MemberId(text.substring(0, at), Long.parseUnsignedLong(text.substring(at + 1), 16));
  }

  /** Written out, as a view change compares members some hundred thousand times. */
  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof MemberId id && incarnation == id.incarnation && name.equals(id.name));
  }

  @Override
  public int hashCode() {
    return Long.hashCode(incarnation); // random, so as good as any mixture
  }

  @Override
  public int compareTo(MemberId other) {
    return ORDER.compare(this, other);
  }

  /** {@code name@} and the incarnation as 16 hex digits. */
  @Override
  public String toString() {
    return name + "@" + String.format("%016x", incarnation);
  }
}
