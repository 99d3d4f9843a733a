package io.ringfence.embed;

import io.ringfence.http.ClusterCalls;
import io.ringfence.http.Weighing;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes the calls of operators to the thread on which the view is kept, once there is one. A node
 * that is drained wants no traffic from that moment on. Thread-safe.
 */
final class Orders implements ClusterCalls {
  private static final String STARTING = "it is starting";

  private final NodeReadiness readiness;
  private volatile @Nullable ViewLoop views; // null while the node is being put together

  Orders(NodeReadiness readiness) {
    this.readiness = readiness;
  }

  void starting(ViewLoop loop) {
    views = loop;
  }

  @Override
  public void promote(Consumer<@Nullable String> told) {
    ViewLoop loop = views;
    if (loop == null) {
      told.accept(STARTING);
    } else {
      loop.promote(told);
    }
  }

  @Override
  public void drain(Consumer<@Nullable String> told) {
    ViewLoop loop = views;
    if (loop == null) {
      told.accept(STARTING);
      return;
    }
    loop.drain(
        refusal -> {
          if (refusal == null) {
            readiness.draining();
          }
          told.accept(refusal);
        });
  }

  @Override
  public void weigh(String member, int weight, Consumer<Weighing> told) {
    ViewLoop loop = views;
    if (loop == null) {
      told.accept(new Weighing.Unavailable("this node is starting"));
    } else {
      loop.weigh(member, weight, told);
    }
  }
}
