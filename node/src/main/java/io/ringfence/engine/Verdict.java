package io.ringfence.engine;

import io.ringfence.rules.Rule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a check.
 *
 * @param allowed whether the request may go ahead
 * @param certainty the least sure of all that was asked; EXACT where nothing was
 * @param owner the name of the node that decided the deciding limit, or null where no limit applied
 * @param limits what each limit said, in the order of asking
 * @param shortcut the rule that decided without a counter (exempt, deny), or null
 */
public record Verdict(
    boolean allowed,
    Certainty certainty,
    @Nullable String owner,
    List<LimitVerdict> limits,
    @Nullable Rule shortcut) {

  /** Copies the limits. */
  public Verdict {
    limits = List.copyOf(limits);
  }

  /**
   * The limit that the verdict is described by: of a denial the denying one with the longest wait
   * (never is the longest, ties go to the first in file order), else the one with the smallest
   * remaining / limit. Null where no limit was asked, or only shadow ones.
   */
  public @Nullable LimitVerdict deciding() {
    return Deciding.of(limits, allowed);
  }
}
