package io.ringfence.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.ringfence.engine.ClusterStatus;
import io.ringfence.engine.ClusterStatus.MemberShare;
import io.ringfence.engine.Limiter;
import io.ringfence.engine.Placed;
import io.ringfence.engine.SlotCounts;
import io.ringfence.membership.Member;
import io.ringfence.membership.View;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** The answers that tell of the node and its cluster. Thread-safe. */
final class ClusterPages {
  private final Limiter limiter;
  private final Supplier<ViewFacts> view;
  private final int keyBytes;

  ClusterPages(Limiter limiter, Supplier<ViewFacts> view, int keyBytes) {
    this.limiter = limiter;
    this.view = view;
    this.keyBytes = keyBytes;
  }

  /** Where the counter lives that a check with those fields would meet. */
  Placed place(String query) throws BadInput {
    CheckFields fields = new CheckFields(keyBytes);
    Set<String> seen = new HashSet<>();
    Query.read(
        query,
        (name, value) -> {
          if (!seen.add(name)) {
            throw BadInput.invalid(name, name + " appears twice");
          }
          switch (name) {
            case "key" -> fields.key(value);
            case "route" -> fields.route(value);
            case "tier" -> fields.tier(value);
            case "cost", "request_id", "attributes" ->
                throw BadInput.invalid(
                    name,
                    name + " has no place here; give key, route, tier and attributes by name");
            default -> fields.attribute(name, value);
          }
        });
    return limiter.place(fields.request());
  }

  static void writeOwner(JsonGenerator json, Placed placed) throws IOException {
    json.writeStartObject();
    json.writeNumberField("slot", placed.slot());
    json.writeStringField("owner", placed.owner());
    json.writeStringField("backup", placed.backup());
    json.writeNumberField("epoch", placed.epoch());
    json.writeEndObject();
  }

  void writeCluster(JsonGenerator json) throws IOException {
    ClusterStatus status = limiter.cluster();
    json.writeStartObject();
    json.writeStringField("node", status.node());
    json.writeNumberField("epoch", status.epoch());
    json.writeArrayFieldStart("members");
    for (MemberShare share : status.members()) {
      Member member = share.member();
      json.writeStartObject();
      json.writeStringField("name", member.name());
      json.writeStringField("http", member.http().toString());
      json.writeStringField("peer", member.peer().toString());
      json.writeStringField("state", member.state().name());
      json.writeBooleanField("voter", member.state().votes());
      json.writeNumberField("weight", member.weight());
      json.writeNumberField("slots", share.slots());
      json.writeStringField("rules_version", share.rulesVersion());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeStringField("rules_version", status.rulesVersion());
    json.writeBooleanField("degraded", status.degraded());
    ViewFacts facts = view.get();
    writeStanding(json, facts);
    writeSlots(json, facts);
    json.writeEndObject();
  }

  private static void writeStanding(JsonGenerator json, ViewFacts facts) throws IOException {
    View held = facts.view();
    if (held == null) {
      json.writeNullField("view");
      json.writeNullField("lineage");
    } else {
      json.writeStringField("view", held.name().toString());
      json.writeStringField("lineage", held.lineage().toString());
    }
    json.writeBooleanField("settled", held != null && held.settled());
    json.writeNumberField("voters", held == null ? 0 : held.voters().size());
    json.writeBooleanField("lease_held", facts.leaseMillis() > 0);
    json.writeNumberField("lease_remaining_ms", facts.leaseMillis());
    json.writeStringField("drain", facts.drain().text());
  }

  private static void writeSlots(JsonGenerator json, ViewFacts facts) throws IOException {
    SlotCounts counts = facts.slots();
    json.writeObjectFieldStart("slots");
    json.writeNumberField("open", counts.open());
    json.writeNumberField("awaited", counts.awaited());
    json.writeNumberField("leaving", counts.leaving());
    json.writeNumberField("unprotected", counts.unprotected());
    json.writeNumberField("replication_lag_ms", facts.replicationLagMillis());
    json.writeEndObject();
  }

  /** What came of a weight that is taken; without an epoch where the view does not list it yet. */
  static void writeWeight(JsonGenerator json, String member, int weight, Weighing outcome)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("name", member);
    json.writeNumberField("weight", weight);
    if (outcome instanceof Weighing.Agreed agreed) {
      json.writeNumberField("epoch", agreed.epoch());
    } else {
      json.writeNullField("epoch");
    }
    json.writeEndObject();
  }

  static void writeHealth(JsonGenerator json, String word, List<String> reasons)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("status", word);
    if (!reasons.isEmpty()) {
      json.writeArrayFieldStart("reasons");
      for (String reason : reasons) {
        json.writeString(reason);
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }
}
