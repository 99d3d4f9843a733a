package io.ringfence.engine;

import io.ringfence.membership.MemberId;
import io.ringfence.membership.View;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * What this node keeps about each other member: its calls, its breaker, and which rules it has.
 * Nothing is kept of members that left the view and have answered. Thread-safe.
 */
final class Peers {
  /** Calls to one member between two beginnings: at 100,000 a second more than a year of them. */
  private static final int CALL_BITS = 42;

  private final EnginePorts ports;
  private final ForwardSettings settings;
  private final Map<MemberId, PeerCalls> calls = new ConcurrentHashMap<>();
  private final AtomicLong beginnings = new AtomicLong();
  private final Map<MemberId, String> rulesVersions = new ConcurrentHashMap<>();

  Peers(EnginePorts ports, ForwardSettings settings) {
    this.ports = ports;
    this.settings = settings;
  }

  PeerCalls callsTo(MemberId member) {
    PeerCalls known = calls.get(member);
    return known != null ? known : calls.computeIfAbsent(member, this::begin);
  }

  /**
   * Calls to a member that may have been in an earlier view, and forgotten since. A late answer to
   * one of those must not be taken for an answer to a new one, nor a new cancel for one of an old
   * call; so each beginning numbers its calls above all that came before.
   */
  private PeerCalls begin(MemberId member) {
    return new PeerCalls(member, ports, settings, beginnings.getAndIncrement() << CALL_BITS);
  }

  /** A member answered the call of that number. */
  void answered(MemberId from, long id, Consumer<CallOutcome> tell) {
    PeerCalls known = calls.get(from);
    if (known != null) {
      known.answered(id, tell);
    }
  }

  /**
   * Forgets who is not in the view, and is not about to answer: a member that leaves finishes what
   * it was asked, and one that is gone costs a deadline or ends its connection.
   */
  void forgetAllBut(View view) {
    calls.forEach(
        (member, departed) -> {
          if (!view.contains(member) && departed.inFlight() == 0) {
            calls.remove(member, departed);
          }
        });
    rulesVersions.keySet().removeIf(member -> !view.contains(member));
  }

  void connected(MemberId member) {
    PeerCalls known = calls.get(member);
    if (known != null) {
      known.connected();
    }
  }

  void disconnected(MemberId member) {
    callsTo(member).disconnected(); // nobody may have called it yet, and it is known to be gone
  }

  /** Whether a member answers, as far as is known. */
  boolean reachable(MemberId member) {
    PeerCalls known = calls.get(member);
    return known == null || !known.breakerOpen();
  }

  boolean anyBreakerOpen() {
    return calls.values().stream().anyMatch(PeerCalls::breakerOpen);
  }

  void reported(MemberId member, String rulesVersion) {
    rulesVersions.put(member, rulesVersion);
  }

  /** The version of the rules of a member; empty where it has not told. */
  String rulesVersion(MemberId member) {
    return rulesVersions.getOrDefault(member, "");
  }

  /** For how many members there are calls and a breaker. */
  int known() {
    return calls.size();
  }

  /** Calls that wait for an answer. */
  int inFlight() {
    return calls.values().stream().mapToInt(PeerCalls::inFlight).sum();
  }
}
