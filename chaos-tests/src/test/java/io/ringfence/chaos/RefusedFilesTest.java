package io.ringfence.chaos;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.cluster.ClusterFiles;
import io.ringfence.chaos.cluster.Launcher;
import io.ringfence.chaos.cluster.NodeProcess;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A node whose files are wrong does not start: it ends with an exit code other than 0 and one clear
 * line for each mistake, with file, line and field. The whole table of mistakes is tested where the
 * files are read; here it is shown that none of them is lost on the way to the person who starts
 * the process.
 */
@Tag("processes")
class RefusedFilesTest {
  private static final String GOOD_RULES = "rules:\n  - {name: all, rate: 5/hour}\n";

  @ParameterizedTest(name = "{0}")
  @MethodSource("C15_badFiles")
  void C15_aBadFileIsRefusedWhole(String what, String config, String rules, List<String> expected) {
    ClusterFiles files = Trio.files("refused", config, rules);
    List<String> arguments =
        List.of(
            "node",
            "--config=" + files.config(),
            "--rules=" + files.rules(),
            "--name=refused",
            "--http=127.0.0.1:0",
            "--peer=127.0.0.1:0",
            "--cluster=127.0.0.1:0");
    try (NodeProcess node =
        NodeProcess.start(Launcher.packaged(), "refused", arguments, files.home())) {
      int code = node.awaitExit(Cluster.PATIENCE);
      String line =
          node.log()
              .lines()
              .filter(each -> expected.stream().allMatch(each::contains))
              .findFirst()
              .orElse("");
      Trio.measured("exit " + code + " for " + what, line);
      assertAll(
          () -> assertNotEquals(0, code),
          () -> assertFalse(node.hasPrintedReadyLine()),
          () -> assertFalse(line.isEmpty(), () -> "no line with " + expected + ":\n" + node.log()),
          () -> assertFalse(node.log().contains("\tat "), node::log));
    }
  }

  static Stream<Arguments> C15_badFiles() {
    return Stream.of(
        bad("an unknown field", "limitt: 5", "rules.yaml:4", "limitt"),
        bad("a window without a unit", "limit: 5\n    window: 10", "rules.yaml:5", "window"),
        bad("a negative limit", "limit: -1\n    window: 10s", "rules.yaml:4", "limit"),
        bad("truncated YAML", "match: {route: \"GET /", "rules.yaml:", ""),
        Arguments.of("an empty rules file", "{}\n", "", List.of("rules.yaml")),
        Arguments.of(
            "an unknown key of the node file",
            "forward:\n  deadlin: 1s\n",
            GOOD_RULES,
            List.of("node.yaml:2", "deadlin")),
        Arguments.of(
            "a deadline without a unit",
            "forward:\n  deadline: 20\n",
            GOOD_RULES,
            List.of("node.yaml:2", "deadline")));
  }

  private static Arguments bad(String what, String fields, String place, String field) {
    String rules = "rules:\n  - name: all\n    by: client\n    " + fields + "\n";
    return Arguments.of(what, "{}\n", rules, List.of(place, field));
  }
}
