/**
 * The command line: starts a node, checks a rules file, and asks a running node.
 *
 * <p>{@link io.ringfence.cli.Main} is what the jar runs; nothing else calls this package. The
 * commands that ask a node speak its public HTTP API alone, so they work from any machine and
 * against any node that keeps that API. What they print is for a person; {@code --json} is for
 * programs.
 */
@NullMarked
package io.ringfence.cli;

import org.jspecify.annotations.NullMarked;
