package io.ringfence.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.ringfence.engine.ClusterStatus;
import io.ringfence.engine.ClusterStatus.MemberShare;
import io.ringfence.engine.Limiter;
import io.ringfence.engine.Placed;
import io.ringfence.membership.Member;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The answers that tell of the node and its cluster. Thread-safe. */
final class ClusterPages {
  private final Limiter limiter;
  private final int keyBytes;

  ClusterPages(Limiter limiter, int keyBytes) {
    this.limiter = limiter;
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
      json.writeNumberField("weight", member.weight());
      json.writeNumberField("slots", share.slots());
      json.writeStringField("rules_version", share.rulesVersion());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeStringField("rules_version", status.rulesVersion());
    json.writeBooleanField("degraded", status.degraded());
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
