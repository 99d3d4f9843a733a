package io.ringfence.engine;

import io.ringfence.rules.RuleSet;
import org.jspecify.annotations.Nullable;

/** What routing goes by at this moment: the view and the rules in force. */
interface Routing {

  /** The current view and its ring, or null while this node is in no view. */
  @Nullable Topology topology();

  /** The rules in force. */
  RuleSet rules();
}
