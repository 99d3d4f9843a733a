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
 * <p>For nodes that all stay: a connection that breaks is a failure of the load. The first failure
 * ends it, and {@link #finish} throws it.
 */
public final class Load implements AutoCloseable {
  private final LoadPlan plan;
  private final LoadSettings settings;
  private final Ledger ledger;
  private final AtomicLong next = new AtomicLong();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
  private final List<Thread> threads = new ArrayList<>();

  private Load(LoadPlan plan, LoadSettings settings, Ledger ledger) {
    this.plan = plan;
    this.settings = settings;
    this.ledger = ledger;
  }

  /** Starts firing at those HTTP addresses. */
  public static Load start(
      List<InetSocketAddress> nodes, LoadPlan plan, LoadSettings settings, Ledger ledger) {
    Load load = new Load(plan, settings, ledger);
    for (int i = 0; i < settings.connections(); i++) {
      InetSocketAddress node = nodes.get(i % nodes.size());
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

  private void run(InetSocketAddress node) {
    try (HttpConnection connection = HttpConnection.open(node, settings.patience())) {
      for (List<Shot> volley = volley(); !volley.isEmpty(); volley = volley()) {
        fire(volley, connection);
      }
    } catch (IOException | RuntimeException e) {
      failure.compareAndSet(null, new IllegalStateException("node " + node + ": " + e, e));
      stop();
    }
  }

  private void fire(List<Shot> volley, HttpConnection connection) throws IOException {
    long sentAtMillis = MachineClock.epochMillis();
    long sentNanos = MachineClock.nanos();
    connection.send(volley.stream().map(Shot::call).toList());
    for (Shot shot : volley) {
      Answer answer = connection.receive();
      long tookNanos = MachineClock.nanos() - sentNanos;
      Timing timing = new Timing(sentAtMillis, MachineClock.epochMillis(), tookNanos);
      ledger.enter(shot, CheckAnswer.of(answer), timing);
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
