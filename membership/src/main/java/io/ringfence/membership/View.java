package io.ringfence.membership;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A numbered agreement on who the members are. Every node routes, decides and hands over by exactly
 * one view at a time, and names it in what it sends.
 *
 * <p>Members stand in order of seniority: who entered first comes first, and the first voter is the
 * senior, who proposes the next view. Two rings follow from a view. The <em>base</em> is where
 * slots are: checks are routed by it. The <em>target</em> is where slots go. In a settled view they
 * are the same, every slot is open at its owner and its backup holds a full copy. They may be the
 * same in a view that is not settled yet: after a loss slots have to be opened and copied.
 *
 * <p>Look-ups walk the list, which is short; whoever looks up on a hot path builds an index once
 * per view. Immutable and thread-safe.
 *
 * @param lineage the family of views that this one belongs to
 * @param name its number within the lineage
 * @param members 1 to 1,024, by seniority, names unique, at least one voter and one in the base
 * @param settled whether base and target are the same and all slots are where they belong; given by
 *     whoever proposes the view, since the members alone do not tell
 */
public record View(Lineage lineage, ViewName name, List<Member> members, boolean settled) {
  /** The most members that a view can have. */
  public static final int MAX_MEMBERS = 1_024;

  /**
   * @throws IllegalArgumentException when one of the invariants above does not hold
   */
  public View {
    members = List.copyOf(members);
    if (members.isEmpty() || members.size() > MAX_MEMBERS) {
      throw new IllegalArgumentException(
          "a view has 1.." + MAX_MEMBERS + " members, not " + members.size());
    }
    Set<String> names = new HashSet<>();
    boolean anyVoter = false;
    boolean anyBase = false;
    for (Member member : members) {
      if (!names.add(member.name())) {
        throw new IllegalArgumentException("two members of a view are named " + member.name());
      }
      if (settled && !member.isSettled()) {
        throw new IllegalArgumentException(
            "base and target of a settled view differ in " + member.id());
      }
      anyVoter |= member.state().votes();
      anyBase |= member.inBase();
    }
    if (!anyVoter || !anyBase) {
      throw new IllegalArgumentException(
          "a view needs at least one ACTIVE or DRAINING member, and one in the base");
    }
  }

  /** Lineage and name, which together tell this view from every other. */
  public ViewStamp stamp() {
    return new ViewStamp(lineage, name);
  }

  /** Short for the epoch of the name, at least 1. */
  public long epoch() {
    return name.epoch();
  }

  /** Those who decide on the next view, by seniority; never empty. */
  public List<Member> voters() {
    return members.stream().filter(m -> m.state().votes()).toList();
  }

  /** The first voter, who proposes the next view. */
  public Member senior() {
    return voters().get(0);
  }

  /** The members of the base ring, by which checks are routed; never empty. */
  public List<Member> base() {
    return members.stream().filter(Member::inBase).toList();
  }

  /** The members of the target ring, to which slots move. */
  public List<Member> target() {
    return members.stream().filter(m -> m.state().inTarget()).toList();
  }

  /** The member with this very id, or null. */
  public @Nullable Member member(MemberId id) {
    Member member = named(id.name());
    return member != null && member.id().equals(id) ? member : null;
  }

  /** Whether no other member than that one is present. */
  public boolean hasNoneBut(MemberId id) {
    return members.stream().allMatch(m -> m.id().equals(id) || !m.state().isPresent());
  }

  /** The member of this name, whatever its incarnation, or null. */
  public @Nullable Member named(String memberName) {
    for (Member member : members) {
      if (member.name().equals(memberName)) {
        return member;
      }
    }
    return null;
  }

  /** Whether the member with this very id is listed. */
  public boolean contains(MemberId id) {
    return member(id) != null;
  }

  /** One line that an operator can read. */
  @Override
  public String toString() {
    return "view "
        + name
        + (settled ? " (settled, " : " (moving, ")
        + members.size()
        + " of lineage "
        + lineage
        + "): "
        + members.stream().map(View::describe).collect(Collectors.joining(", "));
  }

  private static String describe(Member member) {
    String weight = member.weight() == 1 ? "" : " weight " + member.weight();
    if (member.inBase() && member.baseWeight() != member.weight()) {
      weight = " weight " + member.baseWeight() + " to " + member.weight();
    }
    return member.id() + " " + member.state() + " " + member.peer() + weight;
  }
}
