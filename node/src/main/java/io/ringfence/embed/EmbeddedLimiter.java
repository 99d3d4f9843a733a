package io.ringfence.embed;

import io.ringfence.engine.Check;
import io.ringfence.engine.LimitVerdict;
import io.ringfence.engine.Limiter;
import io.ringfence.engine.StandingCheck;
import io.ringfence.engine.Timers;
import io.ringfence.engine.Verdict;
import io.ringfence.rules.Request;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The limiter as code of the same JVM calls it.
 *
 * <p>Every call has an answer within forward.deadline, whatever happens to other nodes, and none
 * throws because of them: what an owner does not answer, the rule's failure policy does, and {@link
 * Verdict#certainty} says so. Where this node owns the key, the answer is there before the call
 * returns, on the caller's own thread.
 *
 * <p>Thread-safe. Calls named {@code check} and {@code tryAcquire} may wait for the answer of
 * another node, so threads of event loops should use {@link #checkAsync}.
 */
public final class EmbeddedLimiter {
  /** Threads of a node begin with this; they carry answers, so none of them may wait for one. */
  static final String NODE_THREADS = "ringfence-";

  private final Limiter limiter;
  private final Timers timers;

  EmbeddedLimiter(Limiter limiter, Timers timers) {
    this.limiter = limiter;
    this.timers = timers;
  }

  /**
   * Decides, and charges every limit that applies if all of them pass. Waits at most
   * forward.deadline, and goes on waiting if the thread is interrupted, which it is again
   * afterwards.
   *
   * @throws IllegalStateException on a thread of the node itself, where the answer would have to
   *     come from another node: it would wait for itself
   */
  public Verdict check(Check check) {
    Answer answer = new Answer();
    limiter.check(check, answer::set);
    return answer.await();
  }

  /** Whether a request of this client that names nothing else may pass; charges 1. */
  public boolean tryAcquire(String client) {
    return check(new Check(Request.of(client), 1)).allowed();
  }

  /**
   * Whether the same check may pass once more: decided on this thread, without a future, where this
   * node owns the key; like {@link #check} otherwise.
   */
  public boolean tryAcquire(StandingCheck standing) {
    return switch (standing.tryHere()) {
      case ALLOWED -> true;
      case DENIED -> false;
      case NOT_HERE -> check(standing.check()).allowed();
    };
  }

  /** A check to be asked many times over. Make it once and keep it. */
  public StandingCheck standing(Check check) {
    return limiter.standing(check);
  }

  /**
   * As {@link #check}, without waiting. The stage completes on the thread that brings the answer,
   * which must not be blocked; it never completes exceptionally.
   */
  public CompletionStage<Verdict> checkAsync(Check check) {
    CompletableFuture<Verdict> answer = new CompletableFuture<>();
    limiter.check(check, answer::complete);
    return answer;
  }

  /**
   * As {@link #checkAsync}, but of an allowed request completes only when it may go ahead: a
   * leaking bucket lets requests out one after another and tells each how long to wait first. No
   * thread is held meanwhile.
   */
  public CompletionStage<Verdict> checkInTurn(Check check) {
    CompletableFuture<Verdict> answer = new CompletableFuture<>();
    limiter.check(
        check,
        verdict -> {
          long delayNanos = verdict.allowed() ? delayNanos(verdict) : 0;
          if (delayNanos == 0) {
            answer.complete(verdict);
          } else {
            timers.after(delayNanos, () -> answer.complete(verdict));
          }
        });
    return answer;
  }

  /** The limiter's other calls: peeks, refunds, resets, debits, usage, many checks at once. */
  public Limiter calls() {
    return limiter;
  }

  private static long delayNanos(Verdict verdict) {
    long longest = 0;
    for (LimitVerdict limit : verdict.limits()) {
      if (!limit.rule().effect().presentation().shadow()) {
        longest = Math.max(longest, limit.answer().delayNanos());
      }
    }
    return longest;
  }

  /** One answer, which is most often there already. */
  private static final class Answer {
    private final AtomicReference<Object> state = new AtomicReference<>();

    void set(Verdict verdict) {
      if (state.getAndSet(verdict) instanceof CountDownLatch waiting) {
        waiting.countDown();
      }
    }

    Verdict await() {
      if (state.get() instanceof Verdict verdict) {
        return verdict;
      }
      if (Thread.currentThread().getName().startsWith(NODE_THREADS)) {
        throw new IllegalStateException(
            "a thread of the node must not wait for another node's answer; use checkAsync");
      }
      CountDownLatch latch = new CountDownLatch(1);
      if (state.compareAndSet(null, latch)) {
        awaitUninterruptibly(latch);
      }
      if (state.get() instanceof Verdict verdict) {
        return verdict;
      }
      throw new AssertionError("woken without an answer");
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
      boolean interrupted = false;
      while (true) {
        try {
          latch.await();
          break;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
