package io.ringfence.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows the cluster as one node sees it. For one thread; blocks for the network. */
@Command(
    name = "cluster",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Shows members, slots, view and health of the cluster, as one node sees them.",
    footer = {
      "",
      "Exit codes: 0 all is well, 1 something needs attention, 2 no answer.",
      "With --json no member but that node is asked, and an answer is exit code 0.",
      "",
      "Example:",
      "  ringfence cluster --url http://127.0.0.1:8081"
    })
final class ClusterCommand implements Callable<Integer> {
  private static final int OK = 200;

  private final Terminal terminal;

  @Mixin private NodeOptions node = new NodeOptions();

  ClusterCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws CommandFailure {
    NodeClient client = new NodeClient(node.timeout());
    Answer answer = client.await(node.url().toString(), client.get(node.at("/v1/cluster")));
    if (answer.status() != OK) {
      throw answer.refusal();
    }
    ClusterAnswer cluster = answer.read(ClusterAnswer::of);
    if (node.json()) {
      terminal.json(answer.text());
      return ExitCode.YES;
    }
    ClusterReport report = new ClusterReport(cluster, new HealthRound(node.url()).of(cluster));
    report.lines().forEach(terminal::line);
    return report.attention().isEmpty() ? ExitCode.YES : ExitCode.NO;
  }
}
