package io.ringfence.chaos.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringfence.chaos.faults.Check.Reply;
import io.ringfence.chaos.wire.Answer;
import io.ringfence.chaos.wire.Call;
import io.ringfence.chaos.wire.Certainty;
import io.ringfence.chaos.wire.HttpConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * So many keys that they are asked for in bulk, each the same number of times. For one thread; it
 * uses several itself.
 */
final class Crowd {
  private static final int BATCH = 200;
  private static final int CONNECTIONS_OF_A_NODE = 2;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final String route;
  private final int keys;

  /**
   * Asks for nothing yet.
   *
   * @param route of the rule that counts them
   * @param keys from 1
   */
  Crowd(String route, int keys) {
    this.route = route;
    this.keys = keys;
  }

  /** How the answers were spread when each key was asked for once. */
  record Count(ConcurrentMap<Reply, AtomicInteger> replies) {
    long of(Reply reply) {
      AtomicInteger count = replies.get(reply);
      return count == null ? 0 : count.get();
    }

    private void add(Reply reply) {
      replies.computeIfAbsent(reply, kind -> new AtomicInteger()).incrementAndGet();
    }
  }

  /** Checks each key once, at those nodes in turn. */
  Count checkAll(List<InetSocketAddress> nodes, int cost) {
    Count count = new Count(new ConcurrentHashMap<>());
    AtomicInteger next = new AtomicInteger();
    AtomicReference<@Nullable IOException> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < nodes.size() * CONNECTIONS_OF_A_NODE; i++) {
      InetSocketAddress node = nodes.get(i % nodes.size());
      Thread thread =
          new Thread(
              () -> {
                try {
                  send(node, cost, next, count);
                } catch (IOException e) {
                  failure.compareAndSet(null, e);
                }
              },
              "crowd-" + i);
      thread.setDaemon(true);
      threads.add(thread);
    }
    threads.forEach(Thread::start);
    await(threads);
    IOException cause = failure.get();
    if (cause != null) {
      throw new IllegalStateException("a bulk check failed: " + cause.getMessage(), cause);
    }
    return count;
  }

  private static void await(List<Thread> threads) {
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a crowd was asked for", e);
    }
  }

  private void send(InetSocketAddress node, int cost, AtomicInteger next, Count count)
      throws IOException {
    try (HttpConnection connection = HttpConnection.open(node, PATIENCE)) {
      for (int from = next.getAndAdd(BATCH); from < keys; from = next.getAndAdd(BATCH)) {
        int until = Math.min(keys, from + BATCH);
        Answer answer = connection.exchange(Call.post("/v1/checks", body(from, until, cost)));
        JsonNode results = answer.json().path("results");
        if (answer.status() != 200 || results.size() != until - from) {
          throw new IOException("status " + answer.status() + ": " + answer.body());
        }
        results.forEach(result -> count.add(reply(result)));
      }
    }
  }

  private String body(int from, int until, int cost) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    ArrayNode checks = body.putArray("checks");
    for (int key = from; key < until; key++) {
      checks.addObject().put("key", "c" + key).put("route", route).put("cost", cost);
    }
    return body.toString();
  }

  private static Reply reply(JsonNode result) {
    JsonNode certainty = result.path("certainty");
    if (!certainty.isTextual()) {
      return Reply.NONE;
    }
    return Reply.of(
        result.path("allowed").asBoolean(),
        Certainty.valueOf(certainty.asText().toUpperCase(Locale.ROOT)));
  }
}
