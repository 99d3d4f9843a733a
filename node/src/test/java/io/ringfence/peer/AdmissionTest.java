package io.ringfence.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.engine.message.ViewRequest;
import io.ringfence.membership.Address;
import io.ringfence.membership.Candidate;
import io.ringfence.membership.MemberId;
import io.ringfence.peer.TestNode.Options;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who becomes a peer of whom, over real sockets. */
@Timeout(120)
class AdmissionTest {
  private final List<TestNode> nodes = new ArrayList<>();

  @AfterEach
  void closeAll() {
    nodes.forEach(TestNode::close);
  }

  private TestNode start(String name, Options options) {
    TestNode node = TestNode.start(name, options);
    nodes.add(node);
    return node;
  }

  private static Options usual() {
    return Options.at(0);
  }

  private void assertNeverPeers(TestNode a, TestNode b, HandshakeRefusal reason) {
    a.connectTo(b);
    b.connectTo(a);
    a.awaitEvent("refused " + reason, b.id);
    b.awaitEvent("refused " + reason, a.id);
    assertEquals(0, a.events.times("authenticated", b.id));
    assertEquals(0, b.events.times("authenticated", a.id));
    assertTrue(!a.send(b, new ViewRequest()) && !b.send(a, new ViewRequest()));
    assertTrue(a.counts.refusals.contains(reason) && b.counts.refusals.contains(reason));
  }

  @Test
  void anotherSecretIsRefusedWhicheverSideDials() {
    Options wrong = usual().secret(TestNode.secret("another secret"));
    assertNeverPeers(start("a", usual()), start("b", wrong), HandshakeRefusal.PROOF);
  }

  @Test
  void noSecretIsRefusedByThoseWhoHaveOne() {
    Options none = usual().secret(Secret.none());
    assertNeverPeers(start("a", usual()), start("b", none), HandshakeRefusal.PROOF);
  }

  @Test
  void withoutSecretsNodesOfOneClusterFindEachOther() {
    Options none = usual().secret(Secret.none());
    TestNode.mesh(start("a", none), start("b", none));
  }

  @Test
  void anotherClusterIsRefused() {
    assertNeverPeers(
        start("a", usual()), start("b", usual().cluster("other")), HandshakeRefusal.CLUSTER);
  }

  @Test
  void neighbouringReleasesTalkAndFarOnesDoNot() {
    TestNode one = start("one", usual());
    TestNode two = start("two", usual().versions(1, 2));
    TestNode.mesh(one, two);
    assertNeverPeers(
        start("old", usual()), start("far", usual().versions(2, 3)), HandshakeRefusal.VERSION);
  }

  @Test
  void aNodeThatReachesItselfUnderAnotherNameNoticesIt() {
    TestNode a = start("a", usual());
    MemberId alias = new MemberId("alias", 5);
    a.network.connectTo(List.of(a.candidate(), new Candidate(alias, a.address)));
    a.awaitEvent("refused " + HandshakeRefusal.SELF, alias);
    assertEquals(0, a.events.times("authenticated", alias));
  }

  @Test
  void aSecondNodeOfOneNameIsRefused() {
    TestNode first = start("a", usual());
    TestNode second = TestNode.start(new MemberId("a", 12_345), usual());
    nodes.add(second);
    assertNeverPeers(first, second, HandshakeRefusal.DUPLICATE_NAME);
  }

  @Test
  void aRelayAtAnAddressOfItsOwnIsRefused() throws Exception {
    TestNode a = start("a", usual());
    TestNode b = start("b", usual());
    try (Relay relay = new Relay(b.address)) {
      Candidate lure = new Candidate(b.id, relay.address());
      a.network.connectTo(List.of(lure));
      a.awaitEvent("refused " + HandshakeRefusal.ADDRESS, b.id);
      assertEquals(0, a.events.times("authenticated", b.id));
    }
  }

  @Test
  void aPortThatAcceptsAndSaysNothingIsUnreachable() throws Exception {
    TestNode a = start("a", usual().timeouts(100, 60_000));
    MemberId mute = new MemberId("mute", 1);
    try (ServerSocket port = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Address at = new Address("127.0.0.1", port.getLocalPort());
      a.network.connectTo(List.of(new Candidate(mute, at)));
      a.awaitThat("two attempts failed", () -> a.events.times("unreachable", mute) >= 2);
    }
    assertEquals(0, a.events.times("died", mute));
  }

  @Test
  void aNameIsLookedUp() {
    TestNode a = start("a", usual());
    TestNode b = start("b", usual().host("localhost"));
    assertEquals("localhost", b.address.host());
    TestNode.mesh(a, b);
  }

  @Test
  void aPeerThatFallsSilentIsDisconnectedButNotDead() throws Exception {
    TestNode a = start("a", usual().timeouts(30_000, 300));
    MemberId quiet = new MemberId("quiet", 1);
    try (RawPeer peer = RawPeer.authenticated(a, quiet, 0)) {
      assertEquals(FrameCode.KEEPALIVE, peer.read().code());
      a.awaitEvent("disconnected", quiet);
      assertTrue(peer.closedByOther());
    }
    assertEquals(1, a.counts.silences.get());
    assertEquals(0, a.events.times("died", quiet));
  }
}
