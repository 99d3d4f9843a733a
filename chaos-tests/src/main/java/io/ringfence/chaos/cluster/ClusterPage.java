package io.ringfence.chaos.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringfence.chaos.wire.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What one node says at {@code /v1/cluster}.
 *
 * @param node who says it
 * @param epoch of the view that it has
 * @param members by seniority
 * @param settled whether all slots are where they belong, and their backups full
 * @param rulesVersion of the rules that it obeys
 */
public record ClusterPage(
    String node, long epoch, List<Line> members, boolean settled, String rulesVersion) {

  /** One member in a node's view. */
  public record Line(String name, String state, long slots) {}

  /** Members are copied. */
  public ClusterPage {
    members = List.copyOf(members);
  }

  static ClusterPage of(Answer answer) {
    if (answer.status() != 200) {
      throw new IllegalStateException(
          "status " + answer.status() + " for /v1/cluster: " + answer.body());
    }
    JsonNode page = answer.json();
    List<Line> members = new ArrayList<>();
    for (JsonNode member : page.withArray("members")) {
      members.add(
          new Line(
              member.required("name").asText(),
              member.required("state").asText(),
              member.required("slots").asLong()));
    }
    return new ClusterPage(
        page.required("node").asText(),
        page.required("epoch").asLong(),
        members,
        page.required("settled").asBoolean(),
        page.required("rules_version").asText());
  }

  /** Everybody in the view, whatever their state. */
  public Set<String> names() {
    return members.stream().map(Line::name).collect(Collectors.toSet());
  }

  /** Whether exactly those are in the view, each of them takes part, and it is settled. */
  boolean isSettledWith(Set<String> names) {
    return settled
        && names().equals(names)
        && members.stream().allMatch(member -> member.state().equals("ACTIVE"));
  }

  /** The largest share of slots against the mean. */
  public double maxToMeanSlots() {
    double most = members.stream().mapToLong(Line::slots).max().orElse(0);
    double all = members.stream().mapToLong(Line::slots).sum();
    return most * members.size() / all;
  }
}
