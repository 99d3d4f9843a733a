package io.ringfence.config;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Assertions;

/** Whatever a file holds, it is read or refused with a reason; nothing else ever comes out. */
class ConfigFuzzTest {
  private static final String[] PIECES = {
    "{", "}", "[", "]", ":", ": ", ",", "-", "\n", "\n  ", "#", "'", "\"", "&a ", "*a", "!x ", "|",
    ">", "?", "%", "@", "`", "\t", "0", "-1", "1e9", "null", "absent", "/", "**", "rate", "name: ",
    "rules:", "<<: ", "\u0000", "\uFEFF", "é", "\u2028", "---", "...", "burst 5",
  };

  private static final String NODE =
      """
      node: {name: n2, zone: a, weight: 3, data: /x}
      listen: {http: 127.0.0.1:8081, peer: 127.0.0.1:7102, cluster: 127.0.0.1:5702}
      cluster: {name: prod, expect: 3, join: [127.0.0.1:5701]}
      identity: {client: [header:X-Api-Key, ip]}
      forward: {deadline: 1s, breaker_failures: 7, probe: 2s}
      bounds: {keys: 50000, key_bytes: 128, body: 32KiB}
      rules: rules.yaml
      """;

  @Property(tries = 1_500)
  void aMutatedRulesFileIsReadOrRefused(@ForAll long seed) {
    byte[] bytes = mutated(RulesFileTest.WHOLE, new Random(seed));
    try {
      assertFalse(RulesFile.parse("rules.yaml", bytes).rules().rules().isEmpty());
    } catch (ConfigException e) {
      assertFalse(e.problems().isEmpty());
    } catch (RuntimeException e) {
      Assertions.fail("seed " + seed + ": " + new String(bytes, StandardCharsets.UTF_8), e);
    }
  }

  @Property(tries = 500)
  void aMutatedNodeFileIsReadOrRefused(@ForAll long seed) {
    byte[] bytes = mutated(NODE, new Random(seed));
    try {
      Tree.Mapping tree =
          Overlay.of(
              YamlText.read("node.yaml", bytes),
              Map.of(NodeFlag.JOIN, "127.0.0.1:5701", NodeFlag.NAME, "n1"));
      NodeFile.Paths paths = new NodeFile.Paths(Path.of("node.yaml"));
      assertFalse(new NodeReader(tree, paths, null).read().config().node().name().isEmpty());
    } catch (ConfigException e) {
      assertFalse(e.problems().isEmpty());
    } catch (RuntimeException e) {
      Assertions.fail("seed " + seed + ": " + new String(bytes, StandardCharsets.UTF_8), e);
    }
  }

  @Property(tries = 300)
  void bytesAreReadOrRefused(@ForAll byte[] bytes) {
    try {
      assertFalse(RulesFile.parse("rules.yaml", bytes).rules().rules().isEmpty());
    } catch (ConfigException e) {
      assertFalse(e.problems().isEmpty());
    }
  }

  private static byte[] mutated(String text, Random random) {
    StringBuilder mutant = new StringBuilder(text);
    int mutations = 1 + random.nextInt(4);
    for (int i = 0; i < mutations; i++) {
      int at = random.nextInt(mutant.length() + 1);
      int end = Math.min(mutant.length(), at + 1 + random.nextInt(12));
      switch (random.nextInt(5)) {
        case 0 -> mutant.delete(at, end);
        case 1 -> mutant.insert(at, PIECES[random.nextInt(PIECES.length)]);
        case 2 -> mutant.replace(at, end, PIECES[random.nextInt(PIECES.length)]);
        case 3 -> mutant.insert(random.nextInt(mutant.length() + 1), mutant.substring(at, end));
        default -> mutant.setLength(Math.max(1, random.nextInt(8) == 0 ? at : mutant.length()));
      }
    }
    byte[] bytes = mutant.toString().getBytes(StandardCharsets.UTF_8);
    if (bytes.length > 0 && random.nextInt(10) == 0) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return bytes;
  }
}
