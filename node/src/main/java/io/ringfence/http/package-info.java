/**
 * The public HTTP API of a node: an adapter that turns HTTP/1.1 into calls of {@link
 * io.ringfence.engine.Limiter} and verdicts into responses.
 *
 * <p>Only the composition root calls it, through {@link io.ringfence.http.HttpServer}. It imports
 * the engine, the rules and the types of membership; never another adapter. What it needs from
 * those comes in through {@link io.ringfence.http.HttpBackend}. Netty moves the bytes; nothing here
 * blocks an event loop.
 */
@NullMarked
package io.ringfence.http;

import org.jspecify.annotations.NullMarked;
