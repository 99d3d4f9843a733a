package io.ringfence.chaos.planted;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * An engine with one class edited, and a simulator that runs it: the edited source is compiled in
 * memory against the class path, and a class loader of its own prefers what came of it and loads
 * everything else of ours anew.
 */
public final class FaultyEngine {
  private static final String OURS = "io.ringfence.";

  private FaultyEngine() {}

  /**
   * How many seeds a simulator takes to find the fault; 0 if it does not.
   *
   * @param simulator has a static {@code seedsToViolation(long first, long most)}
   */
  public static long seedsToFind(PlantedFault fault, Class<?> simulator)
      throws IOException, ReflectiveOperationException {
    Loader loader = new Loader(compile(fault));
    Class<?> campaign = loader.loadClass(simulator.getName());
    Object seeds =
        campaign
            .getMethod("seedsToViolation", long.class, long.class)
            .invoke(null, fault.firstSeed(), (long) fault.mostSeeds());
    if (!loader.usedEdited) {
      throw new IllegalStateException("the edited class was never loaded: " + fault);
    }
    return (Long) seeds;
  }

  private static Map<String, byte[]> compile(PlantedFault fault) throws IOException {
    JavaCompiler compiler =
        requireNonNull(ToolProvider.getSystemJavaCompiler(), "the tests need a JDK");
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        InMemory inMemory = new InMemory(files)) {
      boolean compiled =
          compiler
              .getTask(
                  messages,
                  inMemory,
                  null,
                  List.of("-proc:none", "-nowarn", "-cp", System.getProperty("java.class.path")),
                  null,
                  List.of(new Source(fault.className(), fault.source())))
              .call();
      if (!compiled) {
        throw new IllegalStateException(fault + " does not compile: " + messages);
      }
      return inMemory.classes();
    }
  }

  private static URI uri(String className, JavaFileObject.Kind kind) {
    return URI.create("memory:///" + className.replace('.', '/') + kind.extension);
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String className, String text) {
      super(uri(className, Kind.SOURCE), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private static final class Compiled extends SimpleJavaFileObject {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Compiled(String className) {
      super(uri(className, Kind.CLASS), Kind.CLASS);
    }

    @Override
    public OutputStream openOutputStream() {
      return bytes;
    }
  }

  private static final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, Compiled> compiled = new HashMap<>();

    InMemory(JavaFileManager files) {
      super(files);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location,
        String className,
        JavaFileObject.Kind kind,
        @Nullable FileObject sibling) {
      return compiled.computeIfAbsent(className, Compiled::new);
    }

    Map<String, byte[]> classes() {
      Map<String, byte[]> classes = new HashMap<>();
      compiled.forEach((name, file) -> classes.put(name, file.bytes.toByteArray()));
      return classes;
    }
  }

  /** Loads our classes itself, edited ones first, and leaves the rest to its parent. */
  private static final class Loader extends ClassLoader {
    private final Map<String, byte[]> edited;
    private boolean usedEdited;

    Loader(Map<String, byte[]> edited) {
      super(FaultyEngine.class.getClassLoader());
      this.edited = edited;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(OURS)) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded != null ? loaded : define(name);
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      byte[] bytes = edited.get(name);
      usedEdited |= bytes != null;
      if (bytes == null) {
        bytes = original(name);
      }
      return defineClass(name, bytes, 0, bytes.length);
    }

    private byte[] original(String name) throws ClassNotFoundException {
      String path = name.replace('.', '/') + ".class";
      try (InputStream in = getParent().getResourceAsStream(path)) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        return in.readAllBytes();
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
