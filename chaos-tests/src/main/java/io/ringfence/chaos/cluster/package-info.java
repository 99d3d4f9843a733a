/**
 * Nodes as processes of the operating system: started from the packaged jar with the flags that a
 * user would give, killed, frozen and started again, and asked over HTTP what they think of each
 * other. Used by the tests and by the commands.
 */
@NullMarked
package io.ringfence.chaos.cluster;

import org.jspecify.annotations.NullMarked;
