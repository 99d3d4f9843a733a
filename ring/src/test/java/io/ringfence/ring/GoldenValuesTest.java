package io.ringfence.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Values that another program, which shares no code with this one, computed from the definitions in
 * docs/ring.md. Every JVM that runs this test must reach them: nodes of one cluster agree only as
 * far as these do, and so do two releases. A change here moves every counter of every running
 * cluster.
 */
class GoldenValuesTest {
  @ParameterizedTest
  @CsvSource({
    "client, cust_42, 6075",
    "ip, 203.0.113.7, 15669",
    "rule, ceiling, 3203",
    "client, '', 12656",
    "user, zoë, 10478",
    "tenant, 漢字, 4424",
  })
  void aPairHasItsSlotForEver(String attribute, String value, int slot) {
    assertEquals(slot, new Placement(Rings.DEFAULTS).slotOf(attribute, value));
  }

  @Test
  void aSlotHasItsOwnerAndItsBackupForEver() {
    Ring ring =
        Rings.ring(List.of(new RingNode("n3", 1), new RingNode("n2", 2), new RingNode("n1", 1)));
    List<String> table = Rings.table(ring);
    assertEquals(
        List.of("n1/n3", "n1/n3", "n1/n3", "n1/n3", "n3/n1", "n3/n1", "n1/n2", "n1/n2"),
        table.subList(0, 8));
    assertEquals(4_124, ring.slotsOf("n1"));
    assertEquals(8_313, ring.slotsOf("n2"));
    assertEquals(3_947, ring.slotsOf("n3"));
    byte[] all = Rings.utf8(String.join(",", table));
    assertEquals(0x706707f1b0955afcL, SipHash.hash(Rings.K0, Rings.K1, all, 0, all.length));
  }
}
