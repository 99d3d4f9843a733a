package io.ringfence.http;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Does nothing of what operators ask for, and tells them what a test wants. */
final class ScriptedCluster implements ClusterCalls {
  final List<String> asked = new CopyOnWriteArrayList<>();
  volatile @Nullable String refusal; // of what can be refused with a word
  volatile Weighing weighing = new Weighing.Agreed(5);

  @Override
  public void promote(Consumer<@Nullable String> told) {
    asked.add("promote");
    told.accept(refusal);
  }

  @Override
  public void drain(Consumer<@Nullable String> told) {
    asked.add("drain");
    told.accept(refusal);
  }

  @Override
  public void weigh(String member, int weight, Consumer<Weighing> told) {
    asked.add("weigh " + member + " " + weight);
    told.accept(weighing);
  }
}
