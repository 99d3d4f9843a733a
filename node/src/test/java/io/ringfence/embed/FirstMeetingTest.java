package io.ringfence.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.engine.VirtualTime;
import io.ringfence.membership.Address;
import io.ringfence.membership.Candidate;
import io.ringfence.membership.MemberId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who may found a cluster, and who waits to be introduced. */
class FirstMeetingTest {
  private static final Address SELF = new Address("127.0.0.1", 1);
  private static final Candidate ME = new Candidate(new MemberId("me", 1), SELF);
  private static final Candidate OTHER =
      new Candidate(new MemberId("other", 2), new Address("127.0.0.1", 2));

  private final VirtualTime time = new VirtualTime();
  private final List<List<Candidate>> delivered = new ArrayList<>();

  private FirstMeeting meeting(String... join) {
    return new FirstMeeting(List.of(join), SELF, time, time, delivered::add);
  }

  private static ServerSocket listening() throws IOException {
    return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @Test
  void aNodeWithNobodyToJoinStartsAtOnce() {
    meeting("127.0.0.1:1").introduced(List.of(ME));
    assertEquals(List.of(List.of(ME)), delivered);
  }

  @Test
  void whereEveryAddressRefusesItStartsAtOnce() throws IOException {
    int refusing;
    try (ServerSocket gone = listening()) {
      refusing = gone.getLocalPort();
    }
    meeting("127.0.0.1:1", "127.0.0.1:" + refusing).introduced(List.of(ME));
    time.pass(Duration.ofMillis(1));
    assertEquals(List.of(List.of(ME)), delivered);
  }

  @Test
  void whereAnAddressAcceptsItWaitsToBeIntroduced() throws IOException {
    try (ServerSocket there = listening()) {
      FirstMeeting meeting = meeting("127.0.0.1:" + there.getLocalPort());
      meeting.introduced(List.of(ME));
      time.pass(Duration.ofSeconds(5));
      assertTrue(delivered.isEmpty());
      meeting.introduced(List.of(OTHER, ME));
      assertEquals(List.of(List.of(OTHER, ME)), delivered);
      time.pass(Duration.ofSeconds(60));
      assertEquals(1, delivered.size());
    }
  }

  @Test
  void anAddressThatLeadsToNobodyDelaysTheStartByABoundedTime() throws IOException {
    try (ServerSocket there = listening()) {
      meeting("127.0.0.1:" + there.getLocalPort()).introduced(List.of(ME));
      time.pass(Duration.ofSeconds(11));
      assertTrue(delivered.isEmpty());
      time.pass(Duration.ofSeconds(2));
      assertEquals(List.of(List.of(ME)), delivered);
    }
  }

  @Test
  void onceMetEverySetIsPassedOn() {
    FirstMeeting meeting = meeting();
    meeting.introduced(List.of(ME));
    meeting.introduced(List.of(ME, OTHER));
    meeting.introduced(List.of(ME));
    assertEquals(3, delivered.size());
  }
}
