package io.ringfence.chaos.sim;

/** How the reference takes a charge back. */
enum CancelRule {
  /** As if the charge had never been made, whatever came in between. */
  EXACT,
  /**
   * As a refund of the same amount: a bucket is filled up by it, a log loses its oldest units, a
   * window that is over keeps it; none where the counter has been as good as fresh since. It errs
   * by what a bucket earned meanwhile, and by the age of what a log loses.
   */
  CREDIT
}
