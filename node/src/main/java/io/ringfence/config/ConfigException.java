package io.ringfence.config;

import java.util.List;

/**
 * A file, flag or environment variable that is refused. Each problem names the place (file and
 * line), the rule if it is in one, the field, what is wrong and what would be right. Whatever is in
 * force stays in force.
 */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  ConfigException(List<String> problems) {
    super(String.join(System.lineSeparator(), problems));
    this.problems = List.copyOf(problems);
  }

  /** One line for each problem, at most {@value Problems#MAX} and one that counts the others. */
  public List<String> problems() {
    return problems;
  }
}
