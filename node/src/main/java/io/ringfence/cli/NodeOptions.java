package io.ringfence.cli;

import java.net.URI;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Which node to ask, and how long to wait for it. Filled in by picocli. */
final class NodeOptions {
  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:8080",
      converter = UrlConverter.class,
      description = "The node to ask; default: ${DEFAULT-VALUE}")
  private URI url = URI.create("http://127.0.0.1:8080");

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "5s",
      converter = TimeoutConverter.class,
      description = "How long to wait, 10ms to 600s; default: ${DEFAULT-VALUE}")
  private Duration timeout = Duration.ofSeconds(5);

  @Option(names = "--json", description = "Print the node's answer as it came")
  private boolean json;

  URI url() {
    return url;
  }

  Duration timeout() {
    return timeout;
  }

  boolean json() {
    return json;
  }

  /** The address of an endpoint of that node. */
  URI at(String path) {
    return URI.create(url + path);
  }
}
