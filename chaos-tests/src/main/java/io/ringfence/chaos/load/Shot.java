package io.ringfence.chaos.load;

import io.ringfence.chaos.wire.Call;
import io.ringfence.chaos.wire.CheckRequest;

/**
 * One check that is sent again and again.
 *
 * @param counter a name for the counter that it charges; shots that share a counter share its limit
 */
public record Shot(String counter, Call call) {

  /** A check that charges that counter. */
  public static Shot of(String counter, CheckRequest request) {
    return new Shot(counter, request.check());
  }
}
