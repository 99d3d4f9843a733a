package io.ringfence.chaos.swarm;

/** What must hold in every run; a finding names the one that broke. */
enum Invariant {
  /** No key is admitted more often, or less, than the row of its run's faults allows. */
  ADMITTED_WITHIN_BOUND,
  /** A local bucket admits no more than this node's share: max(1, floor(L / n)). */
  SHARE_WITHIN_BOUND,
  /** Without a loss no failure policy answers once the cluster has formed. */
  NEVER_DEGRADED,
  /**
   * Nobody says `exact` of an admission beyond the limit, unless all were killed and the first that
   * started again could not know of them.
   */
  HONEST_CERTAINTY,
  /**
   * Never do two nodes with a lease hold one slot open. The last member that drains is left out: it
   * decides for its callers until it ends, and who starts beside it begins a lineage.
   */
  ONE_DECIDER,
  /** Two views of one lineage, epoch and ballot are one; and of one epoch one backs leases. */
  ONE_VIEW_PER_EPOCH,
  /** Every check is answered by its deadline, or when its stopped node goes on. */
  ANSWERED,
  /** After the faults: one settled view, a lease for everybody, and owners answer everywhere. */
  COMES_TO_REST,
  /** Nothing is thrown, no defect is counted, no bound is met. */
  NO_DEFECT
}
