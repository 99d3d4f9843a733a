package io.ringfence.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.ringfence.engine.ClusterStatus;
import io.ringfence.engine.ClusterStatus.MemberShare;
import io.ringfence.engine.Placed;
import io.ringfence.engine.SlotCounts;
import io.ringfence.membership.Address;
import io.ringfence.membership.Lineage;
import io.ringfence.membership.Member;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.MemberState;
import io.ringfence.membership.View;
import io.ringfence.membership.ViewName;
import io.ringfence.rules.Request;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is served beside checks, and what is not served. */
class EndpointsTest {
  private ServerFixture server;

  @BeforeEach
  void start() throws IOException {
    server = new ServerFixture();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void theClusterIsListedBySeniority() throws IOException {
    server.limiter.status =
        new ClusterStatus(
            "n1",
            7,
            List.of(
                member("n2", 8082, MemberState.ACTIVE, true, 8_000),
                member("n1", 8081, MemberState.JOINING, false, 0)),
            "5f2a",
            true);
    Member voter = member("n2", 8082, MemberState.ACTIVE, true, 8_000).member();
    ViewName name = new ViewName(7, 0x1_0000_00abL);
    server.view =
        new ViewFacts(
            new View(new Lineage(1, 5), name, List.of(voter), true),
            423,
            new SlotCounts(8_000, 3, 2, 1, 77),
            12,
            DrainState.DRAINING);
    Response response = server.ask(RawClient.get("/v1/cluster"));

    assertEquals(200, response.status());
    assertEquals(
        "{\"node\":\"n1\",\"epoch\":7,\"members\":["
            + "{\"name\":\"n2\",\"http\":\"127.0.0.1:8082\",\"peer\":\"127.0.0.1:7101\","
            + "\"state\":\"ACTIVE\",\"voter\":true,\"weight\":2,\"slots\":8000,\"rules_version\":\"5f2a\"},"
            + "{\"name\":\"n1\",\"http\":\"127.0.0.1:8081\",\"peer\":\"127.0.0.1:7101\","
            + "\"state\":\"JOINING\",\"voter\":false,\"weight\":2,\"slots\":0,\"rules_version\":\"5f2a\"}],"
            + "\"rules_version\":\"5f2a\",\"degraded\":true,"
            + "\"view\":\"7.1-000000ab\",\"lineage\":\"0000000000000005/1\",\"settled\":true,"
            + "\"voters\":1,\"lease_held\":true,\"lease_remaining_ms\":423,\"drain\":\"draining\","
            + "\"slots\":{\"open\":8000,\"awaited\":3,\"leaving\":2,\"unprotected\":1,"
            + "\"replication_lag_ms\":12}}",
        response.body());
  }

  @Test
  void aNodeInNoViewSaysSo() throws IOException {
    server.limiter.status = new ClusterStatus("n1", 0, List.of(), "5f2a", false);
    assertEquals(
        "{\"node\":\"n1\",\"epoch\":0,\"members\":[],\"rules_version\":\"5f2a\",\"degraded\":false,"
            + "\"view\":null,\"lineage\":null,\"settled\":false,"
            + "\"voters\":0,\"lease_held\":false,\"lease_remaining_ms\":0,\"drain\":\"none\","
            + "\"slots\":{\"open\":0,\"awaited\":0,\"leaving\":0,\"unprotected\":0,"
            + "\"replication_lag_ms\":0}}",
        server.ask(RawClient.get("/v1/cluster")).body());
  }

  @Test
  void aNodeIsPromotedOrSaysWhyNot() throws IOException {
    server.limiter.status = new ClusterStatus("n1", 0, List.of(), "5f2a", false);
    Response promoted = server.ask(RawClient.post("/v1/cluster/promote", ""));
    assertEquals(200, promoted.status());
    assertEquals("n1", promoted.json().get("node").asText());

    server.cluster.refusal = "it holds a lease";
    Response refused = server.ask(RawClient.post("/v1/cluster/promote", "{}"));
    assertEquals(409, refused.status());
    assertEquals(
        "this node is not promoted: it holds a lease", refused.json().get("detail").asText());
  }

  @Test
  void aNodeThatDrainsSaysHowFarItIsOrWhyNot() throws IOException {
    server.limiter.status = new ClusterStatus("n1", 0, List.of(), "5f2a", false);
    server.view = drain(DrainState.DRAINING);
    Response begun = server.ask(RawClient.post("/v1/cluster/drain", ""));
    assertEquals(202, begun.status());
    assertEquals("draining", begun.json().get("drain").asText());

    server.view = drain(DrainState.DRAINED);
    Response done = server.ask(RawClient.post("/v1/cluster/drain", "{}"));
    assertEquals(200, done.status());
    assertEquals("drained", done.json().get("drain").asText());

    server.cluster.refusal = "it is in no view";
    Response refused = server.ask(RawClient.post("/v1/cluster/drain", "{}"));
    assertEquals(409, refused.status());
    assertEquals(
        "this node is not drained: it is in no view", refused.json().get("detail").asText());
  }

  private static ViewFacts drain(DrainState state) {
    return new ViewFacts(null, 0, new SlotCounts(0, 0, 0, 0, 0), 0, state);
  }

  @Test
  void aMemberIsGivenAnotherWeight() throws IOException {
    Response agreed = weigh("n%202", "{\"weight\":100}");
    assertEquals(200, agreed.status());
    assertEquals("{\"name\":\"n 2\",\"weight\":100,\"epoch\":5}", agreed.body());
    assertEquals(List.of("weigh n 2 100"), server.cluster.asked);

    server.cluster.weighing = new Weighing.Waiting();
    Response waits = weigh("n2", " {\"weight\": 1} ");
    assertEquals(202, waits.status());
    assertEquals("{\"name\":\"n2\",\"weight\":1,\"epoch\":null}", waits.body());
  }

  @Test
  void aWeightThatCannotBeGivenIsRefusedWithTheReason() throws IOException {
    server.cluster.weighing = new Weighing.Unknown(List.of("n1", "n2"));
    refuses(404, "no member has that name; they are n1, n2", weigh("n9", "{\"weight\":2}"));
    server.cluster.weighing = new Weighing.Refused("n2 is AWAY");
    refuses(409, "n2 is AWAY", weigh("n2", "{\"weight\":2}"));
    server.cluster.weighing = new Weighing.Unavailable("no lease");
    refuses(503, "no lease", weigh("n2", "{\"weight\":2}"));
    server.cluster.asked.clear();
    for (String weight : List.of("0", "101", "-1", "1.0", "1e1", "\"2\"", "null", "99999999999")) {
      Response refused = weigh("n2", "{\"weight\":" + weight + "}");
      refuses(400, "weight must be an integer from 1 to 100", refused);
      assertEquals("weight", refused.json().get("field").asText());
    }
    refuses(400, "weight must be an integer from 1 to 100", weigh("n2", "{}"));
    refuses(400, "weight appears twice", weigh("n2", "{\"weight\":2,\"weight\":2}"));
    refuses(
        400,
        "zone is not a field here; the only one is weight",
        weigh("n2", "{\"weight\":2,\"zone\":\"a\"}"));
    refuses(400, "body goes on after its JSON object", weigh("n2", "{\"weight\":2}{}"));
    refuses(400, "body must be a JSON object with the field weight", weigh("n2", "2"));
    assertEquals(400, weigh("n2", "{\"weight\":2").status());
    assertEquals(400, weigh("n2", "").status());
    Response posted = server.ask(RawClient.post("/v1/cluster/members/n2", "{\"weight\":2}"));
    assertEquals(405, posted.status());
    assertEquals("PUT", posted.header("allow"));
    assertEquals(List.of(), server.cluster.asked);
  }

  private Response weigh(String member, String body) throws IOException {
    return server.ask(
        "PUT /v1/cluster/members/"
            + member
            + " HTTP/1.1\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body);
  }

  private static void refuses(int status, String detail, Response response) throws IOException {
    assertEquals(status, response.status());
    assertEquals(detail, response.json().get("detail").asText());
  }

  private static MemberShare member(
      String name, int httpPort, MemberState state, boolean inBase, int slots) {
    Member member =
        new Member(
            new MemberId(name, 1),
            new Address("127.0.0.1", 7101),
            new Address("127.0.0.1", httpPort),
            2,
            state,
            inBase);
    return new MemberShare(member, slots, "5f2a");
  }

  @Test
  void theOwnerIsThatOfTheWholeRequest() throws IOException {
    Response response =
        server.ask(
            RawClient.get("/v1/owner?key=cust%2042&route=POST+/v1/x&tier=free&ip=::ffff:1.2.3.4"));

    assertEquals(200, response.status());
    assertEquals("{\"slot\":17,\"owner\":\"n2\",\"backup\":\"n3\",\"epoch\":4}", response.body());
    Request placed = server.limiter.placed;
    assertNotNull(placed);
    assertEquals("cust 42", placed.client());
    assertEquals("POST", placed.method());
    assertEquals("/v1/x", placed.path());
    assertEquals("free", placed.tier());
    assertEquals(Map.of("ip", "1.2.3.4"), placed.attributes());
  }

  @Test
  void anOwnerThatIsNotKnownIsNull() throws IOException {
    server.limiter.place = new Placed(3, null, null, 0);
    assertEquals(
        "{\"slot\":3,\"owner\":null,\"backup\":null,\"epoch\":0}",
        server.ask(RawClient.get("/v1/owner?key=k")).body());
  }

  @ParameterizedTest
  @CsvSource({
    "'',key",
    "?,key",
    "?key=,key",
    "?key=k&key=k,key",
    "?key=k&cost=1,cost",
    "?key=k&ip=x,attributes.ip",
    "?key=%ff,query",
    "?key=k&route=x,route"
  })
  void aBadOwnerQueryNamesItsField(String query, String field) throws IOException {
    Response response = server.ask(RawClient.get("/v1/owner" + query));
    assertEquals(400, response.status());
    assertEquals(field, response.json().get("field").asText());
    assertNull(server.limiter.placed);
  }

  @Test
  void healthTellsLivenessAndReadinessApart() throws IOException {
    assertEquals("{\"status\":\"live\"}", server.ask(RawClient.get("/health/live")).body());
    assertEquals("{\"status\":\"ready\"}", server.ask(RawClient.get("/health/ready")).body());

    server.unready.add("draining");
    Response unready = server.ask(RawClient.get("/health/ready"));
    assertEquals(503, unready.status());
    assertEquals("{\"status\":\"not ready\",\"reasons\":[\"draining\"]}", unready.body());
    assertEquals(200, server.ask(RawClient.get("/health/live?verbose")).status());
  }

  @Test
  void theMetricsPageIsServed() throws IOException {
    Response response = server.ask(RawClient.get("/metrics"));
    assertEquals(200, response.status());
    assertEquals("up 1\n", response.body());
    assertEquals("text/plain; version=0.0.4; charset=utf-8", response.header("content-type"));
  }

  @ParameterizedTest
  @EnumSource(Endpoint.class)
  void aWrongMethodIsToldTheRightOnes(Endpoint endpoint) throws IOException {
    String wrong = endpoint.readsBody() ? "GET " : "POST ";
    for (String method : List.of(wrong, "DELETE ", "OPTIONS ", "CONNECT ", "BREW ")) {
      Response response = server.ask(method + endpoint.path() + " HTTP/1.1\r\nHost: t\r\n\r\n");
      assertEquals(405, response.status());
      assertEquals(endpoint.allow(), response.header("allow"));
      assertEquals("application/problem+json", response.header("content-type"));
    }
    assertEquals(0, server.limiter.asked.get());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/v1",
        "/v1/check/",
        "/v1/checks/",
        "/v1/usage",
        "/v1/limit",
        "//v1/check",
        "/V1/check",
        "/v1/%63heck",
        "*",
        "/health",
        "/v1/authz",
        "http://t"
      })
  void anythingElseIsNotFound(String path) throws IOException {
    Response response = server.ask("POST " + path + " HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
    assertEquals(404, response.status());
    assertEquals("Not Found", response.json().get("title").asText());
    assertFalse(response.json().has("field"));
  }

  @Test
  void theAbsoluteFormMeansTheSame() throws IOException {
    assertEquals(200, server.ask(RawClient.get("http://other:1/health/live?x")).status());
    assertEquals(200, server.ask(RawClient.get("http://[::1]/v1/owner?key=k")).status());
  }

  @Test
  void aHeadHasTheHeadersOfTheGetAndNoBody() throws IOException {
    try (RawClient client = server.connect()) {
      for (String path : List.of("/health/live", "/v1/cluster", "/metrics", "/v1/owner?key=k")) {
        Response get = client.send(RawClient.get(path)).read();
        String head = RawClient.get(path).replaceFirst("GET", "HEAD");
        Response headers = client.send(head).read(false);
        assertEquals(200, headers.status());
        assertEquals(get.headers(), headers.headers());
      }
      Response notFound = client.send("HEAD /nothing HTTP/1.1\r\n\r\n").read(false);
      assertEquals(404, notFound.status());
      assertEquals(200, client.send(RawClient.get("/health/live")).read().status());
    }
  }

  @Test
  void aDefectIsCountedAndCostsOneAnswer() throws IOException {
    server.limiter.script =
        (check, listener) -> {
          throw new IllegalStateException("a defect for this test");
        };
    try (RawClient client = server.connect()) {
      for (int i = 0; i < 3; i++) {
        client.send(RawClient.post("/v1/check", "{\"key\":\"k\"}"));
        Response response = client.read();
        assertEquals(500, response.status());
        assertFalse(response.body().contains("for this test"));
      }
      assertEquals(200, client.send(RawClient.get("/health/live")).read().status());
    }
    assertEquals("3", String.valueOf(server.defects.get("endpoint")));
  }
}
