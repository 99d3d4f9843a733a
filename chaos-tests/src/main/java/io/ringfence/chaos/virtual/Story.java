package io.ringfence.chaos.virtual;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What happened in a run, a line each. A run that is not to be told collects nothing. */
public final class Story {
  private final Agenda agenda;
  private final boolean told;
  private final List<String> lines = new ArrayList<>();

  public Story(Agenda agenda, boolean told) {
    this.agenda = agenda;
    this.told = told;
  }

  public void add(Supplier<String> line) {
    if (told) {
      lines.add("%12.6f ms  %s".formatted(agenda.now() / 1e6, line.get()));
    }
  }

  public List<String> lines() {
    return List.copyOf(lines);
  }
}
