package io.ringfence.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** A command that was run inside this process, and what became of it. */
record Ran(int exitCode, String out, String err) {
  static Ran command(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode = Main.run(new Terminal(new PrintWriter(out), new PrintWriter(err)), arguments);
    return new Ran(exitCode, lines(out), lines(err));
  }

  private static String lines(StringWriter written) {
    return written.toString().replace(System.lineSeparator(), "\n");
  }

  /** The same with an address replaced, as ports differ from run to run. */
  Ran naming(String address, String name) {
    return new Ran(exitCode, out.replace(address, name), err.replace(address, name));
  }
}
