package io.ringfence.chaos;

import java.util.ArrayList;
import java.util.List;

/** A Markdown table. */
final class Table {
  private final List<String> lines = new ArrayList<>();
  private final int columns;

  Table(String... heads) {
    columns = heads.length;
    lines.add(line(List.of(heads)));
    lines.add("|" + "---|".repeat(columns));
  }

  Table row(Object... cells) {
    if (cells.length != columns) {
      throw new IllegalArgumentException(cells.length + " cells for " + columns + " columns");
    }
    lines.add(line(List.of(cells).stream().map(String::valueOf).toList()));
    return this;
  }

  private static String line(List<String> cells) {
    return "| " + String.join(" | ", cells) + " |";
  }

  @Override
  public String toString() {
    return String.join("\n", lines) + "\n";
  }
}
