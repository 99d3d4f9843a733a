package io.ringfence.embed;

import io.ringfence.config.ClusterSettings;
import io.ringfence.config.ConfigException;
import io.ringfence.config.NodeConfig;
import io.ringfence.engine.Engine;
import io.ringfence.engine.EnginePorts;
import io.ringfence.engine.EngineSettings;
import io.ringfence.engine.Limiter;
import io.ringfence.engine.Relay;
import io.ringfence.http.HttpBackend;
import io.ringfence.http.HttpServer;
import io.ringfence.http.HttpSettings;
import io.ringfence.http.NodeFacts;
import io.ringfence.membership.Address;
import io.ringfence.membership.Candidate;
import io.ringfence.membership.FixedIntroductions;
import io.ringfence.membership.Introduction;
import io.ringfence.membership.Lease;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.View;
import io.ringfence.membership.hazelcast.HazelcastIntroductions;
import io.ringfence.membership.hazelcast.HazelcastSettings;
import io.ringfence.metrics.MicrometerEngineMetrics;
import io.ringfence.metrics.NodeGauges;
import io.ringfence.metrics.NodeMeters;
import io.ringfence.peer.LocalNode;
import io.ringfence.peer.PeerNetwork;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node: an engine with everything around it.
 *
 * <p>{@link #start} binds the addresses, serves, and goes looking for other nodes; the node is
 * ready ({@link #awaitReady}) once it is in a view and has seen as many members as it expects.
 * {@link #close} finishes the calls in progress, leaves the view and stops; it takes a bounded
 * time. There is no static state, so one JVM may hold several nodes. All threads are daemons.
 * Thread-safe.
 */
public final class RingfenceNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RingfenceNode.class);
  private static final long CHORES_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long READY_LOOK_NANOS = Duration.ofMillis(5).toNanos();

  /** What a node alone tells of its peer address: nothing listens there. */
  private static final Address NO_PEER = new Address("127.0.0.1", 0);

  private final NodeConfig config;
  private final MemberId self;
  private final Started started = new Started();
  private final SystemClock clock = new SystemClock();
  private final ScheduledTimers timers;
  private final ScheduledTimers chores;
  private final MicrometerEngineMetrics metrics;
  private final Engine engine;
  private final Checkpoints checkpoints;
  private final ViewLoop views;
  private final EmbeddedLimiter embedded;
  private final NodeReadiness readiness;
  private final HttpServer http;
  private final Drain drain;
  private final Addresses addresses;
  private boolean closed; // false to true once; guarded by this

  /**
   * Where a node can be reached.
   *
   * @param http the HTTP API
   * @param admin the admin calls, or null where they have no address of their own
   * @param peer the protocol between nodes, or null for a node alone
   * @param cluster Hazelcast, or null for a node alone
   */
  public record Addresses(
      Address http, @Nullable Address admin, @Nullable Address peer, @Nullable Address cluster) {}

  private RingfenceNode(NodeConfig config, FirstRules rules, NodeMeters meters) throws IOException {
    this.config = config;
    this.self = new MemberId(config.node().name(), new SecureRandom().nextLong());
    started.add(meters);
    this.metrics = new MicrometerEngineMetrics(meters, self.name());
    metrics.rulesInForce(rules.loaded().rules());
    this.timers = started.add(new ScheduledTimers("ringfence-timers"));
    this.chores = started.add(new ScheduledTimers("ringfence-chores"));
    try {
      PeerNetwork network = Wiring.network(config, clock, metrics);
      Address peer = network == null ? NO_PEER : started.add(network).bind();
      Links links = network == null ? Links.NONE : Links.over(network);
      Relay relay = new Relay(self, links, clock::elapsedNanos);
      EngineSettings settings =
          new EngineSettings(
              self, Wiring.ring(config), config.forward(), config.replication(), config.bounds());
      Permission permission = new Permission(new Lease(self, config.lease(), clock.elapsedNanos()));
      EnginePorts ports = new EnginePorts(clock, timers, relay, metrics, permission);
      this.engine = new Engine(settings, rules.loaded().rules(), ports);
      this.checkpoints =
          started.add(Checkpoints.open(config.node().data(), settings.ring(), engine, clock));
      this.embedded = new EmbeddedLimiter(engine, timers);
      this.readiness = new NodeReadiness(Wiring.expectedMembers(config));
      RulesInForce inForce = new RulesInForce(rules.loaded(), engine, metrics);
      Orders orders = new Orders(readiness);
      NodeFacts facts =
          new NodeFacts(readiness, meters::page, inForce::configured, readiness::view, orders);
      HttpBackend backend = new HttpBackend(engine, clock, facts, Wiring.httpMetrics(metrics));
      Address adminAddress = serveOperators(backend);
      this.http = started.add(new HttpServer(Wiring.http(config), backend));
      Address httpAddress = http.start();
      Introduction introduction = new Introduction(self, peer, httpAddress, config.node().weight());
      this.views =
          started.add(
              new ViewLoop(
                  introduction,
                  permission,
                  engine,
                  new Ways(links, relay),
                  clock,
                  checkpoints::seen));
      readiness.starting(views);
      orders.starting(views);
      this.drain = new Drain(config.serving().drain(), readiness, http, views, clock);
      views.start();
      if (network != null) {
        network.open(new LocalNode(introduction, views::current), views);
      }
      startChores(rules, inForce);
      Address cluster = meetOthers(introduction);
      this.addresses =
          new Addresses(httpAddress, adminAddress, network == null ? null : peer, cluster);
    } catch (IOException | RuntimeException e) {
      started.closeAll();
      throw e;
    }
  }

  /**
   * Starts a node. Blocks while addresses are bound and discovery begins, a second or two in a
   * cluster.
   *
   * @throws ConfigException where the rules file is wrong; the message has file, line, rule and
   *     field
   * @throws IOException where a file cannot be read or an address cannot be had; the message names
   *     it
   */
  public static RingfenceNode start(NodeConfig config) throws ConfigException, IOException {
    return start(config, FirstRules.of(config.node().rules()), NodeMeters.ofItsOwn());
  }

  static RingfenceNode start(NodeConfig config, FirstRules rules, NodeMeters meters)
      throws IOException {
    rules.loaded().warnings().forEach(LOG::warn);
    return new RingfenceNode(config, rules, meters);
  }

  /** A node to be put together in code. */
  public static NodeBuilder builder() {
    return new NodeBuilder();
  }

  /** The node's limiter as code of this JVM calls it. */
  public EmbeddedLimiter embedded() {
    return embedded;
  }

  /** The node's limiter, as its adapters call it: with listeners. */
  public Limiter limiter() {
    return engine;
  }

  /** The name of this node. */
  public String name() {
    return self.name();
  }

  /** Where it can be reached. */
  public Addresses addresses() {
    return addresses;
  }

  /** Why the node wants no traffic now; empty when it is ready. */
  public List<String> reasonsAgainstReady() {
    return readiness.reasonsAgainst();
  }

  /** Waits until the node is ready; false if it is not after the given time. */
  public boolean awaitReady(Duration patience) throws InterruptedException {
    CountDownLatch ready = new CountDownLatch(1);
    lookWhetherReady(ready);
    return ready.await(patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Stops, in this order: not ready from now on; the others go on without this node, which answers
   * all the while; calls in progress finish; everything is closed. Blocks for shutdown.drain at
   * most until the last call has ended, and a few seconds at most after that. May be repeated.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    drain.run();
    engine.stop();
    started.closeAll();
    LOG.info("{} has stopped", self.name());
  }

  /** Serves operators at an address of their own; null where they have none. */
  private @Nullable Address serveOperators(HttpBackend backend) throws IOException {
    HttpSettings settings = Wiring.admin(config);
    return settings == null ? null : started.add(new HttpServer(settings, backend)).start();
  }

  private void startChores(FirstRules rules, RulesInForce inForce) {
    metrics.gauges(
        new NodeGauges(
            engine::epoch,
            engine::keys,
            engine::tableFull,
            engine::degraded,
            views.gauges(),
            views.detours(),
            new NodeGauges.Custody(
                engine::slotCounts, engine::replicationLagNanos, checkpoints::ageNanos)));
    engine.start();
    checkpoints.start();
    Path file = config.node().rules();
    if (file != null && rules.text() != null) {
      new RulesWatch(file, rules.text(), inForce, chores).start();
    }
    chores.after(CHORES_NANOS, this::chores);
  }

  private void chores() {
    chores.after(CHORES_NANOS, this::chores);
    clock.discipline();
    View view = views.current();
    metrics.peers(view == null ? List.of() : view.members().stream().map(m -> m.name()).toList());
  }

  /** Starts discovery; the address that it listens on, or null for a node alone. */
  private @Nullable Address meetOthers(Introduction facts) throws IOException {
    ClusterSettings cluster = config.cluster();
    if (cluster == null) {
      FixedIntroductions alone =
          started.add(new FixedIntroductions(List.of(new Candidate(self, facts.peer()))));
      alone.start(views::introduced);
      return null;
    }
    HazelcastIntroductions introductions =
        started.add(
            new HazelcastIntroductions(
                new HazelcastSettings(
                    cluster.name(),
                    self,
                    cluster.listen().cluster(),
                    facts.peer(),
                    cluster.join())));
    FirstMeeting meeting =
        new FirstMeeting(
            cluster.join(), cluster.listen().cluster(), clock, chores, views::introduced);
    introductions.start(meeting::introduced);
    return introductions.boundAddress();
  }

  private void lookWhetherReady(CountDownLatch ready) {
    if (readiness.reasonsAgainst().isEmpty()) {
      ready.countDown();
    } else {
      chores.after(READY_LOOK_NANOS, () -> lookWhetherReady(ready));
    }
  }
}
