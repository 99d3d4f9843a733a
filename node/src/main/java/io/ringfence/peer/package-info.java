/**
 * The channel between nodes: one authenticated, framed and batched byte stream each way, on Netty.
 *
 * <p>It moves {@code io.ringfence.engine.message} values and decides nothing. Deadlines, in-flight
 * bounds, breakers and who is a member are other people's business; this package says who has
 * proved what, who fell silent and who is proven dead, through {@link
 * io.ringfence.peer.PeerEvents}.
 *
 * <p>The composition root builds a {@link io.ringfence.peer.PeerNetwork}; the engine sees it as its
 * transport port. Nobody else calls this package. It imports the engine's ports and messages and
 * the membership types, and is, beside the HTTP adapter, the only importer of Netty.
 *
 * <p>From the wire inwards: {@code FrameCode} and {@code Limits} say what may arrive; {@code
 * FrameDecoder} cuts frames; {@code MessageTable} gives each message its bytes; {@code
 * ListenerHandshake} and {@code DiallerHandshake} are the pure handshake; {@code Outbound} batches
 * and bounds; {@code PeerLink} keeps one peer connected and collects the proof of its death; {@code
 * PeerLinks} holds exactly those links that are wanted. docs/protocol.md has the bytes and the
 * threat model.
 */
@NullMarked
package io.ringfence.peer;

import org.jspecify.annotations.NullMarked;
