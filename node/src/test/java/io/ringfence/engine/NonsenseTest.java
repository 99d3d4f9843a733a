package io.ringfence.engine;

import static io.ringfence.engine.YamlRules.rules;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.Fuzz;
import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.message.AnswerMessage;
import io.ringfence.engine.message.CancelMessage;
import io.ringfence.engine.message.CheckMessage;
import io.ringfence.engine.message.CounterAsk;
import io.ringfence.engine.message.Deed;
import io.ringfence.engine.message.Late;
import io.ringfence.engine.message.NotOwnerMessage;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.engine.message.RefusalMessage;
import io.ringfence.engine.message.Term;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.ViewName;
import io.ringfence.rules.Request;
import io.ringfence.rules.RuleSet;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A member that has proved itself and talks nonsense: well-formed messages of which nothing is
 * true. It may cost answers that it was asked for, and nothing else.
 */
class NonsenseTest {
  private static final String RULES =
      """
      rules:
        - {name: fw, match: {route: "/fw"}, by: client, algorithm: fixed-window, limit: 5, window: 1h}
        - {name: tb, match: {route: "/tb"}, by: client, algorithm: token-bucket, limit: 5, window: 1h}
        - {name: log, match: {route: "/log"}, by: client, algorithm: sliding-window-log, limit: 5,
           window: 1h}
        - {name: gcra, match: {route: "/gcra"}, by: client, algorithm: gcra, limit: 5, window: 1h}
      """;
  private static final long[] NUMBERS = {
    0,
    1,
    2,
    255,
    65_536,
    Integer.MAX_VALUE,
    1L << 40,
    Long.MAX_VALUE - 1,
    Long.MAX_VALUE,
    -1,
    Long.MIN_VALUE
  };

  private final Fuzz fuzz = Fuzz.of("nonsense for the engine");
  private final Random random = fuzz.random();
  private final RuleSet rules = rules(RULES);
  private final Cluster cluster = Cluster.of(rules, "n1", "liar");
  private final SlotNonsense slots = new SlotNonsense(fuzz, rules, this::number);

  private long number() {
    return random.nextBoolean() ? NUMBERS[random.nextInt(NUMBERS.length)] : random.nextLong();
  }

  private ViewName view() {
    return new ViewName(1 + random.nextInt(3), random.nextInt(2));
  }

  private PeerMessage nonsense(boolean limitsThatExist) {
    return switch (random.nextInt(8)) {
      case 0, 1 -> check(limitsThatExist);
      case 2 -> new CancelMessage(number());
      case 3 -> new NotOwnerMessage(number(), view(), moved());
      case 4 -> new RefusalMessage(number(), fuzz.oneOf(List.of(RefusalMessage.Reason.values())));
      case 5 -> answers();
      case 6 -> slots.aboutSlots(view());
      default -> slots.copies(view(), limitsThatExist);
    };
  }

  private CheckMessage check(boolean limitsThatExist) {
    long limit =
        limitsThatExist
            ? fuzz.oneOf(rules.rules()).effect().limits().get(0).id()
            : random.nextLong();
    long cost = Math.max(1, Math.min(Check.MAX_COST, number())); // the wire lets no more through
    int slot = (int) Math.max(0, Math.min(Integer.MAX_VALUE, number()));
    boolean near = random.nextBoolean();
    Deed.Mode mode = fuzz.oneOf(List.of(Deed.Mode.values()));
    long from = number() & Long.MAX_VALUE;
    Late late = new Late(new Term(random.nextInt(4), 0), from, from + (Long.MAX_VALUE - from) / 2);
    CounterAsk ask =
        new CounterAsk(
            limit,
            random.nextBoolean(),
            near ? random.nextInt(256) : slot,
            fuzz.noise(40),
            cost,
            mode == Deed.Mode.LATE ? late : null);
    return new CheckMessage(
        number(),
        view(),
        Deed.of(mode),
        Math.max(0, number()),
        Collections.nCopies(1 + random.nextInt(CheckMessage.MAX_COUNTERS), ask));
  }

  private List<NotOwnerMessage.Moved> moved() {
    NotOwnerMessage.Moved moved =
        new NotOwnerMessage.Moved(
            random.nextInt(256), cluster.id(random.nextBoolean() ? "n1" : "liar"));
    return Collections.nCopies(random.nextInt(3), moved);
  }

  private AnswerMessage answers() {
    Answer answer =
        new Answer(
            random.nextBoolean(),
            number(),
            number(),
            number(),
            number(),
            number(),
            Certainty.EXACT);
    return new AnswerMessage(number(), Collections.nCopies(random.nextInt(64), answer));
  }

  private void talk(int messages, boolean limitsThatExist) {
    MemberId liar = cluster.id("liar");
    for (int i = 0; i < messages; i++) {
      cluster.engine("n1").received(liar, nonsense(limitsThatExist));
      if (i % 100 == 0) {
        cluster.time.pass(Duration.ofMillis(1));
      }
    }
    cluster.time.pass(Duration.ofSeconds(1));
  }

  @Test
  void aboutLimitsThatDoNotExistChargesNothing() {
    talk(Fuzz.times(20_000), false);
    assertEquals(0, cluster.engine("n1").keys(), fuzz::replay);
    assertEquals(0, cluster.metrics.count("defect engine"), fuzz::replay);
  }

  @Test
  void aboutLimitsThatExistChargesNobodyElse() {
    String client = cluster.clientOwnedBy("n1");
    talk(Fuzz.times(20_000), true);
    assertEquals(0, cluster.metrics.count("defect engine"), fuzz::replay);
    for (String route : List.of("/fw", "/tb", "/log", "/gcra")) {
      Verdict verdict = cluster.check("n1", new Request(client, null, route, null, Map.of()), 1);
      assertTrue(verdict.allowed(), () -> fuzz.replay() + ": " + verdict);
      assertEquals(Certainty.EXACT, verdict.certainty(), fuzz::replay);
    }
    assertFalse(cluster.engine("n1").degraded());
  }
}
