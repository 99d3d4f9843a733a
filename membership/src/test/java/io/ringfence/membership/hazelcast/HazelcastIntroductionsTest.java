package io.ringfence.membership.hazelcast;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import io.ringfence.membership.Address;
import io.ringfence.membership.Candidate;
import io.ringfence.membership.MemberId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real Hazelcast members on loopback, in one process, on ports that the system chooses. */
@Timeout(120)
class HazelcastIntroductionsTest {
  private static final int PATIENCE_SECONDS = 30;
  private static final Address ANY_PORT = Address.parse("127.0.0.1:0");

  private final String clusterName = "test-" + UUID.randomUUID();
  private final Deque<Node> nodes = new ArrayDeque<>();

  private final class Node {
    final Candidate self;
    final AtomicReference<List<Candidate>> seen = new AtomicReference<>(List.of());
    final HazelcastIntroductions introductions;

    Node(String name, Address listen, List<String> join) {
      self = new Candidate(new MemberId(name, name.hashCode()), Address.parse("127.0.0.1:7101"));
      introductions =
          new HazelcastIntroductions(
              new HazelcastSettings(clusterName, self.id(), listen, self.peer(), join));
    }

    Node start() {
      nodes.push(this);
      introductions.start(seen::set);
      return this;
    }

    void awaitSeeing(Node... expected) {
      List<Candidate> all = List.of(expected).stream().map(n -> n.self).toList();
      await(self.id().name() + " sees " + all)
          .atMost(PATIENCE_SECONDS, SECONDS)
          .untilAsserted(() -> assertEquals(all, seen.get()));
    }
  }

  private Node alone(String name) {
    return new Node(name, ANY_PORT, List.of()).start();
  }

  private Node joining(String name, Node first) {
    String address = first.introductions.boundAddress().toString();
    return new Node(name, ANY_PORT, List.of(address)).start();
  }

  @AfterEach
  void closeAll() {
    nodes.forEach(n -> n.introductions.close());
  }

  @Test
  void nodesAreIntroducedOldestFirstAndTheSetShrinksWhenOneGoes() {
    Node first = alone("n1");
    first.awaitSeeing(first);
    Node second = joining("n2", first);
    String byName = "localhost:" + second.introductions.boundAddress().port();
    Node third = new Node("n3", ANY_PORT, List.of(byName)).start();
    for (Node node : List.of(first, second, third)) {
      node.awaitSeeing(first, second, third);
    }

    third.introductions.close();
    first.awaitSeeing(first, second);
    first.introductions.close();
    second.awaitSeeing(second);

    third.introductions.close();
    assertEquals(
        List.of(first.self, second.self, third.self),
        third.seen.get(),
        "nothing is delivered after the close");
    assertThrows(IllegalStateException.class, () -> third.introductions.boundAddress());
    assertThrows(IllegalStateException.class, () -> third.introductions.start(set -> {}));
  }

  @Test
  void aMemberThatDoesNotSayWhoItIsIsIgnoredEvenAsTheOldest() {
    HazelcastInstance silent = member(List.of(), "n0", null);
    try {
      String oldest =
          "127.0.0.1:" + silent.getCluster().getLocalMember().getSocketAddress().getPort();
      HazelcastInstance malformed = member(List.of(oldest), "n0", "127.0.0.1:99999");
      try {
        Node node = new Node("n1", ANY_PORT, List.of(oldest)).start();
        assertEquals(3, silent.getCluster().getMembers().size());
        node.awaitSeeing(node);
      } finally {
        malformed.getLifecycleService().terminate();
      }
    } finally {
      silent.getLifecycleService().terminate();
    }
  }

  private HazelcastInstance member(List<String> join, String id, @Nullable String peer) {
    Config config =
        LeanConfig.of(
            new HazelcastSettings(
                clusterName, new MemberId(id, 1), ANY_PORT, Address.parse("127.0.0.1:1"), join),
            "127.0.0.1");
    config.getMemberAttributeConfig().removeAttribute(MemberAttributes.PEER);
    if (peer != null) {
      config.getMemberAttributeConfig().setAttribute(MemberAttributes.PEER, peer);
    }
    return Hazelcast.newHazelcastInstance(config);
  }

  @Test
  void aTakenAddressIsNamedInTheError() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Address address = ANY_PORT.withPort(taken.getLocalPort());
      Node node = new Node("n1", address, List.of());
      IllegalStateException refused = assertThrows(IllegalStateException.class, node::start);
      String message = String.valueOf(refused.getMessage());
      assertTrue(message.contains("cluster address " + address + " cannot be used"), message);
    }
  }

  @Test
  void aForeignInterfaceIsNamedInTheError() {
    Node node = new Node("n1", Address.parse("192.0.2.1:0"), List.of());
    IllegalStateException refused = assertThrows(IllegalStateException.class, node::start);
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("192.0.2.1:0 cannot be used"), message);
  }

  @Test
  void theSocketIsBoundToItsInterfaceAlone() throws IOException {
    Node node = new Node("n1", Address.parse("127.0.0.2:0"), List.of()).start();
    int port = node.introductions.boundAddress().port();
    assertEquals(new Address("127.0.0.2", port), node.introductions.boundAddress());
    connect(2, port);
    assertThrows(IOException.class, () -> connect(1, port));
  }

  @Test
  void clustersThatFindEachOtherLateBecomeOneWithoutGhosts() throws IOException {
    Address later = ANY_PORT.withPort(freePort());
    Node early = new Node("n1", ANY_PORT, List.of(later.toString())).start();
    early.awaitSeeing(early);
    Node late = new Node("n2", later, List.of()).start();

    List<List<Candidate>> eitherOrder =
        List.of(List.of(early.self, late.self), List.of(late.self, early.self));
    await("both see both")
        .atMost(PATIENCE_SECONDS, SECONDS)
        .untilAsserted(
            () -> {
              assertTrue(eitherOrder.contains(early.seen.get()), () -> "" + early.seen);
              assertEquals(early.seen.get(), late.seen.get());
            });
  }

  private static int freePort() throws IOException {
    try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return probe.getLocalPort();
    }
  }

  private static void connect(int lastByte, int port) throws IOException {
    byte[] address = {127, 0, 0, (byte) lastByte};
    new Socket(InetAddress.getByAddress(address), port).close();
  }
}
