package io.ringfence.embed;

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
import java.util.List;
import java.util.function.Consumer;

/** Takes every question and answers none, as if another node were asked that is slow. */
final class SilentLimiter implements Limiter {
  @Override
  public void check(Check check, VerdictListener listener) {}

  @Override
  public StandingCheck standing(Check check) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void checkAll(List<Check> checks, Consumer<List<Verdict>> listener) {}

  @Override
  public void peek(Check check, VerdictListener listener) {}

  @Override
  public void refund(Check check, VerdictListener listener) {}

  @Override
  public void reset(Check check, VerdictListener listener) {}

  @Override
  public void debit(Check check, VerdictListener listener) {}

  @Override
  public void usage(String client, Consumer<Usage> listener) {}

  @Override
  public Placed place(Request request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public RuleSet rules() {
    return new RuleSet("none", List.of());
  }

  @Override
  public ClusterStatus cluster() {
    throw new UnsupportedOperationException();
  }
}
