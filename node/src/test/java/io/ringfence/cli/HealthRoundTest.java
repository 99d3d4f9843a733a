package io.ringfence.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ringfence.cli.ClusterAnswer.Addresses;
import io.ringfence.cli.ClusterAnswer.MemberLine;
import io.ringfence.cli.ClusterAnswer.Share;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HealthRoundTest {
  /** Whoever listens there on this machine is not the member that is meant. */
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:8080", "127.8.9.1:8080", "localhost:8080", "[::1]:8080"})
  void loopbackOfAnotherMachineIsNotAsked(String http) {
    MemberLine member =
        new MemberLine("n2", "ACTIVE", new Addresses(http, "n2:7101"), new Share(1, 1), "");
    ClusterAnswer cluster = new ClusterAnswer("n1", 1, List.of(member), "", false, null);
    assertEquals(
        Map.of(
            "n2",
            new Health(Health.State.NOT_ASKED, "not asked: listens for its own machine only")),
        new HealthRound(URI.create("http://10.0.0.5:8080")).of(cluster));
  }
}
