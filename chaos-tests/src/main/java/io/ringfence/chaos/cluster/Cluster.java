package io.ringfence.chaos.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringfence.chaos.wire.Call;
import io.ringfence.chaos.wire.CheckRequest;
import io.ringfence.chaos.wire.HttpConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A few nodes of one cluster, each a process, on loopback or in a network of its own, with verbs
 * that wait. A verb whose time is up throws {@link IllegalStateException} with what every node says
 * of the cluster and the last lines of every log.
 *
 * <p>Every node has its cluster address before any of them starts, keeps it over restarts, and is
 * told all of them. All other ports are chosen by the kernel, and read from the ready line.
 *
 * <p>For one thread. {@link #close} kills whatever still runs.
 */
public final class Cluster implements AutoCloseable {
  /** How long the verbs wait; far more than a busy machine takes for any of it. */
  public static final Duration PATIENCE = Duration.ofMinutes(3);

  private final Launcher launcher;
  private final ClusterFiles files;
  private final Map<String, Integer> clusterPorts = new LinkedHashMap<>();
  private final List<Integer> otherPorts;
  private final Site site;
  private final Map<String, NodeProcess> nodes = new LinkedHashMap<>();
  private boolean keepsData;

  /**
   * Starts nothing yet.
   *
   * @param names of all nodes that the cluster will ever have
   */
  public Cluster(Launcher launcher, ClusterFiles files, List<String> names) {
    this(launcher, files, names, List.of(), Site.LOOPBACK);
  }

  /** A cluster whose nodes live elsewhere than on loopback. */
  public Cluster(Launcher launcher, ClusterFiles files, List<String> names, Site site) {
    this(launcher, files, names, List.of(), site);
  }

  /**
   * A cluster that looks for members elsewhere too.
   *
   * @param otherPorts cluster ports on loopback at which nodes look for members before their own
   */
  public Cluster(
      Launcher launcher, ClusterFiles files, List<String> names, List<Integer> otherPorts) {
    this(launcher, files, names, otherPorts, Site.LOOPBACK);
  }

  private Cluster(
      Launcher launcher,
      ClusterFiles files,
      List<String> names,
      List<Integer> otherPorts,
      Site site) {
    this.launcher = launcher;
    this.files = files;
    this.otherPorts = List.copyOf(otherPorts);
    this.site = site;
    FreePorts ports = new FreePorts();
    names.forEach(name -> clusterPorts.put(name, ports.next()));
  }

  /** From now on each node that is started has a data directory, the same after a restart. */
  public void keepData() {
    keepsData = true;
  }

  /** Starts all nodes one after another, each when the one before is ready. */
  public Cluster startInTurn() {
    clusterPorts.keySet().forEach(this::start);
    return this;
  }

  /** Starts all nodes at the same moment. */
  public Cluster startTogether() {
    clusterPorts.keySet().forEach(this::launch);
    nodes.values().forEach(node -> node.awaitReady(PATIENCE));
    return this;
  }

  /** Starts the node of that name, again if it is gone, and waits for it. */
  public NodeProcess start(String name) {
    NodeProcess node = launch(name);
    node.awaitReady(PATIENCE);
    return node;
  }

  /** Starts the node of that name without waiting. */
  public NodeProcess launch(String name) {
    return launch(name, files.secret());
  }

  /** Starts a node that shows another secret than the others, without waiting. */
  public NodeProcess launch(String name, Path secret) {
    NodeProcess before = nodes.get(name);
    if (before != null) {
      before.close();
    }
    Launcher there = launcher.after(site.enter(name));
    NodeProcess node = NodeProcess.start(there, name, arguments(name, secret), files.home());
    nodes.put(name, node);
    return node;
  }

  private List<String> arguments(String name, Path secret) {
    Integer port = clusterPorts.get(name);
    if (port == null) {
      throw new IllegalArgumentException("no node " + name + " among " + clusterPorts.keySet());
    }
    List<String> join = new ArrayList<>();
    otherPorts.forEach(other -> join.add("127.0.0.1:" + other));
    clusterPorts.forEach((member, at) -> join.add(site.host(member) + ":" + at));
    String host = site.host(name);
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "node",
                "--config=" + files.config(),
                "--rules=" + files.rules(),
                "--secret-file=" + secret,
                "--name=" + name,
                "--http=" + host + ":0",
                "--peer=" + host + ":0",
                "--cluster=" + host + ":" + port,
                "--join=" + String.join(",", join)));
    if (keepsData) {
      arguments.add("--data=" + files.home().resolve("data-" + name));
    }
    return arguments;
  }

  /** The node of that name, as it was last started. */
  public NodeProcess node(String name) {
    NodeProcess node = nodes.get(name);
    if (node == null) {
      throw new IllegalArgumentException("no node " + name + " was started");
    }
    return node;
  }

  /** The HTTP addresses of those nodes, in that order. */
  public List<InetSocketAddress> http(String... names) {
    return List.of(names).stream().map(name -> node(name).http()).toList();
  }

  /**
   * Gives all nodes other rules, and waits until those that take part obey them.
   *
   * @param names of all that run now
   */
  public void putRules(String rules, Collection<String> names) {
    String version = files.putRules(rules);
    await(
        "rules " + version + " at " + names,
        PATIENCE,
        () ->
            names.stream()
                .allMatch(name -> node(name).clusterPage().rulesVersion().equals(version)));
  }

  /** Waits until all nodes are in one settled view and each of them knows it. */
  public ClusterPage awaitWholeView() {
    return awaitView(clusterPorts.keySet().toArray(String[]::new));
  }

  /**
   * Waits until each of those nodes says that exactly they are the cluster, in one settled view.
   */
  public ClusterPage awaitView(String... names) {
    return awaitView(Set.of(names), PATIENCE);
  }

  private ClusterPage awaitView(Set<String> names, Duration patience) {
    await("one view of " + names, patience, () -> agree(names));
    return node(names.iterator().next()).clusterPage();
  }

  private boolean agree(Collection<String> names) {
    Set<String> expected = Set.copyOf(names);
    List<ClusterPage> pages = names.stream().map(name -> node(name).clusterPage()).toList();
    return pages.stream().allMatch(page -> page.isSettledWith(expected))
        && pages.stream().map(ClusterPage::epoch).distinct().count() == 1
        && pages.stream().map(ClusterPage::members).distinct().count() == 1;
  }

  /**
   * Waits until the condition holds; an exception of the condition means not yet.
   *
   * @param what the end of the sentence "waited for"
   */
  public void await(String what, Duration patience, Callable<Boolean> condition) {
    try {
      Awaitility.await(what)
          .atMost(patience)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(25))
          .ignoreExceptions()
          .until(condition);
    } catch (ConditionTimeoutException e) {
      throw new IllegalStateException("waited " + patience + " for " + what + story(), e);
    }
  }

  /** The name of the node that owns what this check would charge, as {@code asked} sees it. */
  public String ownerOf(CheckRequest request, String asked) {
    return placeOf(request, asked).required("owner").asText();
  }

  /** The name of the node that would own it if the owner died, as {@code asked} sees it. */
  public String backupOf(CheckRequest request, String asked) {
    return placeOf(request, asked).required("backup").asText();
  }

  /** The same for many checks, in their order. */
  public List<Place> placesOf(List<CheckRequest> requests, String asked) {
    List<Place> places = new ArrayList<>();
    try (HttpConnection connection = HttpConnection.open(node(asked).http(), PATIENCE)) {
      for (CheckRequest request : requests) {
        JsonNode place = connection.exchange(placeCall(request)).json();
        places.add(new Place(place.required("owner").asText(), place.required("backup").asText()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(asked + ": " + e, e);
    }
    return places;
  }

  private JsonNode placeOf(CheckRequest request, String asked) {
    return node(asked).call(placeCall(request)).json();
  }

  private static Call placeCall(CheckRequest request) {
    StringBuilder target =
        new StringBuilder("/v1/owner?key=")
            .append(encoded(request.key()))
            .append("&route=")
            .append(encoded(request.route()));
    request
        .attributes()
        .forEach(
            (name, value) -> target.append('&').append(name).append('=').append(encoded(value)));
    return Call.get(target.toString());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** What every node says and has logged, for a failure's message. */
  public String story() {
    StringBuilder story = new StringBuilder();
    for (NodeProcess node : nodes.values()) {
      story.append("\n").append(node.name()).append(": ").append(view(node)).append(node.logTail());
    }
    return story.toString();
  }

  private static String view(NodeProcess node) {
    if (!node.canAnswer()) {
      return node.isAlive() ? "does not answer now" : "is dead";
    }
    try {
      return node.call(Call.get("/v1/cluster")).body();
    } catch (RuntimeException e) {
      return "does not answer: " + e.getMessage();
    }
  }

  @Override
  public void close() {
    nodes.values().forEach(NodeProcess::close);
  }
}
