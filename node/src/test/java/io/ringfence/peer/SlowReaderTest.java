package io.ringfence.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.ringfence.engine.message.AnswerMessage;
import io.ringfence.engine.message.CancelMessage;
import io.ringfence.engine.message.CheckMessage;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.engine.message.ViewRequest;
import io.ringfence.membership.MemberId;
import io.ringfence.peer.TestNode.Options;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A peer that reads slowly, or not at all, costs a bounded amount of memory. */
@Timeout(120)
class SlowReaderTest {
  private static final MemberId X = new MemberId("x", 9);
  private static final int BOUND = 1 << 20;

  private final TestNode node = TestNode.start("node", Options.at(0).bounds(BOUND, 256));

  @AfterEach
  void close() {
    node.close();
  }

  @Test
  void whatIsNotReadIsRefusedAtABoundAndFlowsAgainOnceItIsRead() throws IOException {
    try (RawPeer slow = RawPeer.authenticated(node, X, 8_192)) {
      node.awaitThat("the peer can be sent to", () -> node.network.send(X, new ViewRequest()));
      int accepted = 0;
      while (node.network.send(X, Messages.check(accepted, 10_000))) {
        accepted++;
        assertTrue(accepted < 10_000, "100 MB were taken for a peer that does not read");
      }
      assertTrue(node.counts.full.get() > 0);
      assertEquals(FrameCode.VIEW_REQUEST, skipKeepalives(slow).code());
      for (int i = 0; i < accepted; i++) {
        HandshakeFrame frame = skipKeepalives(slow);
        PeerMessage message =
            MessageTable.read(frame.code(), Unpooled.wrappedBuffer(frame.payload()));
        assertEquals(i, ((CheckMessage) message).id());
      }
      node.awaitThat("it flows again", () -> node.network.send(X, new CancelMessage(1)));
      assertEquals(FrameCode.CANCEL, skipKeepalives(slow).code());
    }
  }

  @Test
  void questionsAreNotReadWhileTheirAnswersWait() throws Exception {
    int count = 8_000;
    int batch = 50;
    AtomicInteger unanswered = new AtomicInteger();
    node.events.onMessage =
        (from, message) -> {
          AnswerMessage answer =
              new AnswerMessage(
                  ((CheckMessage) message).id(),
                  Collections.nCopies(Limits.ANSWERS, Messages.answer(1)));
          if (!node.network.send(from, answer)) {
            unanswered.incrementAndGet();
          }
        };
    try (RawPeer greedy = RawPeer.authenticated(node, X, 64 << 10)) {
      node.awaitThat("answers can be sent", () -> node.network.send(X, new ViewRequest()));
      CompletableFuture<Void> asked =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < count; i += batch) {
                  sendQuestions(greedy, i, batch);
                }
              });
      AtomicInteger seen = new AtomicInteger(-1);
      node.awaitThat(
          "the node has stopped reading",
          () -> {
            int now = node.events.messages.size();
            return now > 0 && seen.getAndSet(now) == now;
          });
      assertTrue(seen.get() < count);
      assertEquals(FrameCode.VIEW_REQUEST, skipKeepalives(greedy).code());
      for (int i = 0; i < count; i++) {
        HandshakeFrame frame = skipKeepalives(greedy);
        PeerMessage message =
            MessageTable.read(frame.code(), Unpooled.wrappedBuffer(frame.payload()));
        assertEquals(i, ((AnswerMessage) message).id());
      }
      asked.join();
    }
    assertEquals(0, unanswered.get());
  }

  private static HandshakeFrame skipKeepalives(RawPeer peer) throws IOException {
    HandshakeFrame frame = peer.read();
    while (frame.code() == FrameCode.KEEPALIVE) {
      frame = peer.read();
    }
    return frame;
  }

  private static void sendQuestions(RawPeer peer, int first, int count) {
    ByteBuf questions = Unpooled.buffer();
    for (int i = first; i < first + count; i++) {
      MessageTable.write(Messages.check(i, 1_000), questions);
    }
    try {
      peer.send(questions);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
