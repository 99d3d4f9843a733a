package io.ringfence.config;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What is wrong with what is being read. For one thread. */
final class Problems {
  /** Further ones are counted, not kept. */
  static final int MAX = 20;

  private final List<String> found = new ArrayList<>();
  private int dropped;

  void add(Origin origin, String what) {
    if (found.size() < MAX) {
      found.add(Shown.line(origin + ": " + what));
    } else {
      dropped++;
    }
  }

  /** Builds settings whose constructor checks them; null where it refuses, which is reported. */
  <T> @Nullable T built(Origin origin, Supplier<T> constructor) {
    try {
      return constructor.get();
    } catch (IllegalArgumentException e) {
      add(origin, String.valueOf(e.getMessage()));
      return null;
    }
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  void throwIfAny() throws ConfigException {
    if (isEmpty()) {
      return;
    }
    List<String> all = new ArrayList<>(found);
    if (dropped > 0) {
      all.add("and " + dropped + " more");
    }
    throw new ConfigException(all);
  }

  /** The exception of something that leaves no sense in reading on. */
  static ConfigException fatal(Origin origin, String what) {
    return new ConfigException(List.of(Shown.line(origin + ": " + what)));
  }
}
