package io.ringfence.http;

/**
 * The bounds of the HTTP API at which something is turned away or held up, each with the name under
 * which that is counted. Values and policies are in docs/http.md, which a test holds against this
 * list. Names are append-only: alarms hang on them.
 */
enum HttpBound {
  /** Open connections; policy: refuse the newest, with 503. */
  CONNECTIONS("http-connections"),
  /** Refused connections that are being told so; policy: close further ones without a word. */
  REFUSALS("http-refusals"),
  /** Requests in progress on one connection; policy: stop reading it. */
  PIPELINED("http-pipelined"),
  /** Answers of one connection that its client does not read; policy: stop reading it. */
  UNREAD("http-unread"),
  /** Unread answers of all connections; policy: close the one that has not read for longest. */
  UNREAD_TOTAL("http-unread-total"),
  /** The request line; policy: 414 and close. */
  REQUEST_LINE("http-request-line"),
  /** Bytes of header or trailer lines; policy: 431 and close. */
  HEADER("http-header"),
  /** How many header lines; policy: 431 and close. */
  HEADER_LINES("http-header-lines"),
  /** The body of a request; policy: 413 and close. */
  BODY("http-body"),
  /** A key, tier or attribute; policy: 413. */
  FIELD("http-field"),
  /** The checks of a bulk call; policy: 400. */
  BATCH("http-batch"),
  /** The rules on the page of all tiers; policy: 503, ask for one tier. */
  LIMITS_PAGE("http-limits-page"),
  /** No bound, but turned away as well: admin calls without the right token; policy: 401. */
  ADMIN_TOKEN("http-admin-token"),
  /**
   * Bodies that have come in part, of all connections; policy: refuse the newest part, with 503.
   */
  BODIES_TOTAL("http-bodies-total"),
  /** How long a request may take to arrive whole; policy: 408 and close. */
  REQUEST_TIME("http-request-time"),
  /** How long nothing may move on a connection; policy: close. */
  IDLE_TIME("http-idle-time"),
  /** What is read and dropped after a last answer, in bytes and in time; policy: close. */
  LINGER("http-linger"),
  /** How long connections may take to end when the server closes; policy: close. */
  DRAIN_TIME("http-drain-time");

  private final String text;

  HttpBound(String text) {
    this.text = text;
  }

  /** The name under which it is counted. */
  String text() {
    return text;
  }
}
