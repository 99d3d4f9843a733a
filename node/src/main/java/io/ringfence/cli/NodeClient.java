package io.ringfence.cli;

import java.net.ConnectException;
import java.net.ProxySelector;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/**
 * Asks nodes over HTTP. It goes to the address that it is given and nowhere else: no redirect is
 * followed and no proxy is used, as what an operator wants to know is what that node says.
 *
 * <p>A call ends within its timeout, whether it is the connection, the answer's beginning or its
 * body that is slow. Half of the timeout is given to connecting, so that an address that swallows
 * packets is told from a process that accepts and then says nothing. An answer has at most {@value
 * #MAX_ANSWER_BYTES} bytes.
 *
 * <p>Thread-safe. Its threads are daemons.
 */
final class NodeClient {
  static final int MAX_ANSWER_BYTES = 4 * 1024 * 1024;

  private final Duration timeout;
  private final HttpClient http;

  NodeClient(Duration timeout) {
    this.timeout = timeout;
    this.http =
        HttpClient.newBuilder()
            .version(Version.HTTP_1_1)
            .followRedirects(Redirect.NEVER)
            .proxy(ProxySelector.of(null))
            .connectTimeout(timeout.dividedBy(2))
            .build();
  }

  /** Starts a GET. The future fails with what {@link #why} understands. */
  CompletableFuture<Answer> get(URI uri) {
    return send(HttpRequest.newBuilder(uri).GET());
  }

  /** Starts a POST of JSON. The future fails with what {@link #why} understands. */
  CompletableFuture<Answer> post(URI uri, byte[] json) {
    return send(
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(json)));
  }

  private CompletableFuture<Answer> send(HttpRequest.Builder request) {
    HttpRequest built =
        request
            .timeout(timeout)
            .header("Accept", "application/json, application/problem+json")
            .build();
    return http.sendAsync(built, info -> new BoundedBody(MAX_ANSWER_BYTES))
        .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
        .thenApply(response -> answer(built.uri(), response));
  }

  private static Answer answer(URI uri, HttpResponse<byte[]> response) {
    String contentType = response.headers().firstValue("Content-Type").orElse("");
    return new Answer(uri, response.statusCode(), contentType, response.body());
  }

  /**
   * Waits for an answer.
   *
   * @param url who is asked, as the message names it
   */
  Answer await(String url, CompletableFuture<Answer> pending) throws CommandFailure {
    try {
      return pending.get();
    } catch (ExecutionException e) {
      throw new CommandFailure(url + ": " + why(e.getCause() == null ? e : e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(url + ": interrupted");
    }
  }

  /** Why there was no answer, in words. */
  String why(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof HttpConnectTimeoutException) {
      return "no connection within " + WaitText.ofMillis(timeout.dividedBy(2).toMillis());
    }
    if (cause instanceof HttpTimeoutException || cause instanceof TimeoutException) {
      return "no answer within " + WaitText.ofMillis(timeout.toMillis());
    }
    if (cause instanceof UnknownHostException
        || cause.getCause() instanceof UnresolvedAddressException
        || cause.getCause() instanceof UnknownHostException) {
      return "the host's name is not known";
    }
    if (cause instanceof ConnectException) {
      return "connection refused";
    }
    if (cause instanceof SSLException) {
      return "no TLS connection: " + cause.getMessage();
    }
    if (cause instanceof BoundedBody.TooLarge) {
      return "the answer is longer than " + MAX_ANSWER_BYTES + " bytes";
    }
    return "the connection broke, or what came is not HTTP: " + cause.getMessage();
  }
}
