package io.ringfence.chaos.faults;

import io.ringfence.chaos.wire.Call;
import io.ringfence.chaos.wire.CheckRequest;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that do nothing but ask, again and again, for keys of the node that a fault is about, at
 * nodes that it spares: each for a key of its own, a millisecond after the last answer. So it shows
 * to a millisecond or two when an owner first answers for them again.
 */
final class Askers implements AutoCloseable {
  private static final long PAUSE_NANOS = Duration.ofMillis(1).toNanos();

  private final AtomicBoolean stopped = new AtomicBoolean();
  private final List<Thread> threads = new ArrayList<>();
  private final Collection<Check> entered = new ConcurrentLinkedQueue<>();

  private Askers() {}

  /**
   * Starts them.
   *
   * @param requests dealt out in turn; each asks for its own, one after another
   * @param nodes whom they ask, dealt out in turn
   * @param count how many there are
   */
  static Askers start(
      List<CheckRequest> requests, Map<String, InetSocketAddress> nodes, int count) {
    Askers askers = new Askers();
    List<Map.Entry<String, InetSocketAddress>> asked = List.copyOf(nodes.entrySet());
    List<Call> calls = requests.stream().map(CheckRequest::check).toList();
    int enough = asked.isEmpty() ? 0 : Math.min(count, calls.size());
    for (int number = 0; number < enough; number++) {
      Map.Entry<String, InetSocketAddress> node = asked.get(number % asked.size());
      Doors door = new Doors();
      door.open(node.getKey(), node.getValue());
      int first = number;
      Thread thread = new Thread(() -> askers.run(first, enough, calls, door), "asker-" + number);
      thread.setDaemon(true);
      askers.threads.add(thread);
    }
    askers.threads.forEach(Thread::start);
    return askers;
  }

  private void run(int first, int step, List<Call> calls, Doors door) {
    try (Client client = new Client(0, door)) {
      for (int key = first; !stopped.get(); key += step) {
        key = key < calls.size() ? key : first;
        client.ask(key, calls.get(key)).ifPresent(entered::add);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  /**
   * What they saw.
   *
   * @param firstRight how long after the fault each of them had an owner's answer; who got none is
   *     left out
   * @param worst the longest that any of them waited for an answer of any kind
   * @param asked how many checks
   * @param failed how many of them no owner answered
   */
  record Seen(List<Duration> firstRight, Duration worst, int asked, long failed) {}

  /** What they saw so far. */
  Seen seen(Incident incident, Target target) {
    Map<Integer, Long> first = new TreeMap<>();
    for (Check check : entered) {
      boolean afterwards =
          check.receivedNanos() > incident.doneNanos()
              && (check.sentNanos() > incident.doneNanos()
                  || !target.victims().contains(String.valueOf(check.owner())));
      if (afterwards && check.byOwner()) {
        first.merge(check.key(), check.receivedNanos() - incident.struckNanos(), Math::min);
      }
    }
    return new Seen(
        first.values().stream().map(Duration::ofNanos).toList(),
        Duration.ofNanos(entered.stream().mapToLong(Check::tookNanos).max().orElse(0)),
        entered.size(),
        entered.stream().filter(check -> !check.byOwner()).count());
  }

  @Override
  public void close() {
    stop();
  }

  /** Lets them end, and waits for it. */
  void stop() {
    stopped.set(true);
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
