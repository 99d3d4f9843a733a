package io.ringfence.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ringfence.cli.ClusterAnswer.Addresses;
import io.ringfence.cli.ClusterAnswer.MemberLine;
import io.ringfence.cli.ClusterAnswer.Share;
import io.ringfence.cli.Health.State;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterReportTest {
  private static final Health READY = new Health(State.READY, "ready");

  private static MemberLine member(int number, String state, Share share, String rules) {
    Addresses addresses = new Addresses("127.0.0.1:808" + number, "127.0.0.1:710" + number);
    return new MemberLine("n" + number, state, addresses, share, rules);
  }

  private static String report(ClusterAnswer cluster, Map<String, Health> health) {
    return String.join("\n", new ClusterReport(cluster, health).lines()) + "\n";
  }

  @Test
  void allIsWell() {
    ClusterAnswer cluster =
        new ClusterAnswer(
            "n1",
            3,
            List.of(
                member(1, "ACTIVE", new Share(5_600, 1), "3f2a"),
                member(2, "ACTIVE", new Share(5_400, 1), "3f2a"),
                member(3, "ACTIVE", new Share(5_384, 1), "3f2a")),
            "3f2a",
            false,
            null);
    assertEquals(
        """
        node      n1
        epoch     3
        members   3
        slots     16384, max/mean 1.025 by weight
        rules     3f2a
        degraded  no

        member  state   slots  share  weight  http            peer            rules  health
        n1      ACTIVE  5600   34.2%  1       127.0.0.1:8081  127.0.0.1:7101  3f2a   ready
        n2      ACTIVE  5400   33.0%  1       127.0.0.1:8082  127.0.0.1:7102  3f2a   ready
        n3      ACTIVE  5384   32.9%  1       127.0.0.1:8083  127.0.0.1:7103  3f2a   ready
        """,
        report(cluster, Map.of("n1", READY, "n2", READY, "n3", READY)));
  }

  @Test
  void whateverNeedsAttentionIsListed() {
    ClusterAnswer cluster =
        new ClusterAnswer(
            "n1",
            9,
            List.of(
                member(1, "ACTIVE", new Share(8_200, 1), "3f2a"),
                member(2, "DRAINING", new Share(8_184, 1), "77ab"),
                member(3, "AWAY", new Share(0, 1), ""),
                member(4, "ACTIVE", new Share(0, 1), "3f2a")),
            "3f2a",
            true,
            null);
    assertEquals(
        """
        node      n1
        epoch     9
        members   4
        slots     16384, max/mean 1.501 by weight
        rules     3f2a
        degraded  yes

        member  state     slots  share  weight  http            peer            rules  health
        n1      ACTIVE    8200   50.0%  1       127.0.0.1:8081  127.0.0.1:7101  3f2a   ready
        n2      DRAINING  8184   50.0%  1       127.0.0.1:8082  127.0.0.1:7102  77ab   not ready: draining
        n3      AWAY      0      0.0%   1       127.0.0.1:8083  127.0.0.1:7103  -      connection refused
        n4      ACTIVE    0      0.0%   1       127.0.0.1:8084  127.0.0.1:7104  3f2a   not asked

        needs attention:
          n1 is degraded: failure policies answer some checks
          n2 is DRAINING
          n2 health: not ready: draining
          n3 is AWAY
          n3 health: connection refused
          rules differ:
            3f2a on n1, n4
            77ab on n2
        """,
        report(
            cluster,
            Map.of(
                "n1", READY,
                "n2", new Health(State.NOT_READY, "not ready: draining"),
                "n3", new Health(State.NOT_READY, "connection refused"))));
  }

  @Test
  void withoutAView() {
    assertEquals(
        """
        node      n1
        epoch     0
        members   0
        slots     0
        rules     -
        degraded  no

        needs attention:
          n1 has no view of the cluster yet
        """,
        report(new ClusterAnswer("n1", 0, List.of(), "", false, null), Map.of()));
  }

  @Test
  void balanceIsByWeight() {
    List<MemberLine> fair =
        List.of(
            member(1, "ACTIVE", new Share(300, 3), ""), member(2, "ACTIVE", new Share(100, 1), ""));
    assertEquals(1.0, new ClusterAnswer("n1", 1, fair, "", false, null).maxOverMean());
    List<MemberLine> unfair =
        List.of(
            member(1, "ACTIVE", new Share(200, 3), ""), member(2, "ACTIVE", new Share(200, 1), ""));
    assertEquals(2.0, new ClusterAnswer("n1", 1, unfair, "", false, null).maxOverMean());
  }

  @Test
  void howTheNodeStandsIsToldWhereItSaysSo() {
    List<MemberLine> members = List.of(member(1, "ACTIVE", new Share(16_384, 1), "3f2a"));
    ClusterAnswer.Standing none = new ClusterAnswer.Standing(3, false, 0, null, "none");
    ClusterReport lapsed =
        new ClusterReport(
            new ClusterAnswer("n1", 9, members, "3f2a", false, none), Map.of("n1", READY));
    assertEquals(
        List.of("voters    3", "settled   no", "lease     none"), lapsed.lines().subList(3, 6));
    assertEquals(
        List.of(
            "n1 holds no lease: it does not reach enough voters of its view, and answers by"
                + " on_partition until it does, or is promoted"),
        lapsed.attention());

    ClusterAnswer.Standing well = new ClusterAnswer.Standing(1, true, 423, null, "none");
    ClusterReport leased =
        new ClusterReport(
            new ClusterAnswer("n1", 9, members, "3f2a", false, well), Map.of("n1", READY));
    assertEquals(
        List.of("voters    1", "settled   yes", "lease     held"), leased.lines().subList(3, 6));
    assertEquals(List.of(), leased.attention());
  }

  @Test
  void aNodeThatIsDrainedSaysSoAndNeedsNoAttention() {
    List<MemberLine> members = List.of(member(1, "ACTIVE", new Share(16_384, 1), "3f2a"));
    ClusterAnswer.Standing drained = new ClusterAnswer.Standing(0, false, 0, null, "drained");
    ClusterReport report =
        new ClusterReport(
            new ClusterAnswer("n2", 9, members, "3f2a", false, drained), Map.of("n1", READY));
    assertEquals(
        "drain     drained: it is in no view, owns nothing, and may be stopped",
        report.lines().get(6));
    assertEquals(List.of(), report.attention());

    ClusterAnswer.Standing drains = new ClusterAnswer.Standing(2, false, 423, null, "draining");
    ClusterReport leaving =
        new ClusterReport(
            new ClusterAnswer("n2", 9, members, "3f2a", false, drains), Map.of("n1", READY));
    assertEquals("drain     draining", leaving.lines().get(6));
  }

  private static ClusterReport report(ClusterAnswer.SlotLine slots) {
    List<MemberLine> members = List.of(member(1, "ACTIVE", new Share(16_384, 1), "3f2a"));
    ClusterAnswer.Standing standing = new ClusterAnswer.Standing(2, false, 423, slots, "none");
    return new ClusterReport(
        new ClusterAnswer("n1", 9, members, "3f2a", false, standing), Map.of("n1", READY));
  }

  @Test
  void slotsThatAreNotInPlaceAreTold() {
    ClusterReport moving = report(new ClusterAnswer.SlotLine(5_461, 1, 12, 140));
    assertEquals("copies    140 ms behind", moving.lines().get(7));
    assertEquals(
        List.of(
            "5461 slots are open nowhere yet: n1 opens what is its own once it knows what the"
                + " others hold and that nobody who departed may still decide; wait, and if it"
                + " lasts look at ringfence_slots{state=\"awaited\"} and ringfence_members_away",
            "1 slot goes from n1 to another member, and stays exact meanwhile; wait, and if it"
                + " lasts look at ringfence_slots{state=\"leaving\"} here and at"
                + " ringfence_table_full there",
            "12 slots have no full copy elsewhere: if n1 died now, on_state_lost would say what"
                + " they have used; wait, and if it lasts look at"
                + " ringfence_slots{state=\"unprotected\"} and"
                + " ringfence_overflow_total{bound=\"copies\"}"),
        moving.attention());
    assertEquals(List.of(), report(new ClusterAnswer.SlotLine(0, 0, 0, 3)).attention());
  }
}
