package io.ringfence.membership.hazelcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResolvedJoinTest {
  private final Map<String, InetAddress[]> names = new HashMap<>();

  private InetAddress[] resolve(String host) throws UnknownHostException {
    InetAddress[] found = names.get(host);
    if (found == null) {
      throw new UnknownHostException(host);
    }
    return found;
  }

  private static InetAddress ipv4(int last) throws UnknownHostException {
    return InetAddress.getByAddress("whatever", new byte[] {10, 0, 0, (byte) last});
  }

  @Test
  void everyAddressOfANameIsTriedAndAskedForAgain() throws UnknownHostException {
    ResolvedJoin join = new ResolvedJoin(List.of("pods.example:5701"), this::resolve);
    assertTrue(join.isEnabled());
    assertEquals(List.of(), join.getMembers(), "not known yet");
    names.put("pods.example", new InetAddress[] {ipv4(1), ipv4(2)});
    assertEquals(List.of("10.0.0.1:5701", "10.0.0.2:5701"), join.getMembers());
    names.put("pods.example", new InetAddress[] {ipv4(3)});
    assertEquals(List.of("10.0.0.3:5701"), join.getMembers());
  }

  @Test
  void literalsStayWhatTheyAre() {
    ResolvedJoin join = new ResolvedJoin(List.of("10.0.0.9:5701", "[::1]:5702"));
    assertEquals(List.of("10.0.0.9:5701", "[0:0:0:0:0:0:0:1]:5702"), join.getMembers());
  }
}
