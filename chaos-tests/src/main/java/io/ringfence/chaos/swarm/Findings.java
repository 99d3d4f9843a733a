package io.ringfence.chaos.swarm;

import io.ringfence.chaos.sim.Agenda;
import io.ringfence.chaos.sim.Story;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What broke in a run, in the order in which it was noticed. */
final class Findings {
  private final Agenda agenda;
  private final Story story;
  private final List<Finding> all = new ArrayList<>();

  Findings(Agenda agenda, Story story) {
    this.agenda = agenda;
    this.story = story;
  }

  void require(boolean holds, Invariant invariant, Supplier<String> otherwise) {
    if (!holds) {
      broken(invariant, otherwise.get());
    }
  }

  void broken(Invariant invariant, String what) {
    Finding finding = new Finding(invariant, agenda.now(), what);
    all.add(finding);
    story.add(() -> "BROKEN  " + finding);
  }

  boolean none() {
    return all.isEmpty();
  }

  List<Finding> all() {
    return List.copyOf(all);
  }
}
