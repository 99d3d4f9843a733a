package io.ringfence.chaos.faults;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The file of outcomes: a line of JSON for each trial and policy, only ever added to, so that a
 * long run can be split and taken up again. For one process at a time.
 */
public final class Results {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;

  /** The file need not be there yet. */
  public Results(Path file) {
    this.file = file;
  }

  /** Adds those lines. */
  public void add(List<Outcome> outcomes) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Outcome outcome : outcomes) {
      lines.add(JSON.writeValueAsString(outcome));
    }
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.write(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private List<Outcome> read() throws IOException {
    List<Outcome> outcomes = new ArrayList<>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        outcomes.add(JSON.readValue(line, Outcome.class));
      }
    }
    return outcomes;
  }

  /** Whether every outcome in the file is within its bound. */
  public boolean allRight() throws IOException {
    return read().stream().allMatch(Outcome::right);
  }

  /** A row for each fault and policy, over all trials in the file, in the file's order. */
  public List<Row> rows() throws IOException {
    Map<String, List<Outcome>> groups = new LinkedHashMap<>();
    for (Outcome outcome : read()) {
      String group = outcome.fault() + " " + outcome.policy();
      groups.computeIfAbsent(group, name -> new ArrayList<>()).add(outcome);
    }
    return groups.values().stream().map(Row::new).toList();
  }
}
