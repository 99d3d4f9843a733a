package io.ringfence.rules;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a caller told about the request to be limited: who (client), what (method and path) and the
 * attributes that rules match on or count by.
 *
 * @param client the key of the check; never empty
 * @param method the HTTP method in upper case, or null where the route named none; a rule that
 *     names methods never matches a request without one
 * @param path the path as the caller wrote it, or null where the check named no route; matching
 *     normalises it
 * @param tier the plan of the client, or null
 * @param attributes further attributes by name (ip, user, tenant, api_key and those that the rules
 *     file declares)
 */
public record Request(
    String client,
    @Nullable String method,
    @Nullable String path,
    @Nullable String tier,
    Map<String, String> attributes) {

  /** Validates that there is a client, and copies the attributes. */
  public Request {
    if (client.isEmpty()) {
      throw new IllegalArgumentException("client must not be empty");
    }
    attributes = Map.copyOf(attributes);
  }

  /** A request of a client that names nothing else. */
  public static Request of(String client) {
    return new Request(client, null, null, null, Map.of());
  }
}
