package io.ringfence.engine;

import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.message.NotOwnerMessage;
import io.ringfence.engine.message.UsageAnswerMessage;
import io.ringfence.engine.message.UsageMessage;
import io.ringfence.membership.MemberId;
import io.ringfence.rules.Ask;
import io.ringfence.rules.RuleSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * The question what one client has used, on its way to its answer.
 *
 * <p>One owner has all counters of a client. If it is not reached within the deadline, the answer
 * is what this node's local buckets know, and says DEGRADED. A member that does not own the place
 * by its own view is not asked twice: nothing depends on the answer, and the caller may ask again.
 */
final class UsageCall implements CallOutcome {
  /** Rules and their limits as the rules file has them, then the counters by their values. */
  private static final Comparator<Usage.Entry> AS_IN_THE_RULES =
      Comparator.<Usage.Entry>comparingInt(entry -> entry.rule().order().index())
          .thenComparingInt(entry -> entry.rule().effect().limits().indexOf(entry.limit()))
          .thenComparing(entry -> String.join("\0", entry.values()));

  private final EngineCore core;
  private final String client;
  private final int slot;
  private final Consumer<Usage> listener;
  private String owner; // who answers

  UsageCall(EngineCore core, String client, Consumer<Usage> listener) {
    this.core = core;
    this.client = client;
    this.slot = core.slots().slotOf(new Ask.Place(Ask.Place.CLIENT, client));
    this.listener = listener;
    this.owner = core.self().name();
  }

  void start() {
    Topology topology = core.routing().topology();
    MemberId asked = topology == null ? null : topology.deciderOf(slot);
    if (topology == null || asked == null) {
      failed(Failure.NO_OWNER);
    } else if (!asked.equals(core.self())) {
      owner = asked.name();
      long deadline = core.ports().clock().elapsedNanos() + core.forward().deadline().toNanos();
      core.callsTo(asked)
          .ask(id -> new UsageMessage(id, topology.name(), slot, client), deadline, this);
    } else if (core.slots().slot(slot).isOpen() && core.ports().mayDecide()) {
      tell(
          Certainty.EXACT,
          ClientCounters.of(client, slot, core.routing().rules(), core.slots(), core.ports()));
    } else {
      failed(Failure.NO_OWNER);
    }
  }

  @Override
  public void told(UsageAnswerMessage usage) {
    tell(Certainty.EXACT, new ClientCounters(usage.entries(), usage.truncated()));
  }

  @Override
  public void answered(List<Answer> answers) {
    failed(Failure.REFUSED);
  }

  @Override
  public void notOwner(NotOwnerMessage told) {
    failed(Failure.REFUSED);
  }

  @Override
  public void failed(Failure failure) {
    owner = core.self().name();
    tell(Certainty.DEGRADED, core.fallback().used(client, slot, core));
  }

  private void tell(Certainty sure, ClientCounters counters) {
    RuleSet rules = core.routing().rules();
    List<Usage.Entry> entries = new ArrayList<>(counters.entries().size());
    Certainty certainty = sure;
    for (UsageAnswerMessage.Entry entry : counters.entries()) {
      RuleSet.Counted counted = rules.limit(entry.limitId());
      if (counted == null || !CounterKey.holds(entry.values(), counted.rule().by().size())) {
        continue; // a limit that this node's rules do not have
      }
      Answer answer = sure == Certainty.DEGRADED ? entry.answer().as(sure) : entry.answer();
      certainty = certainty.leastOf(answer.certainty());
      List<String> values = CounterKey.decode(entry.values());
      entries.add(new Usage.Entry(counted.rule(), counted.limit(), values, answer));
    }
    entries.sort(AS_IN_THE_RULES);
    listener.accept(new Usage(certainty, owner, entries, counters.truncated()));
  }
}
