package io.ringfence.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a node says of its cluster.
 *
 * @param node the name of the node that says so
 * @param epoch of its view, 0 without one
 * @param members of the view, by seniority
 * @param rulesVersion of the rules in force on that node
 * @param degraded whether failure policies answer some of its checks
 * @param standing how it stands in its view, or null where it does not say
 */
record ClusterAnswer(
    String node,
    long epoch,
    List<MemberLine> members,
    String rulesVersion,
    boolean degraded,
    @Nullable Standing standing) {
  private static final int MAX_MEMBERS = 4_096;

  /**
   * One member.
   *
   * @param name its name
   * @param state the word for it
   * @param addresses where it listens
   * @param share what it owns
   * @param rulesVersion of its rules, empty where the node does not know
   */
  record MemberLine(
      String name, String state, Addresses addresses, Share share, String rulesVersion) {

    static MemberLine of(JsonObject object) throws UnexpectedJson {
      return new MemberLine(
          object.word("name"),
          object.word("state"),
          new Addresses(object.word("http"), object.word("peer")),
          new Share(object.count("slots"), object.count("weight")),
          Objects.requireNonNullElse(object.text("rules_version"), ""));
    }

    /** Whether slots are meant for it: the balance is looked at among those. */
    boolean inRing() {
      return share.slots > 0 || state.equals("ACTIVE");
    }
  }

  /**
   * How the node stands.
   *
   * @param voters how many members decide on the next view
   * @param settled whether all slots are open at the owners that the view wants for them, and their
   *     backups have full copies; so nobody joins or drains
   * @param leaseMillis how long its lease runs unless it is renewed; 0 without one
   * @param slots how the slots stand that it has to do with, or null where it does not say
   * @param drain {@code draining} or {@code drained} where it is on its way out or has left; {@code
   *     none} otherwise
   */
  record Standing(
      long voters, boolean settled, long leaseMillis, @Nullable SlotLine slots, String drain) {

    static @Nullable Standing of(JsonObject object) throws UnexpectedJson {
      return object.has("lease_remaining_ms")
          ? new Standing(
              object.count("voters"),
              object.truth("settled"),
              object.count("lease_remaining_ms"),
              SlotLine.of(object.object("slots")),
              Objects.requireNonNullElse(object.text("drain"), "none"))
          : null;
    }

    /** Whether it has left: it is in no view, holds no lease, and is not meant to. */
    boolean isDrained() {
      return drain.equals("drained");
    }
  }

  /**
   * How the slots stand at one node.
   *
   * @param awaited how many it should decide for, that are open nowhere as far as it knows
   * @param leaving how many it is to pass on and has not yet
   * @param unprotected for how many it decides without a full copy elsewhere
   * @param lagMillis how far behind the copy is that is furthest behind
   */
  record SlotLine(long awaited, long leaving, long unprotected, long lagMillis) {

    static @Nullable SlotLine of(@Nullable JsonObject object) throws UnexpectedJson {
      return object == null
          ? null
          : new SlotLine(
              object.count("awaited"),
              object.count("leaving"),
              object.count("unprotected"),
              object.count("replication_lag_ms"));
    }
  }

  /** Where a member listens, each as {@code host:port}. */
  record Addresses(String http, String peer) {}

  /** How many slots a member owns, and its weight, which says how many it should own. */
  record Share(long slots, long weight) {}

  static ClusterAnswer of(JsonObject object) throws UnexpectedJson {
    List<MemberLine> members = new ArrayList<>();
    for (JsonObject member : object.objects("members")) {
      if (members.size() == MAX_MEMBERS) {
        throw new UnexpectedJson("members are more than " + MAX_MEMBERS);
      }
      members.add(MemberLine.of(member));
    }
    return new ClusterAnswer(
        object.word("node"),
        object.count("epoch"),
        members,
        Objects.requireNonNullElse(object.text("rules_version"), ""),
        object.truth("degraded"),
        Standing.of(object));
  }

  long slots() {
    return members.stream().mapToLong(member -> member.share().slots()).sum();
  }

  /**
   * The largest number of slots for one unit of weight, over the mean of it; 1 is perfect balance.
   * 0 where nobody owns anything.
   */
  double maxOverMean() {
    long slots = 0;
    long weights = 0;
    double max = 0;
    for (MemberLine member : members) {
      Share share = member.share();
      if (member.inRing() && share.weight() > 0) {
        slots += share.slots();
        weights += share.weight();
        max = Math.max(max, (double) share.slots() / share.weight());
      }
    }
    return slots == 0 ? 0 : max * weights / slots;
  }
}
