package io.ringfence.peer;

import io.ringfence.engine.Certainty;
import io.ringfence.engine.LimitVerdict;
import io.ringfence.engine.message.CheckMessage;
import io.ringfence.engine.message.CounterAsk;
import io.ringfence.engine.message.Deed;
import io.ringfence.membership.Address;
import io.ringfence.membership.Lineage;
import io.ringfence.membership.Member;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.MemberState;
import io.ringfence.membership.View;
import io.ringfence.membership.ViewName;
import java.util.List;

/** Messages for tests that do not care much what is in them. */
final class Messages {
  private Messages() {}

  static View view(long epoch, MemberId id, Address peer) {
    Member only = new Member(id, peer, new Address("::1", 8080), 1, MemberState.ACTIVE, true);
    return new View(new Lineage(1, 42), new ViewName(epoch, 1), List.of(only), true);
  }

  /** A check of one counter whose frame has about that many bytes, up to 16 KiB. */
  static CheckMessage check(long id, int valuesBytes) {
    CounterAsk ask = new CounterAsk(1, false, 5, new byte[valuesBytes], 1);
    return new CheckMessage(
        id, new ViewName(3, 1), Deed.of(Deed.Mode.CHARGE), 20_000, List.of(ask));
  }

  static LimitVerdict.Answer answer(long remaining) {
    return new LimitVerdict.Answer(
        true, 100, remaining, 0, LimitVerdict.Answer.NO_RESET, 0, Certainty.EXACT);
  }
}
