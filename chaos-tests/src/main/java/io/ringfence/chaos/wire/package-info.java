/**
 * What goes over the wire between a test and a node, seen from outside: HTTP/1.1 on a plain socket,
 * the JSON of a check, and the clock that both are timed with. Knows nothing of the product's
 * classes. Used by the load, by the cluster fixture and by the tests.
 */
@NullMarked
package io.ringfence.chaos.wire;

import org.jspecify.annotations.NullMarked;
