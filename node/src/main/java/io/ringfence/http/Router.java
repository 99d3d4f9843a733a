package io.ringfence.http;

import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.ringfence.engine.Clock;
import java.net.SocketAddress;

/**
 * Tells from the head of a request what it asks for, before any of its body is kept: what is not
 * served at this address is not there, a method that does not fit is told those that do, and admin
 * calls pass the gate. Thread-safe.
 */
final class Router {
  private final Access access;
  private final AdminGate gate;

  Router(Access access, Clock clock) {
    this.access = access;
    this.gate = new AdminGate(access.token(), clock);
  }

  /**
   * What is asked for.
   *
   * @param from whom the connection is with
   * @throws BadInput with 401, 404 or 405
   */
  Call route(HttpRequest head, SocketAddress from) throws BadInput {
    Target target = Target.parse(head.uri());
    Endpoint endpoint = Endpoint.ofPath(target.path());
    if (endpoint == null || !access.calls().contains(endpoint.group())) {
      throw BadInput.refused(HttpResponseStatus.NOT_FOUND, "there is nothing at this path");
    }
    if (!endpoint.answers(head.method().name())) {
      throw BadInput.wrongMethod(endpoint);
    }
    if (endpoint.group() == CallGroup.ADMIN) {
      gate.admit(endpoint, head.headers(), from);
    }
    return new Call(endpoint, target);
  }
}
