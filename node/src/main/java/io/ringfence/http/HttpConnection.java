package io.ringfence.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One connection: takes requests as fast as their answers are read, and no faster.
 *
 * <p><b>Order.</b> Requests may be pipelined. Each holds a place in the {@link AnswerQueue};
 * answers are written in that order, however they come in.
 *
 * <p><b>Back-pressure.</b> A request is taken only while fewer than {@link HttpLimits#pipelined}
 * are in progress, the answers that wait for an earlier one hold less than {@link
 * #MAX_WAITING_BYTES}, and the peer reads what is written. Else the socket is not read; what its
 * last read had already decoded is parked, at most {@link #READ_BYTES} worth. So a peer that never
 * reads costs a bounded amount, whatever it sends.
 *
 * <p><b>Flushing.</b> Answers given while a read is being worked off leave in one flush at its end;
 * others leave together at the end of the loop's pass.
 *
 * <p><b>Time.</b> A request that has begun must end within {@link HttpLimits#requestNanos} of being
 * noticed; a connection on which nothing moves during two ticks of half {@link
 * HttpLimits#idleNanos} each is closed. Neither costs anything per request that comes whole.
 *
 * <p>Everything runs on the channel's loop.
 */
final class HttpConnection extends ChannelInboundHandlerAdapter {
  /** The most that one read of the socket takes. */
  static final int READ_BYTES = 16 * 1024;

  /** Answers that wait for an earlier one may hold that much before no further request is taken. */
  static final int MAX_WAITING_BYTES = 64 * 1024;

  /** Sent down a pipeline when the server closes: finish what is in progress, then close. */
  static final Object DRAIN = new Object();

  /** How far a connection has come. The order is the order of life. */
  private enum Phase {
    /** Requests are taken. */
    OPEN,
    /** No further request is taken; those in progress are answered. */
    ENDING,
    /** The last answer is written, or nobody reads it. */
    OVER
  }

  private final Channel channel;
  private final HttpLimits limits;
  private final Premises premises;
  private final Endpoints endpoints;
  private final RequestDecoder decoder;
  private final RequestAssembly assembly;
  private final AnswerQueue answers = new AnswerQueue();
  private final Outflow outflow;
  private final ArrayDeque<Object> parked = new ArrayDeque<>(4);

  private @Nullable ChannelHandlerContext context;
  private Phase phase = Phase.OPEN;
  // The message was refused: what follows it on the connection is not understood, and is dropped.
  private boolean refused;
  private boolean draining;
  private boolean inputShut;
  private boolean advancing;
  private boolean reading;
  // Requests that have come whole, for the deadline to tell one from the next.
  private long requests;
  private @Nullable Future<?> deadline;
  private @Nullable Future<?> idleTick;
  private boolean moved;
  private boolean stillAtLastTick;
  private long backlogAtLastTick;

  HttpConnection(Channel channel, Premises premises, RequestDecoder decoder) {
    this.channel = channel;
    this.premises = premises;
    this.limits = premises.limits();
    this.endpoints = premises.endpoints();
    this.decoder = decoder;
    this.outflow = new Outflow(channel, premises);
    this.assembly = new RequestAssembly(this, premises);
  }

  Channel channel() {
    return channel;
  }

  /** Whether there is nobody left to be answered. */
  boolean gone() {
    return phase == Phase.OVER;
  }

  /** Builds an answer; what a defect there costs is that answer, not the connection. */
  FullHttpResponse build(Supplier<FullHttpResponse> builder) {
    return endpoints.build(channel.alloc(), builder);
  }

  /** A request has come whole and takes its place. */
  void began(Exchange exchange) {
    requests++;
    decoder.requestEnded();
    answers.add(exchange);
    if (!exchange.keepAlive()) {
      phase = Phase.ENDING;
    }
  }

  /** An exchange has its answer. */
  void answered(Exchange exchange) {
    moved = true;
    FullHttpResponse response = exchange.response();
    if (response != null) {
      answers.answered(response);
    }
    advance();
  }

  /** Tells a client that waits for leave that it may send its body, after all earlier answers. */
  void allowBody() {
    Exchange interim = new Exchange(this, false, false, true);
    answers.add(interim);
    interim.answer(
        () ->
            new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
  }

  /** Answers what cannot be understood; nothing that follows it will be. */
  void refuse(BadInput why) {
    phase = Phase.ENDING;
    refused = true;
    Exchange last = new Exchange(this, false, false, false);
    answers.add(last);
    endpoints.refuse(last, why);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    idleTick = schedule(this::idleTick, limits.idleNanos() / 2);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    moved = true;
    reading = true;
    if (phase == Phase.OPEN) {
      parked.add(message);
      advance();
    } else {
      ReferenceCountUtil.release(message);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    reading = false;
    if (!answers.isEmpty()) {
      advance();
    }
    outflow.flush();
    watchForSlowSender();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    moved = true;
    advance();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      inputShut = true;
      advance();
    } else if (event == DRAIN) {
      draining = true;
      advance();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    over();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    over();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (!(cause instanceof IOException)) {
      endpoints.defects().met("connection", cause);
    }
    var unused = ctx.close();
  }

  /**
   * Writes what is ready and takes what there is room for, until neither moves. Taking may answer
   * at once, and so call this again from inside: the outer call goes round once more.
   */
  private void advance() {
    if (advancing || phase == Phase.OVER) {
      return;
    }
    advancing = true;
    try {
      do {
        writeReady();
      } while (takeParked());
    } finally {
      advancing = false;
    }
    if (phase != Phase.OVER) {
      settle();
    }
  }

  private void writeReady() {
    ChannelHandlerContext ctx = context;
    if (ctx == null) {
      return;
    }
    boolean ending = draining || premises.lastCalls();
    // Whether an answer is the last is known once all that was read is taken apart.
    boolean mayNotBeLast = ending && reading;
    for (Exchange next = nextAnswered(mayNotBeLast);
        next != null;
        next = nextAnswered(mayNotBeLast)) {
      if (ending && quiet()) {
        next.endConnection();
      }
      ChannelFuture written = answers.write(ctx, next);
      outflow.wrote(written);
      if (!next.keepAlive()) {
        end(written);
        return;
      }
    }
  }

  private @Nullable Exchange nextAnswered(boolean holdsLast) {
    boolean held = holdsLast && answers.size() == 1 && !assembly.midRequest();
    return held ? null : answers.pollAnswered();
  }

  /** The last answer is on its way: once it is written the connection closes. */
  private void end(ChannelFuture written) {
    boolean lingers = !inputShut && (refused || !parked.isEmpty() || midRequest());
    over();
    written.addListener(
        done -> {
          if (lingers) {
            LingeringClose.begin(channel, premises);
          } else {
            var unused = channel.close();
          }
        });
    outflow.flush();
  }

  /** Takes what is parked while there is room; says whether anything was taken. */
  private boolean takeParked() {
    boolean taken = false;
    while (phase == Phase.OPEN && !parked.isEmpty() && hasRoom()) {
      taken = true;
      assembly.accept((HttpObject) parked.poll());
    }
    return taken;
  }

  private boolean hasRoom() {
    if (answers.size() >= limits.pipelined() || answers.waitingBytes() >= MAX_WAITING_BYTES) {
      return false;
    }
    if (!channel.isWritable()) {
      outflow.flush();
    }
    return channel.isWritable();
  }

  private void settle() {
    if (!reading) {
      outflow.flushSoon();
    }
    boolean nothingMoreComes = inputShut || (draining && !midRequest());
    if (nothingMoreComes && quiet()) {
      outflow.flush();
      var unused = channel.close();
      return;
    }
    boolean room = hasRoom();
    boolean stopping = phase == Phase.OPEN && !room && channel.config().isAutoRead();
    channel.config().setAutoRead(phase == Phase.OPEN && parked.isEmpty() && room);
    if (stopping) {
      premises.met(channel.isWritable() ? HttpBound.PIPELINED : HttpBound.UNREAD);
    }
  }

  /** Nothing is in progress, and nothing that came is left to be taken. */
  private boolean quiet() {
    return answers.isEmpty() && parked.isEmpty() && (inputShut || !assembly.midRequest());
  }

  /** Whether a request has begun and not ended. */
  private boolean midRequest() {
    return decoder.midRequest() || assembly.midRequest();
  }

  /**
   * Starts the deadline of a request that came in part, unless it is this side that is not reading.
   */
  private void watchForSlowSender() {
    if (phase == Phase.OPEN && deadline == null && channel.config().isAutoRead() && midRequest()) {
      long watched = requests;
      deadline = schedule(() -> deadlinePassed(watched), limits.requestNanos());
    }
  }

  private void deadlinePassed(long watched) {
    deadline = null;
    if (phase != Phase.OPEN || !channel.config().isAutoRead() || !midRequest()) {
      return;
    }
    if (watched != requests) {
      watchForSlowSender();
      return;
    }
    assembly.discard();
    premises.met(HttpBound.REQUEST_TIME);
    refuse(
        BadInput.refused(
            HttpResponseStatus.REQUEST_TIMEOUT,
            "the request did not arrive whole within "
                + TimeUnit.NANOSECONDS.toMillis(limits.requestNanos())
                + " ms"));
  }

  private void idleTick() {
    if (phase == Phase.OVER && !channel.isOpen()) {
      return;
    }
    long backlog = outflow.waitingBytes();
    boolean still = !moved && backlog == backlogAtLastTick;
    if (still && stillAtLastTick) {
      premises.met(HttpBound.IDLE_TIME);
      var unused = channel.close();
      return;
    }
    stillAtLastTick = still;
    backlogAtLastTick = backlog;
    moved = false;
    idleTick = schedule(this::idleTick, limits.idleNanos() / 2);
  }

  private Future<?> schedule(Runnable task, long delayNanos) {
    return channel.eventLoop().schedule(task, delayNanos, TimeUnit.NANOSECONDS);
  }

  /** Gives up all that is held. What the channel still has to write is written. */
  private void over() {
    phase = Phase.OVER;
    parked.forEach(ReferenceCountUtil::release);
    parked.clear();
    assembly.discard();
    answers.discard();
    cancel(deadline);
    deadline = null;
    if (!channel.isActive()) {
      cancel(idleTick);
      idleTick = null;
    }
  }

  private static void cancel(@Nullable Future<?> task) {
    if (task != null) {
      task.cancel(false);
    }
  }
}
