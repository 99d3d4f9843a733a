package io.ringfence.cli;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Sends one check to a node and tells the verdict. For one thread; blocks for the network. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Sends one check to a node. It counts like any other; --peek only looks.",
    footer = {
      "",
      "Exit codes: 0 allowed, 1 denied, 2 no verdict.",
      "",
      "Examples:",
      "  ringfence check --key cust_42 --route \"POST /v1/charges\" --tier free",
      "  ringfence check --key cust_42 --attr ip=203.0.113.7 --cost 5 --peek",
      "  ringfence check --url http://10.0.0.5:8080 --key cust_42 --json"
    })
final class CheckCommand implements Callable<Integer> {
  private static final int OK = 200;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVICE_UNAVAILABLE = 503;

  private final Terminal terminal;

  @Mixin private NodeOptions node = new NodeOptions();

  @Option(names = "--key", required = true, paramLabel = "KEY", description = "The client")
  private String key = "";

  @Option(
      names = "--route",
      paramLabel = "ROUTE",
      description = "METHOD PATH or PATH; a rule with methods never meets a bare path")
  private @Nullable String route;

  @Option(names = "--tier", paramLabel = "TIER", description = "The client's tier")
  private @Nullable String tier;

  @Option(
      names = "--attr",
      paramLabel = "NAME=VALUE",
      description = "ip, user, tenant, api_key or a declared one; may be repeated")
  private List<String> attributes = new ArrayList<>();

  @Option(
      names = "--cost",
      paramLabel = "N",
      description = "What the check weighs, 1 to 10^12; default: 1")
  private @Nullable Long cost;

  @Option(names = "--peek", description = "Charge nothing")
  private boolean peek;

  CheckCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws CommandFailure {
    byte[] body = new CheckQuery(key, route, tier, attributes, cost).json();
    NodeClient client = new NodeClient(node.timeout());
    URI endpoint = node.at(peek ? "/v1/peek" : "/v1/check");
    Answer answer = client.await(node.url().toString(), client.post(endpoint, body));
    if (!mayBeVerdict(answer)) {
      throw answer.refusal();
    }
    CheckAnswer verdict = answer.read(CheckAnswer::of);
    if (node.json()) {
      terminal.json(answer.text());
    } else {
      new CheckReport(verdict, peek).lines().forEach(terminal::line);
    }
    return verdict.allowed() ? ExitCode.YES : ExitCode.NO;
  }

  /**
   * Some statuses stand for verdicts and for refusals alike; only a verdict says allowed or not.
   */
  private static boolean mayBeVerdict(Answer answer) throws CommandFailure {
    return switch (answer.status()) {
      case OK -> true;
      case TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE ->
          answer.isJson() && answer.read(object -> object.has("allowed"));
      default -> false;
    };
  }
}
