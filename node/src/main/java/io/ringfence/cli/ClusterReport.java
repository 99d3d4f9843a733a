package io.ringfence.cli;

import io.ringfence.cli.ClusterAnswer.MemberLine;
import io.ringfence.cli.ClusterAnswer.Share;
import io.ringfence.cli.ClusterAnswer.SlotLine;
import io.ringfence.cli.ClusterAnswer.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a person wants to know of a cluster: the view of the node that was asked, what its members
 * say of themselves, and at the end whatever needs attention.
 */
final class ClusterReport {
  private static final Health UNKNOWN = new Health(Health.State.NOT_ASKED, "not asked");

  private final ClusterAnswer cluster;
  private final Map<String, Health> healthByName;

  ClusterReport(ClusterAnswer cluster, Map<String, Health> healthByName) {
    this.cluster = cluster;
    this.healthByName = healthByName;
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("node      " + cluster.node());
    lines.add("epoch     " + cluster.epoch());
    lines.add("members   " + cluster.members().size());
    Standing standing = cluster.standing();
    if (standing != null) {
      lines.add("voters    " + standing.voters());
      lines.add("settled   " + (standing.settled() ? "yes" : "no"));
      lines.add("lease     " + (standing.leaseMillis() > 0 ? "held" : "none"));
      if (!standing.drain().equals("none")) {
        lines.add("drain     " + standing.drain() + drainedMeans(standing));
      }
    }
    lines.add("slots     " + cluster.slots() + balance());
    SlotLine slots = standing == null ? null : standing.slots();
    if (slots != null) {
      lines.add("copies    " + slots.lagMillis() + " ms behind");
    }
    lines.add("rules     " + orDash(cluster.rulesVersion()));
    lines.add("degraded  " + (cluster.degraded() ? "yes" : "no"));
    if (!cluster.members().isEmpty()) {
      lines.add("");
      lines.addAll(table());
    }
    List<String> attention = attention();
    if (!attention.isEmpty()) {
      lines.add("");
      lines.add("needs attention:");
      attention.forEach(line -> lines.add("  " + line));
    }
    return lines;
  }

  private static String drainedMeans(Standing standing) {
    return standing.isDrained() ? ": it is in no view, owns nothing, and may be stopped" : "";
  }

  /** What is not as it should be, a line each; empty where all is well. */
  List<String> attention() {
    List<String> lines = new ArrayList<>();
    if (cluster.members().isEmpty()) {
      lines.add(cluster.node() + " has no view of the cluster yet");
    }
    Standing standing = cluster.standing();
    if (standing != null
        && standing.leaseMillis() == 0
        && !standing.isDrained()
        && !cluster.members().isEmpty()) {
      lines.add(
          cluster.node()
              + " holds no lease: it does not reach enough voters of its view, and answers by"
              + " on_partition until it does, or is promoted");
    }
    if (standing != null && standing.slots() != null) {
      lines.addAll(attention(standing.slots()));
    }
    if (cluster.degraded()) {
      lines.add(cluster.node() + " is degraded: failure policies answer some checks");
    }
    for (MemberLine member : cluster.members()) {
      if (!member.state().equals("ACTIVE")) {
        lines.add(member.name() + " is " + member.state());
      }
      Health health = health(member);
      if (health.state() == Health.State.NOT_READY) {
        lines.add(member.name() + " health: " + health.text());
      }
    }
    Map<String, List<String>> namesByVersion = namesByRulesVersion();
    if (namesByVersion.size() > 1) {
      lines.add("rules differ:");
      namesByVersion.forEach(
          (version, names) -> lines.add("  " + version + " on " + String.join(", ", names)));
    }
    return lines;
  }

  private List<String> attention(SlotLine slots) {
    List<String> lines = new ArrayList<>();
    if (slots.awaited() > 0) {
      lines.add(
          number(slots.awaited(), "is", "are")
              + " open nowhere yet: "
              + cluster.node()
              + " opens what is its own once it knows what the others hold and that nobody who"
              + " departed may still decide; wait, and if it lasts look at"
              + " ringfence_slots{state=\"awaited\"} and ringfence_members_away");
    }
    if (slots.leaving() > 0) {
      lines.add(
          number(slots.leaving(), "goes", "go")
              + " from "
              + cluster.node()
              + " to another member, and stays exact meanwhile; wait, and if it lasts look at"
              + " ringfence_slots{state=\"leaving\"} here and at ringfence_table_full there");
    }
    if (slots.unprotected() > 0) {
      lines.add(
          number(slots.unprotected(), "has", "have")
              + " no full copy elsewhere: if "
              + cluster.node()
              + " died now, on_state_lost would say what they have used; wait, and if it lasts look"
              + " at ringfence_slots{state=\"unprotected\"} and"
              + " ringfence_overflow_total{bound=\"copies\"}");
    }
    return lines;
  }

  private static String number(long count, String singular, String plural) {
    return count == 1 ? "1 slot " + singular : count + " slots " + plural;
  }

  private List<String> table() {
    Table table =
        new Table("member", "state", "slots", "share", "weight", "http", "peer", "rules", "health");
    for (MemberLine member : cluster.members()) {
      Share share = member.share();
      table.row(
          member.name(),
          member.state(),
          Long.toString(share.slots()),
          percent(share.slots(), cluster.slots()),
          Long.toString(share.weight()),
          member.addresses().http(),
          member.addresses().peer(),
          orDash(member.rulesVersion()),
          health(member).text());
    }
    return table.lines();
  }

  private Map<String, List<String>> namesByRulesVersion() {
    Map<String, List<String>> names = new TreeMap<>();
    for (MemberLine member : cluster.members()) {
      if (!member.rulesVersion().isEmpty()) {
        names.computeIfAbsent(member.rulesVersion(), version -> new ArrayList<>());
        names.get(member.rulesVersion()).add(member.name());
      }
    }
    return names;
  }

  private Health health(MemberLine member) {
    return healthByName.getOrDefault(member.name(), UNKNOWN);
  }

  private String balance() {
    double ratio = cluster.maxOverMean();
    return ratio == 0 ? "" : String.format(Locale.ROOT, ", max/mean %.3f by weight", ratio);
  }

  private static String percent(long part, long whole) {
    return whole == 0 ? "-" : String.format(Locale.ROOT, "%.1f%%", 100.0 * part / whole);
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }
}
