package io.ringfence.chaos.swarm;

import io.ringfence.chaos.virtual.Runs;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** How often each kind of fault met each state of the cluster, and how many processes were lost. */
public final class Coverage implements Runs.Coverage<Coverage> {
  private final Map<FaultKind, Map<ClusterState, Long>> counts = new EnumMap<>(FaultKind.class);
  private long losses;

  void met(FaultKind fault, ClusterState state) {
    add(fault, state, 1);
  }

  void lost(int processes) {
    losses += processes;
  }

  long count(FaultKind fault, ClusterState state) {
    return counts.getOrDefault(fault, Map.of()).getOrDefault(state, 0L);
  }

  private void add(FaultKind fault, ClusterState state, long times) {
    counts
        .computeIfAbsent(fault, unused -> new EnumMap<>(ClusterState.class))
        .merge(state, times, Long::sum);
  }

  /** Adds what another run met. */
  @Override
  public void add(Coverage other) {
    other.counts.forEach((fault, states) -> states.forEach((s, times) -> add(fault, s, times)));
    losses += other.losses;
  }

  /** The pairs that a run of some hundred seeds must have met, and these did not. */
  @Override
  public List<String> missing() {
    List<String> missing = new ArrayList<>();
    for (FaultKind fault : FaultKind.values()) {
      for (ClusterState state : ClusterState.values()) {
        if (mustMeet(fault, state) && count(fault, state) == 0) {
          missing.add(fault.text() + " / " + state.text());
        }
      }
    }
    return List.copyOf(missing);
  }

  /**
   * What is rare in itself need not meet every state, nor a state that is soon over every fault.
   */
  private static boolean mustMeet(FaultKind fault, ClusterState state) {
    boolean lasts =
        switch (state) {
          case SETTLED, JOINING, HALF_WAY, REFILLING -> true;
          case DRAINING, WEIGHING, PASSING -> false;
        };
    return switch (fault) {
      case CRASH -> state != ClusterState.WEIGHING;
      case FREEZE, PARTITION -> lasts;
      default -> state == ClusterState.SETTLED;
    };
  }

  /** A row a fault, a column a state, as Markdown. */
  @Override
  public String markdown() {
    StringBuilder table = new StringBuilder("| fault |");
    for (ClusterState state : ClusterState.values()) {
      table.append(' ').append(state.text()).append(" |");
    }
    table.append("\n|---|").append("---|".repeat(ClusterState.values().length)).append('\n');
    for (FaultKind fault : FaultKind.values()) {
      table.append("| ").append(fault.text()).append(" |");
      for (ClusterState state : ClusterState.values()) {
        table.append(' ').append(count(fault, state)).append(" |");
      }
      table.append('\n');
    }
    return table.append("\nprocesses lost: ").append(losses).append('\n').toString();
  }
}
