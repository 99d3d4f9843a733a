package io.ringfence.chaos.faults;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Names of nodes, and choices among them. */
final class Nodes {
  private Nodes() {}

  /** n1 to nN. */
  static List<String> first(int count) {
    return IntStream.rangeClosed(1, count).mapToObj(i -> "n" + i).toList();
  }

  static String any(List<String> nodes, Random random) {
    return nodes.get(random.nextInt(nodes.size()));
  }

  static List<String> some(List<String> nodes, int count, Random random) {
    List<String> mixed = new ArrayList<>(nodes);
    Collections.shuffle(mixed, random);
    return List.copyOf(mixed.subList(0, count));
  }

  static List<String> without(List<String> nodes, Collection<String> others) {
    return nodes.stream().filter(node -> !others.contains(node)).toList();
  }

  static List<String> without(List<String> nodes, String other) {
    return without(nodes, List.of(other));
  }
}
