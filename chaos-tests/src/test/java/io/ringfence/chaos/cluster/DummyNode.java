package io.ringfence.chaos.cluster;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Stands for a node where the fixture itself is tested. It prints a ready line, serves the file
 * {@code NAME.json} of its home as {@code /v1/cluster}, and exits with 0 on SIGTERM. Under the name
 * {@code broken} it complains and exits with 3; under the name {@code mute} it says nothing.
 */
final class DummyNode {
  private DummyNode() {}

  public static void main(String[] args) throws IOException {
    String name = argument(List.of(args), "--name=");
    if (name.equals("broken")) {
      System.err.println("rules.yaml:3: something is wrong");
      System.exit(3);
    }
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
    server.createContext(
        "/v1/cluster",
        exchange -> {
          byte[] page = Files.readAllBytes(Path.of(name + ".json"));
          exchange.sendResponseHeaders(200, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    server.start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(0)));
    if (!name.equals("mute")) {
      System.out.printf(
          "ringfence ready name=%s http=127.0.0.1:%d%n", name, server.getAddress().getPort());
    }
  }

  private static String argument(List<String> args, String flag) {
    return args.stream()
        .filter(arg -> arg.startsWith(flag))
        .findFirst()
        .orElseThrow()
        .substring(flag.length());
  }
}
