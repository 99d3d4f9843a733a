package io.ringfence.rules;

/** Which requests a rule applies to. */
public final class Match {}
