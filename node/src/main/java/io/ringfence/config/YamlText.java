package io.ringfence.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingEndEvent;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceEndEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;

/**
 * Reads one YAML document into a {@link Tree}, straight from the parser's events.
 *
 * <p>What configuration does not need is refused rather than understood: anchors and aliases (so
 * nothing can be multiplied), tags (so nothing names a class), a second document, keys that are not
 * text, more than {@value #MAX_BYTES} bytes, more than {@value #MAX_DEPTH} levels, and bytes that
 * are not UTF-8. Work and memory are linear in the size of the file.
 */
final class YamlText {
  static final int MAX_BYTES = 1024 * 1024;
  private static final int MAX_DEPTH = 12;
  private static final int BOM = 0xfeff;

  private final String source;
  private final Iterator<Event> events;

  /** The last value of a field called name: what people find a broken place by. */
  private @Nullable String lastName;

  private YamlText(String source, String text) {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(MAX_BYTES + 1);
    this.source = source;
    this.events = new Yaml(options).parse(new StringReader(text)).iterator();
  }

  /** The content of a file that may hold a document. */
  static byte[] bytes(Path file) throws ConfigException {
    Origin origin = Origin.of(file.toString());
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(MAX_BYTES + 1);
    } catch (NoSuchFileException e) {
      throw Problems.fatal(origin, "there is no such file");
    } catch (IOException e) {
      throw Problems.fatal(origin, "cannot be read: " + e.getMessage());
    }
  }

  /** The mapping that the document is. */
  static Tree.Mapping read(String source, byte[] bytes) throws ConfigException {
    if (bytes.length > MAX_BYTES) {
      throw Problems.fatal(Origin.of(source), "is larger than " + MAX_BYTES + " bytes");
    }
    YamlText reader = new YamlText(source, decode(source, bytes));
    try {
      Tree tree = reader.document();
      if (tree instanceof Tree.Mapping mapping) {
        return mapping;
      }
      throw Problems.fatal(tree.origin(), "must be a mapping of fields, not " + tree.kind());
    } catch (MarkedYAMLException e) {
      throw Problems.fatal(origin(source, e.getProblemMark()), reader.invalid(e));
    } catch (YAMLException e) {
      throw Problems.fatal(
          Origin.of(source), "is not valid YAML: " + oneLine(String.valueOf(e.getMessage())));
    }
  }

  private static String decode(String source, byte[] bytes) throws ConfigException {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return !text.isEmpty() && text.charAt(0) == BOM ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw Problems.fatal(Origin.of(source), "is not UTF-8");
    }
  }

  private String invalid(MarkedYAMLException e) {
    String context = e.getContext() == null ? "" : e.getContext() + ", ";
    return "is not valid YAML"
        + (lastName == null ? ": " : " in or after " + Shown.quoted(lastName) + ": ")
        + oneLine(context + e.getProblem())
        + " (values with { } [ ] , : # in them, or with * & ! % @ ` first, must be in quotes)";
  }

  private static String oneLine(String message) {
    return message.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
  }

  private static Origin origin(String source, Mark mark) {
    return new Origin(source, mark.getLine() + 1);
  }

  private Origin origin(Event event) {
    return origin(source, event.getStartMark());
  }

  private Tree document() throws ConfigException {
    events.next(); // the start of the stream
    Event start = events.next();
    if (!(start instanceof DocumentStartEvent)) {
      throw Problems.fatal(Origin.of(source), "is empty");
    }
    Tree tree = node(events.next(), 1);
    if (tree instanceof Tree.Text text && text.isMissing()) {
      throw Problems.fatal(Origin.of(source), "is empty");
    }
    events.next(); // the end of the document
    Event after = events.next();
    if (after instanceof DocumentStartEvent) {
      throw Problems.fatal(origin(after), "a second document begins; one is allowed");
    }
    return tree;
  }

  private Tree node(Event event, int depth) throws ConfigException {
    Origin origin = origin(event);
    if (event instanceof AliasEvent) {
      throw Problems.fatal(
          origin, "aliases (*name) are not allowed; put a value that begins with * in quotes");
    }
    if (event instanceof NodeEvent named && named.getAnchor() != null) {
      throw Problems.fatal(
          origin, "anchors (&name) are not allowed; put a value that begins with & in quotes");
    }
    if (depth > MAX_DEPTH) {
      throw Problems.fatal(origin, "is nested deeper than " + MAX_DEPTH + " levels");
    }
    if (event instanceof ScalarEvent scalar) {
      refuseTag(scalar.getTag(), origin);
      boolean quoted = scalar.getScalarStyle() != DumperOptions.ScalarStyle.PLAIN;
      return new Tree.Text(scalar.getValue(), quoted, origin);
    }
    if (event instanceof SequenceStartEvent sequence) {
      refuseTag(sequence.getTag(), origin);
      return listing(origin, depth);
    }
    refuseTag(((MappingStartEvent) event).getTag(), origin);
    return mapping(origin, depth);
  }

  private static void refuseTag(@Nullable String tag, Origin origin) throws ConfigException {
    if (tag != null) {
      throw Problems.fatal(
          origin, "tags (!name) are not allowed; put a value that begins with ! in quotes");
    }
  }

  private Tree listing(Origin origin, int depth) throws ConfigException {
    List<Tree> items = new ArrayList<>();
    for (Event event = events.next(); !(event instanceof SequenceEndEvent); event = events.next()) {
      items.add(node(event, depth + 1));
    }
    return new Tree.Listing(items, origin);
  }

  private Tree mapping(Origin origin, int depth) throws ConfigException {
    Map<String, Tree> values = new LinkedHashMap<>();
    Map<String, Origin> keys = new LinkedHashMap<>();
    List<Tree.Text> repeated = new ArrayList<>();
    for (Event event = events.next(); !(event instanceof MappingEndEvent); event = events.next()) {
      Tree key = node(event, depth + 1);
      if (!(key instanceof Tree.Text name)) {
        throw Problems.fatal(key.origin(), "a key must be text, not " + key.kind());
      }
      Tree value = node(events.next(), depth + 1);
      if (values.putIfAbsent(name.value(), value) == null) {
        keys.put(name.value(), name.origin());
      } else {
        repeated.add(name);
      }
      if (name.value().equals("name") && value instanceof Tree.Text text) {
        lastName = text.value();
      }
    }
    return new Tree.Mapping(values, keys, repeated, origin);
  }
}
