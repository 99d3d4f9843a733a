/**
 * What simulators are made of: what is to happen on virtual time, what is told of it, what broke,
 * and many runs of one seed after another.
 *
 * <p>Nothing here knows the engine. Only {@link io.ringfence.chaos.virtual.Runs} is shared between
 * threads.
 */
@NullMarked
package io.ringfence.chaos.virtual;

import org.jspecify.annotations.NullMarked;
