package io.ringfence.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What an operator reads when views change, and when they do not. */
class OperatorLinesTest {
  private static final Introduction A = node("a", 1, 7_101);
  private static final Introduction B = node("b", 2, 7_102);

  private final Logger logger = (Logger) LoggerFactory.getLogger("io.ringfence.membership");
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  private static Introduction node(String name, long incarnation, int port) {
    Address address = new Address("127.0.0.1", port);
    return new Introduction(new MemberId(name, incarnation), address, address, 1);
  }

  @BeforeEach
  void listen() {
    lines.start();
    logger.setLevel(Level.INFO);
    logger.setAdditive(false);
    logger.addAppender(lines);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(lines);
    logger.setAdditive(true);
    logger.setLevel(Level.ERROR);
  }

  @Test
  void eachViewAndEachRefusalIsOneLine() {
    ViewKeeper keeper =
        new ViewKeeper(
            A,
            ViewKeeperSettings.defaults(),
            new Lease(A.id(), LeaseSettings.DEFAULT, 0),
            new Silent(),
            () -> 255);
    Introduction twin = node("a", 9, 7_103);
    keeper.candidates(
        List.of(
            new Candidate(A.id(), A.peer()),
            new Candidate(B.id(), B.peer()),
            new Candidate(twin.id(), twin.peer())));
    keeper.authenticated(B, null);
    keeper.authenticated(twin, null);
    for (int i = 1; i <= 50; i++) {
      keeper.tick(i * 20_000_000L);
    }

    List<String> read = lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    assertEquals(4, read.size(), read::toString);
    assertEquals(
        "a holds view 1.0-00000001 (settled, 1 of lineage 00000000000000ff/1): "
            + "a@0000000000000001 ACTIVE 127.0.0.1:7101; before: none",
        read.get(0));
    assertEquals("a holds a lease", read.get(1));
    assertEquals(
        "a@0000000000000009 at 127.0.0.1:7103 is not admitted: its name belongs to "
            + "a@0000000000000001, which is not gone",
        read.get(2));
    assertTrue(read.get(3).startsWith("a holds view 2.0-00000001 (moving, 2 of"), read.get(3));
  }

  @Test
  void aLeaseThatLapsesIsSaidOnce() {
    ViewKeeper keeper =
        new ViewKeeper(
            B,
            ViewKeeperSettings.defaults(),
            new Lease(B.id(), LeaseSettings.DEFAULT, 0),
            new Silent(),
            () -> 255);
    keeper.candidates(List.of(new Candidate(A.id(), A.peer()), new Candidate(B.id(), B.peer())));
    View view =
        new View(
            new Lineage(1, 1),
            new ViewName(5, 0),
            List.of(A.as(MemberState.ACTIVE, true), B.as(MemberState.ACTIVE, true)),
            true);
    keeper.authenticated(A, view);
    for (int i = 1; i <= 100; i++) {
      keeper.tick(i * 20_000_000L);
      if (i == 40) {
        keeper.heard(A.id(), new ViewWord.Pong(view.stamp(), true, i * 20_000_000L));
      }
    }
    List<ILoggingEvent> warnings =
        lines.list.stream().filter(line -> line.getLevel() == Level.WARN).toList();
    assertEquals(1, warnings.size());
    assertTrue(
        warnings
            .get(0)
            .getFormattedMessage()
            .startsWith("b holds no lease any more, and decides nothing until it has one: no"));
  }

  private static final class Silent implements ViewActions {
    @Override
    public void say(ViewWord word, Collection<MemberId> to) {}

    @Override
    public void publish(View view, Collection<MemberId> to) {}

    @Override
    public void fetch(MemberId from) {}

    @Override
    public void announceLeave(Collection<MemberId> to) {}

    @Override
    public void installed(View view) {}

    @Override
    public void overheard(View view) {}

    @Override
    public void diedIn(View held, MemberId member) {}

    @Override
    public void leaseGained() {}

    @Override
    public void dropped(View last, @Nullable View successor, String reason) {}
  }
}
