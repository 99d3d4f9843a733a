package io.ringfence.config;

import io.ringfence.membership.Address;
import io.ringfence.rules.Network;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The fields of a node file that this release checks and does not act on. They are accepted so that
 * a file is good for the next release too, and answered by a warning so that nobody relies on them.
 */
final class UnusedSettings {
  private static final Pattern HEADER = Pattern.compile("header:[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}");

  /**
   * @param neutral what may be written without a warning, empty for nothing
   */
  private record Unused(
      String section, String key, Scalars.Reader<?> reader, String neutral, String because) {}

  private static final List<Unused> FIELDS =
      List.of(
          new Unused("node", "zone", Scalars.name(), "", "copies are not spread over zones yet"),
          new Unused("listen", "grpc", offOr(Address::parse), Fields.OFF, "there is no gRPC yet"),
          new Unused("trust", "proxies", Network::parse, "", "callers state the ip themselves"),
          new Unused(
              "trust", "ipv6_prefix", Scalars.wholeInt(32, 128), "", "addresses count in full"),
          new Unused("identity", "client", identity(), "", "callers state it themselves"),
          new Unused("identity", "user", identity(), "", "callers state it themselves"),
          new Unused("identity", "tier", identity(), "", "callers state it themselves"),
          new Unused(
              "headers", "retry_spread", Scalars.nanos("0s", "1h"), "0s", "waits are not spread"));

  private UnusedSettings() {}

  /** The names of these fields, with their sections before them. */
  static Set<String> keys() {
    return FIELDS.stream()
        .map(unused -> unused.section + "." + unused.key)
        .collect(Collectors.toUnmodifiableSet());
  }

  static void read(Sections sections, List<String> warnings) {
    for (Unused unused : FIELDS) {
      Fields fields = sections.open(unused.section);
      if (!fields.has(unused.key)) {
        continue;
      }
      fields.readAll(unused.key, unused.reader);
      boolean neutral =
          fields.tree(unused.key) instanceof Tree.Text text && text.value().equals(unused.neutral);
      if (!neutral) {
        warnings.add(
            unused.section
                + "."
                + unused.key
                + " has no effect in this release: "
                + unused.because);
      }
    }
  }

  private static Scalars.Reader<Object> offOr(Scalars.Reader<?> reader) {
    return text -> text.equals(Fields.OFF) ? Fields.OFF : reader.read(text);
  }

  private static Scalars.Reader<String> identity() {
    return text -> {
      if (!text.equals("ip") && !HEADER.matcher(text).matches()) {
        throw new IllegalArgumentException(
            "must be ip or header:NAME, such as header:X-Api-Key, not " + Shown.quoted(text));
      }
      return text;
    };
  }
}
