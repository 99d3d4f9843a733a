package io.ringfence.chaos.netns;

import io.ringfence.chaos.cluster.Site;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A network of a few nodes inside this machine, each in a network namespace of its own, in which
 * what goes from one node to another can be cut, in one direction or in both.
 *
 * <pre>
 *   namespace of n1   198.18.x.1 --- veth ---+
 *   namespace of n2   198.18.x.2 --- veth ---+-- namespace of the fabric, which routes
 *   this process    198.18.x.254 --- veth ---+
 * </pre>
 *
 * <p>A cut is a rule of the fabric's routing, {@code from A to B blackhole}: packets vanish on the
 * way, nobody is told, and no interface goes down, as with a switch that fails. It needs neither
 * packet filters nor traffic shaping, which a kernel may lack. A rule names two nodes, so this
 * process reaches every node's address however they are cut from each other. A packet that was
 * dropped is TCP's to send again: what comes after the healing, and how soon, is the nodes' affair.
 *
 * <p>198.18.0.0/15 is for tests of networks (RFC 2544) and routed nowhere; the fabric has no way
 * out of the machine.
 *
 * <p>{@link #close} removes all of it, and so does a shutdown hook. A process that was killed
 * outright leaves its namespaces behind; the next fabric on the machine ends what still runs in
 * them and removes them. For one thread.
 */
public final class Fabric implements Site, AutoCloseable {
  private static final String PREFIX = "ringfence-chaos-"; // then the process, then the node
  private static final int MOST_NODES = 200;
  private static final int OWN_PLACE = 254;
  private static final int HUB_PLACE = 253;

  /** One direction between two nodes. */
  private record Cut(String from, String to) {}

  private final Map<String, Integer> places = new LinkedHashMap<>(); // node to last byte of address
  private final Set<Cut> cuts = new LinkedHashSet<>();
  private final String network; // the first three bytes, such as 198.18.7.
  private final Thread removeAtExit = new Thread(this::removeQuietly, "remove-fabric");
  private boolean removed;

  private Fabric(Collection<String> nodes, String network) {
    this.network = network;
    nodes.forEach(node -> places.put(node, places.size() + 1));
  }

  /** Why there can be no fabric here, or empty where there can be one. */
  public static Optional<String> missing() {
    String trial = PREFIX + ProcessHandle.current().pid() + "-trial";
    try {
      IpCommand.run("netns add " + trial);
      try {
        IpCommand.run("-n " + trial + " rule add from 198.18.0.1 to 198.18.0.2 blackhole");
        IpCommand.run("-n " + trial + " link add rf-a type veth peer name rf-b");
      } finally {
        IpCommand.run("netns del " + trial);
      }
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of("network namespaces need Linux, root and iproute2: " + e.getMessage());
    }
  }

  /**
   * Makes one.
   *
   * @param nodes their names, of letters and digits; 1 to 200
   * @throws IllegalStateException where it cannot be made; ask {@link #missing} first
   */
  public static Fabric of(Collection<String> nodes) {
    if (nodes.isEmpty() || nodes.size() > MOST_NODES) {
      throw new IllegalArgumentException("1 to " + MOST_NODES + " nodes, not " + nodes.size());
    }
    Fabric fabric = null;
    try {
      removeWhatDeadProcessesLeft();
      fabric = new Fabric(nodes, freeNetwork());
      Runtime.getRuntime().addShutdownHook(fabric.removeAtExit);
      fabric.build();
      return fabric;
    } catch (IOException e) {
      if (fabric != null) {
        fabric.close();
      }
      throw new IllegalStateException("cannot make a network of namespaces: " + e.getMessage(), e);
    }
  }

  private static String freeNetwork() throws IOException {
    long pid = ProcessHandle.current().pid();
    for (int step = 0; step < 256; step++) {
      String network = "198.18." + (pid + step) % 256 + ".";
      if (IpCommand.run("route show root " + network + "0/24").isBlank()) {
        return network;
      }
    }
    throw new IOException("every network of 198.18.0.0/16 is in use here");
  }

  private void build() throws IOException {
    String hub = hub();
    IpCommand.run("netns add " + hub);
    IpCommand.run("-n " + hub + " link set lo up");
    IpCommand.run("-n " + hub + " address add " + network + HUB_PLACE + "/32 dev lo");
    String forward = "echo 1 > /proc/sys/net/ipv4/ip_forward";
    IpCommand.run(List.of("netns", "exec", hub, "sh", "-c", forward));
    for (Map.Entry<String, Integer> node : places.entrySet()) {
      String space = namespace(node.getKey());
      IpCommand.run("netns add " + space);
      IpCommand.run("-n " + space + " link set lo up");
      String far = "to-" + node.getValue();
      IpCommand.run(
          "link add eth0 netns " + space + " type veth peer name " + far + " netns " + hub);
      connect("-n " + space + " ", "eth0", node.getValue(), far);
      IpCommand.run("-n " + space + " route add default via " + network + HUB_PLACE + " dev eth0");
    }
    IpCommand.run("link add " + ownLink() + " type veth peer name to-own netns " + hub);
    connect("", ownLink(), OWN_PLACE, "to-own");
    IpCommand.run("route add " + network + "0/24 via " + network + HUB_PLACE + " dev " + ownLink());
  }

  /** Gives both ends of a link their addresses and their first routes. */
  private void connect(String where, String near, int place, String far) throws IOException {
    IpCommand.run(where + "address add " + network + place + "/32 dev " + near);
    IpCommand.run(where + "link set " + near + " up");
    IpCommand.run("-n " + hub() + " link set " + far + " up");
    IpCommand.run("-n " + hub() + " route add " + network + place + "/32 dev " + far);
    IpCommand.run(where + "route add " + network + HUB_PLACE + "/32 dev " + near);
  }

  @Override
  public String host(String node) {
    return network + place(node);
  }

  @Override
  public List<String> enter(String node) {
    place(node);
    return List.of("ip", "netns", "exec", namespace(node));
  }

  private int place(String node) {
    Integer place = places.get(node);
    if (place == null) {
      throw new IllegalArgumentException("no node " + node + " among " + places.keySet());
    }
    return place;
  }

  /** From now on nothing that one node sends reaches the other. */
  public void cut(String from, String to) {
    Cut cut = new Cut(from, to);
    if (cuts.add(cut)) {
      rule("add", cut);
    }
  }

  /** Nothing passes between the nodes of one side and those of the other. */
  public void split(Collection<String> side, Collection<String> other) {
    for (String one : side) {
      for (String two : other) {
        cut(one, two);
        cut(two, one);
      }
    }
  }

  /** Everything passes again. */
  public void heal() {
    cuts.forEach(cut -> rule("del", cut));
    cuts.clear();
  }

  private void rule(String verb, Cut cut) {
    String between = "from " + host(cut.from()) + " to " + host(cut.to());
    try {
      IpCommand.run("-n " + hub() + " rule " + verb + " " + between + " blackhole");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String mine() {
    return PREFIX + ProcessHandle.current().pid() + "-";
  }

  private String namespace(String node) {
    return mine() + network.substring(0, network.length() - 1) + "-" + node;
  }

  private String hub() {
    return namespace("hub");
  }

  private String ownLink() {
    return "rf-" + network.substring("198.18.".length(), network.length() - 1);
  }

  private static void removeWhatDeadProcessesLeft() throws IOException {
    for (String namespace : namespaces()) {
      String pid = namespace.substring(PREFIX.length()).split("-", 2)[0];
      boolean alive = ProcessHandle.of(Long.parseLong(pid)).isPresent();
      if (!alive) {
        remove(namespace);
      }
    }
  }

  private static List<String> namespaces() throws IOException {
    return IpCommand.run("netns list")
        .lines()
        .map(line -> line.split(" ", 2)[0])
        .filter(name -> name.startsWith(PREFIX))
        .toList();
  }

  private static void remove(String namespace) throws IOException {
    for (String pid : IpCommand.run("netns pids " + namespace).split("\\s+", -1)) {
      if (!pid.isEmpty()) {
        ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
      }
    }
    IpCommand.run("netns del " + namespace);
  }

  private void removeQuietly() {
    IOException reason = removeAll();
    if (reason != null) {
      System.err.println("left behind: " + reason.getMessage());
    }
  }

  /** Goes on where something cannot be removed, and returns the first reason. */
  private @Nullable IOException removeAll() {
    if (removed) {
      return null;
    }
    removed = true;
    List<IOException> reasons = new ArrayList<>();
    try {
      String own = namespace("");
      for (String namespace : namespaces()) {
        if (namespace.startsWith(own)) {
          tried(() -> remove(namespace), reasons);
        }
      }
    } catch (IOException e) {
      reasons.add(e);
    }
    return reasons.isEmpty() ? null : reasons.get(0);
  }

  private interface Removal {
    void run() throws IOException;
  }

  private static void tried(Removal removal, List<IOException> reasons) {
    try {
      removal.run();
    } catch (IOException e) {
      reasons.add(e);
    }
  }

  /**
   * Removes the network, and kills what still runs in it.
   *
   * @throws UncheckedIOException where something is left
   */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(removeAtExit);
    } catch (IllegalStateException exiting) {
      // The hook runs, or has run; what it left is removed here.
    }
    IOException reason = removeAll();
    if (reason != null) {
      throw new UncheckedIOException(reason);
    }
  }
}
