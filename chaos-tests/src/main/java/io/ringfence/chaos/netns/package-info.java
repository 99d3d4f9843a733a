/**
 * Network namespaces of this machine, in which nodes have addresses of their own and links between
 * them that can be cut. Needs Linux, root and {@code ip} of iproute2; whoever wants to use it asks
 * first whether it may. Used by the faults that cut nodes off; knows of nodes but their names.
 */
@NullMarked
package io.ringfence.chaos.netns;

import org.jspecify.annotations.NullMarked;
