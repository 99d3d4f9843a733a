package io.ringfence.membership.hazelcast;

import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.cluster.MembershipListener;
import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import io.ringfence.membership.Address;
import io.ringfence.membership.Candidate;
import io.ringfence.membership.Introductions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Introduces nodes to each other through an embedded Hazelcast member.
 *
 * <p>Hazelcast's events only say that it is time to look. At each of them, and after a merge, the
 * member list is read again and delivered whole: members that merge get new identities without
 * removals of the old ones, so anything kept by differences would collect ghosts. Hazelcast lists
 * its members oldest first, which is the order of introduction.
 *
 * <p>A member whose attributes are missing or malformed is left out, with one line in the log.
 *
 * <p>Thread-safe. {@link #start} blocks while Hazelcast starts and joins, which takes 1 to 2 s, and
 * up to about 11 s where several start at the same moment. Later sets come on Hazelcast's event
 * thread. {@link #close} blocks for at most about {@value #CLOSE_SECONDS} s.
 */
public final class HazelcastIntroductions implements Introductions {
  private static final Logger log = LoggerFactory.getLogger(HazelcastIntroductions.class);
  private static final int CLOSE_SECONDS = 8;

  private final HazelcastSettings settings;
  // Guards the fields below. Held while a set is read and delivered, so that sets come one at a
  // time and the newest last.
  private final Object delivery = new Object();
  private @Nullable HazelcastInstance instance;
  private @Nullable Consumer<List<Candidate>> listener; // not null once started
  private Set<UUID> ignored = Set.of(); // the members now listed that were logged as ignored
  private boolean closed;

  public HazelcastIntroductions(HazelcastSettings settings) {
    this.settings = settings;
  }

  @Override
  public void start(Consumer<List<Candidate>> newListener) {
    synchronized (delivery) {
      if (listener != null || closed) {
        throw new IllegalStateException("these introductions have already been started or closed");
      }
      listener = newListener;
    }
    HazelcastInstance started = startHazelcast(LeanConfig.of(settings, interfaceAddress()));
    boolean closedMeanwhile;
    synchronized (delivery) {
      instance = started;
      closedMeanwhile = closed;
    }
    if (closedMeanwhile) {
      shutDown(started);
      return;
    }
    started.getCluster().addMembershipListener(new Events());
    started.getLifecycleService().addLifecycleListener(this::onLifecycle);
    log.info(
        "introductions of cluster {} come through {}; looking for others at {}",
        settings.clusterName(),
        boundAddress(),
        settings.join().isEmpty() ? "no address" : settings.join());
    deliver();
  }

  /**
   * The cluster address with the port that was really bound.
   *
   * @throws IllegalStateException before the start has ended and after the close
   */
  public Address boundAddress() {
    HazelcastInstance running;
    synchronized (delivery) {
      running = instance;
    }
    if (running == null) {
      throw new IllegalStateException("the cluster address is known only while started");
    }
    InetSocketAddress bound = running.getCluster().getLocalMember().getSocketAddress();
    return settings.listen().withPort(bound.getPort());
  }

  @Override
  public void close() {
    HazelcastInstance running;
    synchronized (delivery) {
      closed = true;
      running = instance;
      instance = null;
    }
    if (running != null) {
      shutDown(running);
    }
  }

  /** Ends Hazelcast the polite way, and the other way if that takes too long. */
  private static void shutDown(HazelcastInstance running) {
    Thread polite = new Thread(running::shutdown, "ringfence-cluster-shutdown");
    polite.setDaemon(true);
    polite.start();
    boolean interrupted = false;
    try {
      polite.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (polite.isAlive()) {
      log.warn("the cluster member did not shut down in {} s and is terminated", CLOSE_SECONDS);
      running.getLifecycleService().terminate();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Hazelcast has no one type of exception for what keeps it from starting. */
  private HazelcastInstance startHazelcast(Config config) {
    try {
      return Hazelcast.newHazelcastInstance(config);
    } catch (RuntimeException e) {
      throw new IllegalStateException(
          "cluster address " + settings.listen() + " cannot be used: " + e.getMessage(), e);
    }
  }

  private String interfaceAddress() {
    try {
      return InetAddress.getByName(settings.listen().host()).getHostAddress();
    } catch (UnknownHostException e) {
      throw new IllegalStateException(
          "cluster address " + settings.listen() + " cannot be used: its host is unknown", e);
    }
  }

  private void onLifecycle(LifecycleEvent event) {
    LifecycleState state = event.getState();
    if (state == LifecycleState.MERGED || state == LifecycleState.MERGE_FAILED) {
      deliver();
    }
  }

  private void deliver() {
    synchronized (delivery) {
      if (closed || instance == null || listener == null) {
        return;
      }
      listener.accept(readMembers(instance));
    }
  }

  private List<Candidate> readMembers(HazelcastInstance running) {
    List<Candidate> candidates = new ArrayList<>();
    Set<UUID> malformed = new HashSet<>();
    for (Member member : running.getCluster().getMembers()) {
      Candidate candidate = MemberAttributes.read(member);
      if (candidate != null) {
        candidates.add(candidate);
      } else {
        malformed.add(member.getUuid());
        if (!ignored.contains(member.getUuid())) {
          log.warn("cluster member {} does not say who it is and is ignored", member.getUuid());
        }
      }
    }
    ignored = malformed;
    return List.copyOf(candidates);
  }

  private final class Events implements MembershipListener {
    @Override
    public void memberAdded(MembershipEvent event) {
      deliver();
    }

    @Override
    public void memberRemoved(MembershipEvent event) {
      deliver();
    }
  }
}
