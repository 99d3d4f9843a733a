/**
 * What engines say to each other, as values.
 *
 * <p>The {@code peer} package gives each message its bytes; a simulator passes the values
 * themselves. Ages and budgets cross the wire, never instants of somebody's clock.
 */
@NullMarked
package io.ringfence.engine.message;

import org.jspecify.annotations.NullMarked;
