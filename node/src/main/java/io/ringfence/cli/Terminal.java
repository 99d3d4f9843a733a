package io.ringfence.cli;

import java.io.PrintWriter;

/**
 * Where a command prints. Every line goes through {@link Printable}, so nothing that came over the
 * network reaches a terminal as a control sequence.
 *
 * @param out for the answer
 * @param err for why there is none
 */
record Terminal(PrintWriter out, PrintWriter err) {

  /** Prints a line of the answer. */
  void line(String text) {
    out.println(Printable.of(text));
  }

  /** Prints a JSON document that has been parsed before. */
  void json(String document) {
    out.println(Printable.json(document.strip()));
  }

  /** Prints a line of complaint. */
  void complain(String text) {
    err.println(Printable.of(text));
  }

  void flush() {
    out.flush();
    err.flush();
  }
}
