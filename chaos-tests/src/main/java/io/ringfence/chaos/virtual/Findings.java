package io.ringfence.chaos.virtual;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What broke in a run, in the order in which it was noticed. */
public final class Findings {
  private final Agenda agenda;
  private final Story story;
  private final List<Finding> all = new ArrayList<>();

  public Findings(Agenda agenda, Story story) {
    this.agenda = agenda;
    this.story = story;
  }

  /** That invariant holds, or broke in the way that is told. */
  public void require(boolean holds, Enum<?> invariant, Supplier<String> otherwise) {
    if (!holds) {
      broken(invariant, otherwise.get());
    }
  }

  public void broken(Enum<?> invariant, String what) {
    Finding finding = new Finding(invariant, agenda.now(), what);
    all.add(finding);
    story.add(() -> "BROKEN  " + finding);
  }

  public boolean none() {
    return all.isEmpty();
  }

  public List<Finding> all() {
    return List.copyOf(all);
  }
}
