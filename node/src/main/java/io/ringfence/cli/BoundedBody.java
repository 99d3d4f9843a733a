package io.ringfence.cli;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Receives a body of at most so many bytes. A longer one is cut off: the connection is given up and
 * the body fails with {@link TooLarge}. What is kept never exceeds the bound by more than a read.
 */
final class BoundedBody implements BodySubscriber<byte[]> {
  /** The body was longer than the bound. */
  static final class TooLarge extends IOException {
    private static final long serialVersionUID = 1L;

    private TooLarge(int maxBytes) {
      super("the body is longer than " + maxBytes + " bytes");
    }
  }

  private final int maxBytes;
  private final BodySubscriber<byte[]> bytes = BodySubscribers.ofByteArray();
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private Flow.@Nullable Subscription subscription;
  private long received; // calls of a subscriber come one after another

  BoundedBody(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    this.subscription = subscription;
    bytes.onSubscribe(subscription);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      received += buffer.remaining();
    }
    if (received <= maxBytes) {
      bytes.onNext(buffers);
      return;
    }
    if (subscription != null) {
      subscription.cancel();
    }
    body.completeExceptionally(new TooLarge(maxBytes));
  }

  @Override
  public void onError(Throwable error) {
    bytes.onError(error);
    body.completeExceptionally(error);
  }

  @Override
  public void onComplete() {
    bytes.onComplete();
    bytes.getBody().thenAccept(body::complete);
  }
}
