package io.ringfence.embed;

import static java.util.Objects.requireNonNull;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.config.NodeFile;
import io.ringfence.config.NodeFlag;
import io.ringfence.membership.Address;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a whole node serves admin calls, and where it does not. */
class AdminAddressTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String TOKEN = "0123456789abcdef";
  private static final String RULES =
      "rules: [{name: api, by: client, limit: %d, window: 1h}, {name: pro, match: {tier: pro},"
          + " rate: 9/s}]";

  @TempDir Path dir;
  private final HttpClient client = HttpClient.newHttpClient();

  private RingfenceNode node(String listen, String more) throws Exception {
    Files.writeString(dir.resolve("rules.yaml"), RULES.formatted(50));
    Files.writeString(dir.resolve("token"), TOKEN + "\n");
    Path file =
        Files.writeString(
            dir.resolve("node.yaml"), "listen: {" + listen + "}\nrules: rules.yaml\n" + more);
    return RingfenceNode.start(NodeFile.load(file, Map.of(), null).config());
  }

  private HttpResponse<String> get(Address address, String path, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://" + address + path)).timeout(PATIENCE);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void withAnAddressOfTheirOwnAdminCallsAreServedThereAlone() throws Exception {
    try (RingfenceNode node = node("http: '127.0.0.1:0', admin: '127.0.0.1:0'", "")) {
      Address http = node.addresses().http();
      Address admin = requireNonNull(node.addresses().admin());
      assertNotEquals(http, admin);

      assertEquals(200, get(admin, "/v1/limits").statusCode());
      assertEquals(404, get(http, "/v1/limits").statusCode());
      assertEquals(404, get(admin, "/v1/owner?key=k").statusCode());
      assertEquals(200, get(http, "/v1/owner?key=k").statusCode());
      for (String path : List.of("/health/live", "/metrics", "/v1/cluster")) {
        assertEquals(200, get(admin, path).statusCode(), path);
        assertEquals(200, get(http, path).statusCode(), path);
      }
    }
  }

  @Test
  void onLoopbackAdminCallsAreServedBesideAllOthers() throws Exception {
    try (RingfenceNode node = node("http: '127.0.0.1:0'", "auth: {admin_token_file: token}")) {
      assertNull(node.addresses().admin());
      Address http = node.addresses().http();
      HttpResponse<String> refused = get(http, "/v1/limits");
      assertEquals(401, refused.statusCode());
      assertEquals("Bearer", refused.headers().firstValue("www-authenticate").orElse(""));
      assertEquals(200, get(http, "/v1/limits", "Authorization", "Bearer " + TOKEN).statusCode());
      assertTrue(
          get(http, "/metrics")
              .body()
              .contains("ringfence_overflow_total{bound=\"http-admin-token\"} 1.0"));
    }
  }

  @Test
  void whereOthersReachTheHttpAddressAdminCallsAreNotServed() throws Exception {
    try (RingfenceNode node = node("http: '0.0.0.0:0'", "auth: {admin_token_file: token}")) {
      Address http = new Address("127.0.0.1", node.addresses().http().port());
      assertEquals(404, get(http, "/v1/limits", "Authorization", "Bearer " + TOKEN).statusCode());
      assertEquals(200, get(http, "/health/live").statusCode());
    }
  }

  @Test
  void theRulesInForceAreShownAsWrittenAlsoAfterAReload() throws Exception {
    try (RingfenceNode node = node("http: '127.0.0.1:0'", "")) {
      Address http = node.addresses().http();
      String version = node.limiter().rules().version();
      String shown =
          "{\"version\":\"%s\",\"tiers\":{\"*\":[{\"name\":\"api\",\"by\":\"client\",\"limit\":%d,"
              + "\"window\":\"1h\"}],\"pro\":[{\"name\":\"pro\",\"match\":{\"tier\":\"pro\"},"
              + "\"rate\":\"9/s\"}]}}";
      assertEquals(shown.formatted(version, 50), get(http, "/v1/limits").body());

      Files.writeString(dir.resolve("rules.yaml"), RULES.formatted(70));
      await("other rules are in force")
          .atMost(PATIENCE)
          .until(() -> get(http, "/v1/limits").body().contains("\"limit\":70"));
      String other = node.limiter().rules().version();
      assertNotEquals(version, other);
      assertEquals(shown.formatted(other, 70), get(http, "/v1/limits").body());
    }
  }

  @Test
  void anAdminAddressThatIsTakenIsNamed() throws Exception {
    try (ServerSocket taken = new ServerSocket(0)) {
      String address = "127.0.0.1:" + taken.getLocalPort();
      Map<NodeFlag, String> flags = Map.of(NodeFlag.HTTP, "127.0.0.1:0", NodeFlag.ADMIN, address);
      IOException refused =
          assertThrows(
              IOException.class,
              () -> RingfenceNode.start(NodeFile.load(null, flags, null).config()));
      assertTrue(
          requireNonNull(refused.getMessage()).startsWith("cannot listen for admin on " + address));
    }
  }
}
