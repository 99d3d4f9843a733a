package io.ringfence.cli;

import io.ringfence.membership.Address;
import java.io.PrintWriter;

/** What a first user can try, as commands that work as printed. */
final class NextSteps {
  private NextSteps() {}

  static void print(PrintWriter out, Address http) {
    String url = "http://" + http;
    out.println();
    out.println("Try it (the demo rules let each client create 5 charges in 10 seconds):");
    out.println();
    out.println(
        "  curl -i " + url + "/v1/check -d '{\"key\":\"cust_42\",\"route\":\"POST /v1/charges\"}'");
    out.println("  curl " + url + "/v1/cluster");
    out.println("  curl " + url + "/metrics");
    out.println();
    out.println("Stop it with Ctrl-C.");
  }
}
