package io.ringfence.http;

import io.ringfence.engine.Check;
import io.ringfence.engine.ClusterStatus;
import io.ringfence.engine.Limiter;
import io.ringfence.engine.Placed;
import io.ringfence.engine.Usage;
import io.ringfence.engine.Verdict;
import io.ringfence.engine.VerdictListener;
import io.ringfence.rules.Request;
import io.ringfence.rules.RuleSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Answers as the test says, and remembers what it was asked. */
final class ScriptedLimiter implements Limiter {
  final AtomicInteger asked = new AtomicInteger();
  final Queue<Check> peeks = new ConcurrentLinkedQueue<>();
  volatile @Nullable Check last;
  volatile @Nullable Request placed;
  volatile Placed place = new Placed(17, "n2", "n3", 4);
  volatile ClusterStatus status = new ClusterStatus("n1", 0, List.of(), "v1", false);
  volatile BiConsumer<Check, VerdictListener> script =
      (check, listener) -> listener.verdict(Verdicts.of(true));

  void answer(Verdict verdict) {
    script = (check, listener) -> listener.verdict(verdict);
  }

  @Override
  public void check(Check check, VerdictListener listener) {
    asked.incrementAndGet();
    last = check;
    script.accept(check, listener);
  }

  @Override
  public void peek(Check check, VerdictListener listener) {
    peeks.add(check);
    script.accept(check, listener);
  }

  @Override
  public void checkAll(List<Check> checks, Consumer<List<Verdict>> listener) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void refund(Check check, VerdictListener listener) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void reset(Check check, VerdictListener listener) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void debit(Check check, VerdictListener listener) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void usage(String client, Consumer<Usage> listener) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Placed place(Request request) {
    placed = request;
    return place;
  }

  @Override
  public RuleSet rules() {
    return new RuleSet("v1", List.of());
  }

  @Override
  public ClusterStatus cluster() {
    return status;
  }
}
