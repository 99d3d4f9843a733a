package io.ringfence.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ringfence.engine.Usage;
import io.ringfence.engine.message.CheckMessage;
import io.ringfence.engine.message.CopyMessage;
import io.ringfence.engine.message.CounterCopy;
import io.ringfence.engine.message.InventoryMessage;
import io.ringfence.engine.message.Ledger;
import io.ringfence.engine.message.LiftMessage;
import io.ringfence.engine.message.PassMessage;
import io.ringfence.engine.message.SlotCopy;
import io.ringfence.membership.View;
import io.ringfence.ring.RingSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/protocol.md says what the code does. */
class ProtocolDocumentTest {
  private static final Pattern CODED = Pattern.compile("\\| (\\d+) \\| ([A-Z_]+) \\|.*");
  private static final Pattern LIMIT = Pattern.compile("\\| ([a-z].*) \\| ([\\d,]+)( bytes)? \\|");

  private static List<String> section(String heading) throws IOException {
    List<String> lines = Files.readAllLines(Path.of("..", "docs", "protocol.md"));
    List<String> after = lines.subList(lines.indexOf(heading) + 1, lines.size());
    int end = 0;
    while (end < after.size() && !after.get(end).startsWith("#")) {
      end++;
    }
    return after.subList(0, end);
  }

  private static Map<Integer, String> codes(String heading) throws IOException {
    Map<Integer, String> codes = new TreeMap<>();
    for (String line : section(heading)) {
      Matcher row = CODED.matcher(line);
      if (row.matches()) {
        codes.put(Integer.valueOf(row.group(1)), row.group(2));
      }
    }
    return codes;
  }

  @Test
  void theTableOfFramesIsTheCodes() throws IOException {
    Map<Integer, String> expected = new TreeMap<>();
    for (FrameCode code : FrameCode.values()) {
      expected.put(code.code(), code.name());
    }
    assertEquals(expected, codes("## Frames"));
  }

  @Test
  void theTableOfRefusalsIsTheReasons() throws IOException {
    Map<Integer, String> expected = new TreeMap<>();
    for (HandshakeRefusal reason : HandshakeRefusal.values()) {
      expected.put(reason.code(), reason.name());
    }
    assertEquals(expected, codes("### Refusals"));
  }

  @Test
  void theTableOfLimitsIsTheLimits() throws IOException {
    Map<String, Integer> written = new TreeMap<>();
    for (String line : section("### Limits")) {
      Matcher row = LIMIT.matcher(line);
      if (row.matches()) {
        written.put(row.group(1), Integer.valueOf(row.group(2).replace(",", "")));
      }
    }
    Map<String, Integer> expected =
        new TreeMap<>(
            Map.ofEntries(
                Map.entry("a frame (code and payload)", Limits.FRAME_BYTES),
                Map.entry("a frame before authentication", Limits.HANDSHAKE_FRAME_BYTES),
                Map.entry(
                    "counters in a check, answers in an answer, slots in a NOT_OWNER",
                    CheckMessage.MAX_COUNTERS),
                Map.entry("values of one counter", Limits.VALUES_BYTES),
                Map.entry("counters in a LIFT or a USAGE_ANSWER", LiftMessage.MAX_LIFTED),
                Map.entry("the client of a USAGE", Limits.VALUES_BYTES),
                Map.entry("any other text", Limits.TEXT_BYTES),
                Map.entry("a cluster's name", Limits.CLUSTER_BYTES),
                Map.entry("a set of slots, a bit a slot", Limits.SLOT_SET_BYTES),
                Map.entry("slots in a COPY, a COPIED or a PASS", CopyMessage.MAX_SLOTS),
                Map.entry("algorithms in a COPY", CopyMessage.MAX_ALGORITHMS),
                Map.entry("counters of one slot in a COPY", SlotCopy.MAX_COUNTERS),
                Map.entry("words of one counter in a COPY", CounterCopy.MAX_WORDS),
                Map.entry("debits of one counter in a COPY", Ledger.MAX_DEBITS),
                Map.entry("earlier terms of one counter in a COPY", Ledger.MAX_EARLIER),
                Map.entry("words of one counter in all", CounterCopy.MAX_TOTAL),
                Map.entry("the number of an account", CounterCopy.MAX_ACCOUNT),
                Map.entry("slots in an INVENTORY", InventoryMessage.MAX_HELD),
                Map.entry("parts of an inventory", InventoryMessage.MAX_PARTS),
                Map.entry("a bit set of a PING, a bit a member", Limits.PLACES_BYTES),
                Map.entry("members of a view", View.MAX_MEMBERS)));
    assertEquals(expected, written);
    assertEquals(CheckMessage.MAX_COUNTERS, Limits.ANSWERS);
    assertEquals(PassMessage.MAX_SLOTS, CopyMessage.MAX_SLOTS);
    assertEquals(RingSettings.MAX_SLOTS, Limits.SLOT_SET_BYTES * Byte.SIZE);
    assertEquals(Usage.MAX_ENTRIES, Limits.ANSWERS);
    assertEquals(View.MAX_MEMBERS, Limits.PLACES_BYTES * Byte.SIZE);
  }
}
