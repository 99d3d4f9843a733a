package io.ringfence.chaos.cluster;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * The line that a node prints once it is ready: {@code ringfence ready name=n1 http=127.0.0.1:8081
 * peer=… cluster=…}. Further words may follow.
 */
record ReadyLine(Map<String, String> words) {
  private static final String START = "ringfence ready ";

  static boolean is(String line) {
    return line.startsWith(START);
  }

  static ReadyLine parse(String line) {
    Map<String, String> words = new HashMap<>();
    for (String word : line.substring(START.length()).split(" ", -1)) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        words.put(word.substring(0, equals), word.substring(equals + 1));
      }
    }
    return new ReadyLine(words);
  }

  String name() {
    return word("name");
  }

  /**
   * The address under that word.
   *
   * @throws IllegalStateException where the line does not have it
   */
  InetSocketAddress address(String word) {
    String text = word(word);
    int colon = text.lastIndexOf(':');
    return new InetSocketAddress(
        text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }

  private String word(String name) {
    String value = words.get(name);
    if (value == null) {
      throw new IllegalStateException("the ready line has no " + name + "=: " + words);
    }
    return value;
  }
}
