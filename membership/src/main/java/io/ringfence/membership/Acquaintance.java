package io.ringfence.membership;

import org.jspecify.annotations.Nullable;

/** What a node knows of one other process. Confined to the thread of its {@link ViewKeeper}. */
final class Acquaintance {
  /** How far a process can be believed. */
  enum Standing {
    /** Only heard of: it has not answered on the peer channel yet. */
    INTRODUCED,
    /** Has authenticated itself, and can be reached as far as we know. */
    PROVEN,
    /** Cannot be reached now. That is silence, and no proof of anything. */
    SILENT,
    /** Failed to authenticate itself. It belongs in no view. */
    STRANGER,
    /** Said that it leaves. Final. */
    LEFT,
    /** Proven dead: its address refuses, or a newer incarnation answers there. */
    DEAD
  }

  final MemberId id;
  Address peer;
  Standing standing = Standing.INTRODUCED;
  // Set when the process proves itself, and never cleared.
  @Nullable Introduction facts;
  // The view that it last said it holds; null while it holds none, or has not said so.
  @Nullable ViewName view;
  // Whether the last set of introductions named it, and whether any ever did.
  boolean listed;
  boolean everListed;
  // When it was last listed, or else was first heard of.
  long lastListedNanos;
  // Since when it has owed us a proof of itself; patience is counted from here.
  long owesProofSinceNanos;
  // Nothing is sent to it, or asked of it, because of a report before these times.
  long nextSendNanos;
  long nextFetchNanos;
  // A refusal is logged once per process.
  boolean refusalLogged;

  Acquaintance(MemberId id, Address peer, long nowNanos) {
    this.id = id;
    this.peer = peer;
    this.lastListedNanos = nowNanos;
    this.owesProofSinceNanos = nowNanos;
    this.nextSendNanos = nowNanos;
    this.nextFetchNanos = nowNanos;
  }

  /** Whether it is known to have ended: it said so, or there is proof. */
  boolean ended() {
    return standing == Standing.LEFT || standing == Standing.DEAD;
  }
}
