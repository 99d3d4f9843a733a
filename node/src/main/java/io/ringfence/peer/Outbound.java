package io.ringfence.peer;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.WriteBufferWaterMark;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.peer.LinkPipeline.End;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The sending side of one connection: a bounded queue that any thread fills and the connection's
 * event loop empties.
 *
 * <p>Batching costs no waiting. The first message into an idle queue puts one task on the event
 * loop; whatever else arrives before it runs goes into the same buffer and the same flush. Under
 * load the batch grows by itself, as more arrives while the loop writes.
 *
 * <p>Two things bound what a peer that does not read can hold. The queue takes {@code boundBytes},
 * and then refuses the new ("refuse the new", counted by the caller). Out of the queue a message
 * goes only while the channel is writable, so that behind it at most {@link #WRITABLE_BYTES} and
 * one batch wait. A message weighs its frame, and {@link #LEAST_WEIGHT} at least. On the heap it
 * takes about as much while it waits, and a few times as much where it is a long list of slots or
 * small counters.
 *
 * <p>Back-pressure. The accepting end stops reading while its own answers wait, that is while the
 * channel is not writable or the queue is more than half full; so it takes on no questions whose
 * answers it could not send. They back up to their sender, whose queue then refuses. The dialling
 * end always reads. That asymmetry is what makes it safe: if both ends of a connection stopped
 * reading for want of room to write, neither would ever go on.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close closes the channel
final class Outbound {
  /** What a queued message counts at least, in bytes. */
  static final int LEAST_WEIGHT = 512;

  /** Above this many bytes waiting in the channel it is not writable. */
  static final int WRITABLE_BYTES = 1 << 20;

  /** The channel's marks: not writable above the one, writable again below a quarter of it. */
  static final WriteBufferWaterMark WATER_MARK =
      new WriteBufferWaterMark(WRITABLE_BYTES / 4, WRITABLE_BYTES);

  /** A batch takes no further message once it has this many bytes. */
  private static final int BATCH_BYTES = 128 << 10;

  private final Channel channel;
  private final End end;
  private final long boundBytes;
  private final Queue<PeerMessage> queue = new ConcurrentLinkedQueue<>();
  private final AtomicLong queuedBytes = new AtomicLong(); // 0..boundBytes, briefly above
  private final AtomicBoolean scheduled = new AtomicBoolean(); // a drain is on its way

  Outbound(Channel channel, End end, int boundBytes) {
    this.channel = channel;
    this.end = end;
    this.boundBytes = boundBytes;
  }

  Channel channel() {
    return channel;
  }

  /**
   * Queues a message. Any thread; does not block. Messages of one thread leave in their order.
   *
   * @param frameBytes the length of its frame
   * @return false if the queue is full; the message is then not sent
   */
  boolean offer(PeerMessage message, int frameBytes) {
    int weight = weight(frameBytes);
    if (queuedBytes.addAndGet(weight) > boundBytes) {
      queuedBytes.addAndGet(-weight);
      return false;
    }
    queue.add(message);
    schedule();
    return true;
  }

  /** Whether this connection is still there. */
  boolean open() {
    return channel.isActive();
  }

  void close() {
    channel.close();
  }

  /** Sends what waits, as far as the channel takes it. On the event loop. */
  void drain() {
    scheduled.set(false);
    if (!queue.isEmpty() && channel.isWritable()) {
      sendBatch();
    }
    readIfAnswersFit();
  }

  /** Reads on, or stops reading, by whether there is room for answers. On the event loop. */
  void readIfAnswersFit() {
    if (end == End.ACCEPTED) {
      channel.config().setAutoRead(channel.isWritable() && queuedBytes.get() <= boundBytes / 2);
    }
  }

  private void sendBatch() {
    ByteBuf batch = channel.alloc().ioBuffer();
    try {
      fill(batch);
    } catch (RuntimeException | Error e) {
      batch.release();
      throw e;
    }
    channel.writeAndFlush(batch);
    if (!queue.isEmpty() && channel.isWritable()) {
      schedule(); // other connections of this loop come first
    }
  }

  private void fill(ByteBuf batch) {
    while (batch.readableBytes() < BATCH_BYTES) {
      PeerMessage message = queue.poll();
      if (message == null) {
        return;
      }
      int before = batch.readableBytes();
      MessageTable.write(message, batch);
      queuedBytes.addAndGet(-weight(batch.readableBytes() - before));
    }
  }

  private void schedule() {
    if (scheduled.compareAndSet(false, true)) {
      channel.eventLoop().execute(this::drain);
    }
  }

  private static int weight(int frameBytes) {
    return Math.max(frameBytes, LEAST_WEIGHT);
  }
}
