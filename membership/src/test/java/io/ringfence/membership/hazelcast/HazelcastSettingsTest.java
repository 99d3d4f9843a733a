package io.ringfence.membership.hazelcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.membership.Address;
import io.ringfence.membership.MemberId;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class HazelcastSettingsTest {
  private static final MemberId SELF = new MemberId("n1", 1);
  private static final Address LISTEN = Address.parse("127.0.0.1:5799");
  private static final Address PEER = Address.parse("127.0.0.1:7101");

  @Test
  void anEntryWithoutAPortMeansTheNodesOwn() {
    List<String> join = List.of("gateways.example", "[::1]:1", "10.0.0.1:5701");
    assertEquals(
        List.of("gateways.example:5799", "[::1]:1", "10.0.0.1:5701"),
        new HazelcastSettings("prod", SELF, LISTEN, PEER, join).join());
    assertEquals(
        List.of("gateways.example:5701"),
        new HazelcastSettings("prod", SELF, LISTEN.withPort(0), PEER, List.of("gateways.example"))
            .join());
  }

  @Test
  void whatCannotWorkIsRefusedByName() {
    refuses("cluster name", "pr od", LISTEN, PEER, List.of());
    refuses("all interfaces", "prod", Address.parse("0.0.0.0:1"), PEER, List.of());
    refuses("all interfaces", "prod", Address.parse("[::]:1"), PEER, List.of());
    refuses("1..65535", "prod", LISTEN, PEER.withPort(0), List.of());
    refuses("join entry", "prod", LISTEN, PEER, List.of("10.0.0.*:5701"));
    refuses("join entry", "prod", LISTEN, PEER, List.of("a:0"));
    refuses("join entry", "prod", LISTEN, PEER, List.of(""));
    refuses("at most 1024", "prod", LISTEN, PEER, Collections.nCopies(1_025, "a"));
  }

  private static void refuses(
      String expected, String name, Address listen, Address peer, List<String> join) {
    String message =
        String.valueOf(
            assertThrows(
                    IllegalArgumentException.class,
                    () -> new HazelcastSettings(name, SELF, listen, peer, join))
                .getMessage());
    assertTrue(message.contains(expected), message);
  }
}
