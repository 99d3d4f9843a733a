/**
 * Reads the node file and the rules file, and refuses them whole where anything in them is wrong.
 *
 * <p>The only importer of SnakeYAML, and of its event stream alone: no YAML value is ever turned
 * into an object by its looks. Scalars arrive as the text that was written and are typed by the
 * field that they stand in, so {@code no}, {@code 0123} and {@code 1e3} mean what they say. Called
 * by the composition root and the command line; never by the engine or another adapter.
 */
@NullMarked
package io.ringfence.config;

import org.jspecify.annotations.NullMarked;
