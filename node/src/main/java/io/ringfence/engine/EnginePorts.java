package io.ringfence.engine;

/**
 * What the engine needs from outside.
 *
 * @param clock the time
 * @param timers run things later
 * @param transport reaches other members
 * @param metrics is told what happens
 */
public record EnginePorts(
    Clock clock, Timers timers, PeerTransport transport, EngineMetrics metrics) {}
