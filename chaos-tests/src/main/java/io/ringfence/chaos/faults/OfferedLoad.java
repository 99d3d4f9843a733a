package io.ringfence.chaos.faults;

import io.ringfence.chaos.wire.Call;
import io.ringfence.chaos.wire.MachineClock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A load under way: clients that take the next offer of a list when it is due, and later where all
 * of them still wait for answers. Every check that was sent is entered once. An offer that finds no
 * node waits until there is one.
 */
final class OfferedLoad implements AutoCloseable {
  private final Doors doors;
  private final List<Call> calls;
  private final List<Integer> order;
  private final IntToLongFunction due;
  private final Collection<Check> entered = new ConcurrentLinkedQueue<>();
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
  private final List<Thread> threads = new ArrayList<>();
  private final CountDownLatch marked = new CountDownLatch(1);
  private int mark = Integer.MAX_VALUE; // of order; before the start

  /**
   * Sends nothing yet.
   *
   * @param calls one for each key
   * @param order the keys' places in calls
   * @param due nanoseconds after the start, by the place in the order
   */
  OfferedLoad(Doors doors, List<Call> calls, List<Integer> order, IntToLongFunction due) {
    this.doors = doors;
    this.calls = List.copyOf(calls);
    this.order = List.copyOf(order);
    this.due = due;
  }

  /** Makes {@link #awaitMark} wait until that many offers were taken. Before the start. */
  OfferedLoad marked(int offers) {
    mark = offers;
    return this;
  }

  OfferedLoad start(int clients) {
    long startNanos = MachineClock.nanos();
    for (int number = 0; number < clients; number++) {
      Client client = new Client(number, doors);
      Thread thread = new Thread(() -> run(client, startNanos), "client-" + number);
      thread.setDaemon(true);
      threads.add(thread);
    }
    threads.forEach(Thread::start);
    return this;
  }

  private void run(Client client, long startNanos) {
    try (client) {
      while (!stopped.get()) {
        int index = next.getAndIncrement();
        if (index >= mark || index >= order.size()) {
          marked.countDown();
        }
        if (index >= order.size()) {
          return;
        }
        waitUntil(startNanos + due.applyAsLong(index));
        send(client, order.get(index));
      }
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
      stopped.set(true);
    } finally {
      if (stopped.get()) {
        marked.countDown();
      }
    }
  }

  private void send(Client client, int key) {
    while (!stopped.get()) {
      Optional<Check> check = client.ask(key, calls.get(key));
      if (check.isPresent()) {
        entered.add(check.get());
        return;
      }
    }
  }

  private static void waitUntil(long nanos) {
    for (long left = nanos - MachineClock.nanos(); left > 0; left = nanos - MachineClock.nanos()) {
      LockSupport.parkNanos(left);
    }
  }

  void awaitMark() {
    try {
      marked.await();
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /**
   * Waits until all is sent and answered.
   *
   * @return every check
   * @throws IllegalStateException where an answer was not one that a client understands
   */
  List<Check> finish() {
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    RuntimeException cause = failure.get();
    if (cause != null) {
      throw new IllegalStateException("the load failed: " + cause, cause);
    }
    return List.copyOf(entered);
  }

  private IllegalStateException interrupted(InterruptedException e) {
    close();
    Thread.currentThread().interrupt();
    return new IllegalStateException("interrupted while a load was under way", e);
  }

  /** Sends no more, without waiting. */
  @Override
  public void close() {
    stopped.set(true);
  }
}
