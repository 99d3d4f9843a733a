package io.ringfence.chaos.load;

import io.ringfence.chaos.wire.Answer;
import io.ringfence.chaos.wire.CheckAnswer;
import io.ringfence.chaos.wire.HttpConnection;
import io.ringfence.chaos.wire.MachineClock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A load under way: a thread for each keep-alive connection, all of which take the next shot of one
 * plan until it is used up or {@link #stop} is called. Whatever comes back is entered in the
 * ledger.
 *
 * <p>A closed loop: a connection sends its next check only after the answer to the last, so a slow
 * node slows its own callers down and is not overrun.
 *
 * <p>A connection that breaks is a failure of the load, unless its node may be killed; then its
 * checks are counted as lost and the thread goes on at the next node that may not be. The first
 * failure ends the load, and {@link #finish} throws it.
 */
public final class Load implements AutoCloseable {
  private final List<InetSocketAddress> nodes;
  private final LoadPlan plan;
  private final LoadSettings settings;
  private final Ledger ledger;
  private final AtomicLong next = new AtomicLong();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
  private final List<Thread> threads = new ArrayList<>();

  private Load(List<InetSocketAddress> nodes, LoadPlan plan, LoadSettings settings, Ledger ledger) {
    this.nodes = List.copyOf(nodes);
    this.plan = plan;
    this.settings = settings;
    this.ledger = ledger;
  }

  /** Starts firing at those HTTP addresses. */
  public static Load start(
      List<InetSocketAddress> nodes, LoadPlan plan, LoadSettings settings, Ledger ledger) {
    Load load = new Load(nodes, plan, settings, ledger);
    for (int i = 0; i < settings.connections(); i++) {
      int node = i % nodes.size();
      Thread thread = new Thread(() -> load.run(node), "load-" + i);
      thread.setDaemon(true);
      load.threads.add(thread);
    }
    load.threads.forEach(Thread::start);
    return load;
  }

  /** Fires the whole plan and waits for its end. */
  public static void run(
      List<InetSocketAddress> nodes, LoadPlan plan, LoadSettings settings, Ledger ledger) {
    try (Load load = start(nodes, plan, settings, ledger)) {
      load.finish();
    }
  }

  /** Lets every connection end after the answers that it is waiting for. */
  public void stop() {
    stopped.set(true);
  }

  /**
   * Waits until every connection has ended.
   *
   * @throws IllegalStateException with what made the load fail
   */
  public void finish() {
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      stop();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a load was under way", e);
    }
    Exception cause = failure.get();
    if (cause != null) {
      throw new IllegalStateException("the load failed: " + cause, cause);
    }
  }

  /** Stops firing, without waiting. */
  @Override
  public void close() {
    stop();
  }

  private void run(int firstNode) {
    int node = firstNode;
    try {
      while (!fire(node)) {
        node = nextThatStays(node);
      }
    } catch (IOException | RuntimeException e) {
      failure.compareAndSet(null, e);
      stop();
    }
  }

  private int nextThatStays(int node) {
    for (int step = 1; step <= nodes.size(); step++) {
      int candidate = (node + step) % nodes.size();
      if (!settings.expendable().contains(candidate)) {
        return candidate;
      }
    }
    throw new IllegalStateException("every node may be killed; none is left to ask");
  }

  /** Fires at one node; false when that node went away as it was allowed to. */
  private boolean fire(int node) throws IOException {
    List<Shot> volley = new ArrayList<>();
    int answered = 0;
    try (HttpConnection connection = HttpConnection.open(nodes.get(node), settings.patience())) {
      while (true) {
        volley = volley();
        answered = 0;
        if (volley.isEmpty()) {
          return true;
        }
        long sentAtMillis = MachineClock.epochMillis();
        long sentNanos = MachineClock.nanos();
        connection.send(volley.stream().map(Shot::call).toList());
        for (Shot shot : volley) {
          Answer answer = connection.receive();
          long tookNanos = MachineClock.nanos() - sentNanos;
          Timing timing = new Timing(sentAtMillis, MachineClock.epochMillis(), tookNanos);
          ledger.enter(shot, CheckAnswer.of(answer), timing);
          answered++;
        }
      }
    } catch (IOException e) {
      if (!settings.expendable().contains(node)) {
        throw new IOException("node " + nodes.get(node) + ": " + e, e);
      }
      ledger.lost(volley.size() - answered);
      return false;
    }
  }

  private List<Shot> volley() {
    List<Shot> volley = new ArrayList<>(settings.depth());
    while (volley.size() < settings.depth() && !stopped.get()) {
      long index = next.getAndIncrement();
      if (index >= plan.checks()) {
        break;
      }
      volley.add(plan.shot(index));
    }
    return volley;
  }
}
