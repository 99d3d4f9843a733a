package io.ringfence.chaos.wire;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;

/**
 * What is asked of {@code /v1/check} and {@code /v1/peek}.
 *
 * @param key the client
 * @param route {@code METHOD PATH}
 * @param attributes ip, user and so on; may be empty
 * @param cost from 1
 */
public record CheckRequest(String key, String route, Map<String, String> attributes, long cost) {

  /** Attributes are copied. */
  public CheckRequest {
    attributes = Map.copyOf(attributes);
  }

  /** A check of a client that has no attributes, for 1. */
  public CheckRequest(String key, String route) {
    this(key, route, Map.of(), 1);
  }

  /** The same with one attribute more. */
  public CheckRequest with(String attribute, String value) {
    Map<String, String> merged = new HashMap<>(attributes);
    merged.put(attribute, value);
    return new CheckRequest(key, route, merged, cost);
  }

  /** The same for that cost. */
  public CheckRequest costing(long units) {
    return new CheckRequest(key, route, attributes, units);
  }

  /** The call that charges. */
  public Call check() {
    return Call.post("/v1/check", json());
  }

  /** The operator's call that makes its counters as good as new. */
  public Call reset() {
    return Call.post("/v1/reset", json());
  }

  /** The call that looks and charges nothing. */
  public Call peek() {
    return Call.post("/v1/peek", json());
  }

  private String json() {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("key", key).put("route", route);
    if (cost != 1) {
      body.put("cost", cost);
    }
    if (!attributes.isEmpty()) {
      attributes.forEach(body.putObject("attributes")::put);
    }
    return body.toString();
  }
}
