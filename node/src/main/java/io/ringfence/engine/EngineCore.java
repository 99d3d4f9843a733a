package io.ringfence.engine;

import io.ringfence.engine.message.CheckMessage;
import io.ringfence.engine.message.Deed;
import io.ringfence.engine.message.LiftMessage.Lifted;
import io.ringfence.membership.MemberId;
import io.ringfence.rules.Request;
import java.util.BitSet;
import java.util.List;

/** What a check on its way needs of the engine. */
interface EngineCore {

  MemberId self();

  EnginePorts ports();

  ForwardSettings forward();

  Routing routing();

  Slots slots();

  Desk desk();

  Fallback fallback();

  /** What other members are known to deny. */
  Denials denials();

  /** The number of the tenant that a request names, or 0. */
  int tenantOf(Request request);

  /** Serves a check of another member; a defect in it is answered with a refusal. */
  void serve(MemberId from, CheckMessage check);

  /**
   * Tells the members that these denials have ended, and runs the task when those that can be
   * reached know it, or at the deadline.
   */
  void lift(List<Lifted> lifted, long deadlineNanos, Runnable then);

  /** In which slots a step has charged what must be copied before anybody is told. */
  BitSet mustBeCopied(Deed deed, List<Target> targets, Step step);

  /** Whether a slot's copy lags so far that checks must wait for it. */
  boolean isBehind(int slot);

  /** Lets an answer wait for copies of all that was charged so far. */
  void whenCopied(CopyWait wait);

  /** The calls to another member. */
  PeerCalls callsTo(MemberId member);

  /** Parks a check of this node's callers until a view comes; false if there is no room. */
  boolean park(Parking.Parked check);

  /** Checks of this node's callers that were parked for that slot go on, on this thread. */
  void resume(int slot);

  /**
   * Whether this node is a voter of its view and holds no lease: it must not decide, and so must
   * nobody whom it reaches.
   */
  boolean isCutOff(long nowNanos);

  /** How many members the current or else the last view has, 1 or more. */
  int knownNodes();

  /** Something went wrong that should not have; counted, and logged once. */
  void defect(RuntimeException defect);

  /** A number for a tentative charge of this node at itself. */
  long nextLocalId();
}
