package io.ringfence.membership;

/**
 * What a member is to its view. Two rings follow from it: the base ring, by which checks are routed
 * and which a member is in or not by {@link Member#inBase}, and the target ring, to which slots
 * move.
 */
public enum MemberState {
  /** Takes over slots but holds none yet: in the target ring, not in the base, no voter. */
  JOINING(1),
  /** Holds slots, is in the target ring, and votes on views. */
  ACTIVE(2),
  /** Hands its slots over before it leaves: not in the target ring, but still votes. */
  DRAINING(3),
  /** Fell silent without being proven dead: in neither ring, no voter, and expected to return. */
  AWAY(4);

  private final int code;

  MemberState(int code) {
    this.code = code;
  }

  /** The number that stands for this state on the wire. Codes are only ever added. */
  public int code() {
    return code;
  }

  /**
   * The state of a wire code.
   *
   * @throws IllegalArgumentException when no state has that code
   */
  public static MemberState fromCode(int code) {
    return switch (code) {
      case 1 -> JOINING;
      case 2 -> ACTIVE;
      case 3 -> DRAINING;
      case 4 -> AWAY;
      default ->
          throw new IllegalArgumentException("member state code " + code + " is outside 1..4");
    };
  }

  /** Whether a member in this state decides on the next view. */
  public boolean votes() {
    return switch (this) {
      case ACTIVE, DRAINING -> true;
      case JOINING, AWAY -> false;
    };
  }

  /** Whether a member in this state takes part: any but one that is away. */
  public boolean isPresent() {
    return this != AWAY;
  }

  /** Whether slots are moved towards a member in this state. */
  public boolean inTarget() {
    return switch (this) {
      case JOINING, ACTIVE -> true;
      case DRAINING, AWAY -> false;
    };
  }

  /** Whether a member in this state may own slots in the base ring. */
  public boolean mayBeInBase() {
    return switch (this) {
      case ACTIVE, DRAINING -> true;
      case JOINING, AWAY -> false;
    };
  }
}
