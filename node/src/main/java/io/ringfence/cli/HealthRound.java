package io.ringfence.cli;

import io.ringfence.cli.ClusterAnswer.MemberLine;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Asks each member of a view whether it is ready, at the address that the view has for it and
 * nowhere else. The node that told the view is asked where it has just answered.
 *
 * <p>At most {@value #AT_ONCE} are asked at a time, and each has a second: a view of 1,000 members
 * that are all silent takes 16 seconds. An address on loopback, or on any interface, means this
 * machine when it is read here; it is asked only where the node itself was reached on loopback, so
 * that nobody is told of the health of another process.
 *
 * <p>For one thread; blocks for the network.
 */
final class HealthRound {
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final int AT_ONCE = 64;
  private static final int OK = 200;
  private static final int SERVICE_UNAVAILABLE = 503;
  private static final Health ELSEWHERE =
      new Health(Health.State.NOT_ASKED, "not asked: listens for its own machine only");
  private static final Health NOWHERE =
      new Health(Health.State.NOT_ASKED, "not asked: the view has no address to ask");

  private final NodeClient client;
  private final URI url;

  /**
   * @param url where the node that told the view was reached
   */
  HealthRound(URI url) {
    this.client = new NodeClient(PATIENCE);
    this.url = url;
  }

  /** The health of every member, by name, in the view's order. */
  Map<String, Health> of(ClusterAnswer cluster) {
    Map<String, Health> health = new LinkedHashMap<>();
    List<MemberLine> members = cluster.members();
    for (int from = 0; from < members.size(); from += AT_ONCE) {
      List<MemberLine> some = members.subList(from, Math.min(from + AT_ONCE, members.size()));
      Map<String, CompletableFuture<Health>> pending = new LinkedHashMap<>();
      for (MemberLine member : some) {
        boolean self = member.name().equals(cluster.node());
        pending.put(member.name(), self ? ask(url) : askMember(member.addresses().http()));
      }
      pending.forEach((name, answer) -> health.put(name, answer.join()));
    }
    return health;
  }

  private CompletableFuture<Health> askMember(String address) {
    URI member = BaseUrl.of("http://" + address);
    if (member == null || member.getPort() < 0 || isAnyInterface(member.getHost())) {
      return CompletableFuture.completedFuture(NOWHERE);
    }
    if (isLoopback(member.getHost()) && !isLoopback(url.getHost())) {
      return CompletableFuture.completedFuture(ELSEWHERE);
    }
    return ask(member);
  }

  private CompletableFuture<Health> ask(URI base) {
    return client
        .get(URI.create(base + "/health/ready"))
        .handle((answer, failure) -> answer == null ? silent(failure) : health(answer));
  }

  private Health silent(Throwable failure) {
    return new Health(Health.State.NOT_READY, client.why(failure));
  }

  private static Health health(Answer answer) {
    if (answer.status() != OK && answer.status() != SERVICE_UNAVAILABLE) {
      return foreign(answer);
    }
    try {
      JsonObject body = answer.object();
      String word = body.word("status");
      List<String> reasons = body.words("reasons");
      if (answer.status() == OK) {
        return word.equals("ready") ? new Health(Health.State.READY, word) : foreign(answer);
      }
      return new Health(
          Health.State.NOT_READY,
          reasons.isEmpty() ? word : word + ": " + String.join("; ", reasons));
    } catch (UnexpectedJson e) {
      return foreign(answer);
    }
  }

  private static Health foreign(Answer answer) {
    return new Health(
        Health.State.NOT_READY, "answers " + answer.status() + ", not as a Ringfence node");
  }

  private static boolean isLoopback(String host) {
    return host.toLowerCase(Locale.ROOT).equals("localhost")
        || host.startsWith("127.")
        || host.equals("[::1]");
  }

  private static boolean isAnyInterface(String host) {
    return host.equals("0.0.0.0") || host.equals("[::]");
  }
}
