package io.ringfence.membership;

import java.util.BitSet;
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
    /** Proven dead: its address refuses, or another incarnation of its name answers there. */
    DEAD
  }

  final MemberId id;
  Address peer;
  Standing standing = Standing.INTRODUCED;
  // Set when the process proves itself, and never cleared.
  @Nullable Introduction facts;
  // The view that it last said it holds; null while it holds none, or has not said so.
  @Nullable ViewStamp view;
  // Whether it has said that it leaves. Never cleared.
  boolean leaving;
  // The weight that it last said it is to have; 0 before it has said anything.
  int weight;
  // Whether the last set of introductions named it.
  boolean listed;
  // When it was last listed, or else was first heard of.
  long lastListedNanos;
  // Since when it has owed us a proof of itself; patience is counted from here.
  long owesProofSinceNanos;
  // Its view is not asked for before this time.
  long nextFetchNanos;

  // When it last said anything, and last said that it holds a lease; never before it came to be
  // known, or to vote.
  long lastHeardNanos;
  long lastLeasedNanos;
  // Whether it held a lease as it last spoke.
  boolean leased;
  // Whom it has not heard lately, and who is done as far as it has heard, itself among them, by
  // place in the view of that stamp, as it said at that time.
  BitSet silent = new BitSet();
  BitSet done = new BitSet();
  @Nullable ViewStamp placesIn;
  long silentAtNanos;
  // Since when, and when last, it has said without a gap that it holds the view that we hold.
  long sameViewSinceNanos;
  long sameViewLastNanos;
  boolean everSameView;
  // A refusal is logged once per process.
  boolean refusalLogged;

  Acquaintance(MemberId id, Address peer, long nowNanos) {
    this.id = id;
    this.peer = peer;
    this.lastListedNanos = nowNanos;
    this.owesProofSinceNanos = nowNanos;
    this.nextFetchNanos = nowNanos;
    this.lastHeardNanos = nowNanos;
    this.lastLeasedNanos = nowNanos;
  }

  /** Whether there is proof that it has ended. */
  boolean isDead() {
    return standing == Standing.DEAD;
  }

  /** Whether it is within reach, has proved itself, and lives as far as we know. */
  boolean isProven() {
    return standing == Standing.PROVEN;
  }
}
