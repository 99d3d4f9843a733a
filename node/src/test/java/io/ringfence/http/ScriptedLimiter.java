package io.ringfence.http;

import io.ringfence.engine.Certainty;
import io.ringfence.engine.Check;
import io.ringfence.engine.ClusterStatus;
import io.ringfence.engine.Limiter;
import io.ringfence.engine.Placed;
import io.ringfence.engine.StandingCheck;
import io.ringfence.engine.Usage;
import io.ringfence.engine.Verdict;
import io.ringfence.engine.VerdictListener;
import io.ringfence.rules.Request;
import io.ringfence.rules.RuleSet;
import java.util.ArrayList;
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
  final Queue<String> changes = new ConcurrentLinkedQueue<>();
  volatile @Nullable Check last;
  volatile @Nullable String usedBy;
  volatile Usage usage = new Usage(Certainty.EXACT, "n2", List.of(), false);
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
  public StandingCheck standing(Check check) {
    throw new AssertionError("no call of the HTTP API is a standing check");
  }

  @Override
  public void checkAll(List<Check> checks, Consumer<List<Verdict>> listener) {
    List<Verdict> verdicts = new ArrayList<>();
    for (Check check : checks) {
      check(check, verdicts::add);
    }
    listener.accept(verdicts);
  }

  @Override
  public void refund(Check check, VerdictListener listener) {
    change("refund", check, listener);
  }

  @Override
  public void reset(Check check, VerdictListener listener) {
    change("reset", check, listener);
  }

  @Override
  public void debit(Check check, VerdictListener listener) {
    change("debit", check, listener);
  }

  private void change(String deed, Check check, VerdictListener listener) {
    asked.incrementAndGet();
    changes.add(deed + " " + check.cost());
    last = check;
    script.accept(check, listener);
  }

  @Override
  public void usage(String client, Consumer<Usage> listener) {
    asked.incrementAndGet();
    usedBy = client;
    listener.accept(usage);
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
