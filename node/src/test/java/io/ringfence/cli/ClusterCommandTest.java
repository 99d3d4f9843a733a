package io.ringfence.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterCommandTest {
  private final ScriptedNode n1 = new ScriptedNode().ready();
  private final ScriptedNode n2 = new ScriptedNode().ready();

  @AfterEach
  void close() {
    n1.close();
    n2.close();
  }

  private static String member(String name, String http, String state, int slots) {
    return """
    {"name":"%s","http":"%s","peer":"127.0.0.1:7101","state":"%s","weight":1,"slots":%d,\
    "rules_version":"3f2a"}\
    """
        .formatted(name, http, state, slots);
  }

  private static String view(String... members) {
    return """
    {"node":"n1","epoch":7,"members":[%s],"rules_version":"3f2a","degraded":false,"later":{}}\
    """
        .formatted(String.join(",", members));
  }

  private Ran cluster(String... more) {
    List<String> arguments = new ArrayList<>(List.of("cluster", "--url", n1.url()));
    arguments.addAll(List.of(more));
    return Ran.command(arguments.toArray(String[]::new))
        .naming(n1.address(), "N1")
        .naming(n2.address(), "N2");
  }

  /** Columns are as wide as ports happen to be; the layout has a test of its own. */
  private static String narrow(String text) {
    return text.replaceAll(" {3,}", "  ");
  }

  @Test
  void allIsWell() {
    n1.json(
        "/v1/cluster",
        200,
        view(
            member("n1", n1.address(), "ACTIVE", 8_300),
            member("n2", n2.address(), "ACTIVE", 8_084)));
    Ran ran = cluster();
    assertEquals(
        """
        node  n1
        epoch  7
        members  2
        slots  16384, max/mean 1.013 by weight
        rules  3f2a
        degraded  no

        member  state  slots  share  weight  http  peer  rules  health
        n1  ACTIVE  8300  50.7%  1  N1  127.0.0.1:7101  3f2a  ready
        n2  ACTIVE  8084  49.3%  1  N2  127.0.0.1:7101  3f2a  ready
        """,
        narrow(ran.out()));
    assertEquals("", ran.err());
    assertEquals(0, ran.exitCode());
    assertEquals(List.of("GET /health/ready"), List.copyOf(n2.received()));
  }

  @Test
  void membersTellWhatAilsThem() throws IOException {
    n2.json("/health/ready", 503, "{\"status\":\"not ready\",\"reasons\":[\"draining\",\"x\"]}");
    try (Socket nobody = OddServer.refusing();
        OddServer frozen = OddServer.stalling("");
        ScriptedNode stranger = new ScriptedNode()) {
      n1.json(
          "/v1/cluster",
          200,
          view(
              member("n1", n1.address(), "ACTIVE", 1),
              member("n2", n2.address(), "DRAINING", 1),
              member("n3", "127.0.0.1:" + nobody.getLocalPort(), "ACTIVE", 1),
              member("n4", frozen.url().substring("http://".length()), "ACTIVE", 1),
              member("n5", stranger.address(), "ACTIVE", 1)));
      Ran ran = cluster();
      assertEquals(1, ran.exitCode());
      assertTrue(
          ran.out()
              .endsWith(
                  """
                  needs attention:
                    n2 is DRAINING
                    n2 health: not ready: draining; x
                    n3 health: connection refused
                    n4 health: no answer within 1 s
                    n5 health: answers 404, not as a Ringfence node
                  """),
          ran.out());
    }
  }

  @Test
  void theNodeItselfIsAskedWhereItAnswered() {
    n1.json("/v1/cluster", 200, view(member("n1", "0.0.0.0:8080", "ACTIVE", 4)));
    assertEquals(0, cluster().exitCode());
    assertEquals(List.of("GET /v1/cluster", "GET /health/ready"), List.copyOf(n1.received()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0:8080", "[::]:8080", "", "no port", "n2:0", "n2", "u@n2:80/x?y"})
  void addressesThatNameNoMachineAreNotAsked(String address) {
    n1.json(
        "/v1/cluster",
        200,
        view(member("n1", n1.address(), "ACTIVE", 1), member("n2", address, "ACTIVE", 1)));
    Ran ran = cluster();
    assertTrue(ran.out().contains("not asked: the view has no address to ask"), ran.out());
    assertEquals(0, ran.exitCode());
  }

  @Test
  void slotsThatAreAwaitedMakeTheExitCodeOne() {
    String standing =
        """
        "settled":false,"voters":1,"lease_held":true,"lease_remaining_ms":423,\
        "slots":{"open":2,"awaited":2,"leaving":0,"unprotected":0,"replication_lag_ms":0},"later\
        """;
    String body = view(member("n1", n1.address(), "ACTIVE", 4));
    n1.json("/v1/cluster", 200, body.replace("\"later", standing));
    Ran ran = cluster();
    assertTrue(ran.out().contains("2 slots are open nowhere yet: "), ran.out());
    assertEquals(1, ran.exitCode());

    n1.json("/v1/cluster", 200, body.replace("\"later", standing.replace("awaited\":2", "x\":2")));
    assertEquals(
        "ringfence: http://N1/v1/cluster answered 200, but not as a Ringfence node:"
            + " slots.awaited is not a whole number from 0\n",
        cluster().err());
  }

  @Test
  void jsonComesAsItWasSent() {
    String body = view(member("n2", n2.address(), "AWAY", 0));
    n1.json("/v1/cluster", 200, body);
    assertEquals(new Ran(0, body.replace(n2.address(), "N2") + "\n", ""), cluster("--json"));
    assertTrue(n2.received().isEmpty());
  }

  @Test
  void strangersAreTold() {
    n1.on("/v1/cluster", 200, "text/html", "<html>");
    assertEquals(
        new Ran(
            2,
            "",
            "ringfence: http://N1/v1/cluster answered 200 (text/html), not as a Ringfence node;"
                + " is --url right?\n"),
        cluster());
    n1.json("/v1/cluster", 200, view("{\"name\":\"n1\",\"state\":\"ACTIVE\",\"http\":5}"));
    assertEquals(
        "ringfence: http://N1/v1/cluster answered 200, but not as a Ringfence node:"
            + " members[0].http is not text\n",
        cluster().err());
  }
}
