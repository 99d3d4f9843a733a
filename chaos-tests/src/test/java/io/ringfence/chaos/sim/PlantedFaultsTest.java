package io.ringfence.chaos.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.chaos.planted.FaultyEngine;
import io.ringfence.chaos.planted.PlantedFault;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The test of the test: each of these faults, put into the engine, must be found. How many seeds it
 * took is printed; the bounds have room for other generators, not for a checker that lost an eye.
 */
class PlantedFaultsTest {

  static Stream<PlantedFault> faults() {
    return Stream.of(
        new PlantedFault(
            "a doubled cancel takes back twice",
            "TentativeCharges",
            "entry = entries.remove(id);",
            "entry = entries.get(id);",
            200),
        new PlantedFault(
            "no cancel is sent for what an owner charged",
            "Inquiry",
            "    if (deed().mode() == Deed.Mode.TENTATIVE) {",
            "    if (question.request() != null) {",
            100),
        new PlantedFault(
            "a cancel gives back as a refund does: the oldest of a log, and to the next window",
            "Counter",
            "long gaveBack = algorithm.undo(state, charge.cost(), time(charge.at()), least, time);",
            "long gaveBack = 0; algorithm.credit(state, charge.cost(), time);",
            600),
        new PlantedFault(
            "what was charged at the caller's own counters is not taken back",
            "Inquiry",
            "undos.add(() -> core.desk().cancel(core.self(), id));",
            "undos.add(() -> {});",
            100),
        new PlantedFault(
            "a doubled answer is taken twice",
            "InFlight",
            "    Call call = ring[place];\n    ring[place] = null;\n    return call;",
            "    return ring[place];",
            200),
        new PlantedFault(
            "an answer is taken for the call after its own",
            "Engine",
            "peers.answered(from, answer.id(), call",
            "peers.answered(from, answer.id() + 1, call",
            50),
        new PlantedFault(
            "the breaker never opens", "Breaker", "    open = true;\n", "    open = false;\n", 400),
        new PlantedFault(
            "no timer ends an overdue call",
            "PeerCalls",
            "    setTimer(deadlineNanos, now);\n    return id;",
            "    return id;",
            100),
        new PlantedFault(
            "local answers are not charged to the local bucket",
            "Fallback",
            "    Step step = decider.perform(deed, targets, Decider.Asker.HERE);",
            "    Step step = decider.perform(Deed.of(Mode.PEEK), targets, Decider.Asker.HERE);",
            200),
        new PlantedFault(
            "a local bucket is as large as the whole limit",
            "Fallback",
            "whole.algorithm().scaled(whole.fractionMillionths(), nodes *"
                + " FailurePolicy.ONE_MILLION);",
            "whole.algorithm();",
            400),
        new PlantedFault(
            "a lease is not looked at",
            "EnginePorts",
            "return lease.test(clock.elapsedNanos());",
            "return true;",
            300),
        new PlantedFault(
            "who is cut off goes on asking owners",
            "Inquiry",
            "    if (core.isCutOff(now)) {",
            "    if (core.isCutOff(now) && path == null) {",
            300),
        new PlantedFault(
            "what waits for a lease is forgotten",
            "Parking",
            "    take(task -> task.awaited().equals(Awaited.LEASE)).forEach(task ->"
                + " task.resume().run());",
            "",
            600),
        new PlantedFault(
            "of several limits those that pass are charged though another denies",
            "Decider",
            "        if (passed && decision.allowed()) {",
            "        if (decision.allowed()) {",
            100),
        new PlantedFault(
            "a shadow rule denies",
            "Decider",
            "passed &= allowed || target.shadow();",
            "passed &= allowed;",
            100),
        new PlantedFault(
            "only the first counter of a step is asked",
            "Decider",
            "Decision decision = counters[i].peek(target.cost(), now);",
            "Decision decision = counters[0].peek(target.cost(), now);",
            100),
        new PlantedFault(
            "a denial is remembered for smaller costs too",
            "Denials",
            "if (denial.cost() == cost) {",
            "if (denial.cost() >= cost) {",
            200),
        new PlantedFault(
            "a denial is remembered for twice the stated wait",
            "Denials",
            "forEver ? Long.MAX_VALUE : askedAtNanos + wait, told",
            "forEver ? Long.MAX_VALUE : askedAtNanos + 2 * wait, told",
            400),
        new PlantedFault(
            "a doubled debit is applied twice",
            "RequestMemory",
            "return entry == null || nowNanos - entry.atNanos() >= MEMORY_NANOS ? null :"
                + " entry.first();",
            "return null;",
            1_000),
        new PlantedFault(
            "a repeat of a request is charged as a new one",
            "Decider",
            "for (int i = 0; request != null && i < first.length; i++) {",
            "for (int i = 0; request != null && work.deed().mode() == Deed.Mode.DEBIT"
                + " && i < first.length; i++) {",
            200),
        new PlantedFault(
            "a charge is taken back though a repeat of its request was told that it passed",
            "Decider",
            "        if (!claim.letGo()) {",
            "        if (!claim.letGo() && claim.isRepeat()) {",
            6_000),
        new PlantedFault(
                "an owner answers a refund before the others have learned of it",
                "Desk",
                "if (step.lifts().isEmpty()) {",
                "core.lift(lifted(step.lifts()), 0, () -> {}); if (true) {",
                500)
            .from(1_000),
        new PlantedFault(
            "nobody is told of a reset",
            "Decider",
            "        case RESET -> counter.reset(now);",
            "        case RESET -> {\n          counter.reset(now);\n          givesBack = false;\n"
                + "        }",
            2_000),
        new PlantedFault(
            "a charge from before a reset can be taken back after it",
            "Counter",
            "    state = algorithm.fresh(time(now));\n    undoableFrom = changes + 1;",
            "    state = algorithm.fresh(time(now));\n    changes++;",
            2_000),
        new PlantedFault(
            "what a message of copies told is not told again though nobody acknowledges it",
            "CopyStream",
            "        part.copying().lost(part.counters());\n        enqueue(part.copying());",
            "",
            100),
        new PlantedFault(
            "what changes while a message of copies is under way is not told after it",
            "Copying",
            "case CHANGES -> has = told.version();",
            "case CHANGES -> {\n        has = told.version();\n        pending.clear();\n      }",
            600),
        new PlantedFault(
            "copies are told nothing of what changed while they were made",
            "Copying",
            "        everFull = true;",
            "        everFull = true;\n        pending.clear();",
            200),
        new PlantedFault(
            "a refund is not copied",
            "Counter",
            "    changes++;\n    noteOwed(time(now));\n    noteChange();",
            "    changes++;\n    noteOwed(time(now));",
            600),
        new PlantedFault(
            "a cancel is not copied",
            "Counter",
            "    noteChange();\n    charged = Math.max(chargedFrom, charged - charge.cost());",
            "    charged = Math.max(chargedFrom, charged - charge.cost());",
            600),
        new PlantedFault(
            "the ages in a copy count from a millisecond before its receipt",
            "CopyReceipt",
            "state = algorithm.restore(words, now.on(algorithm.timeline()));",
            "state = algorithm.restore(words, now.on(algorithm.timeline()) - 1_000_000);",
            100),
        new PlantedFault(
            "a copy that was taken in already is taken in again, as if it were of now",
            "CopyReceipt",
            "if (last != null && message.number() <= last) {",
            "if (last != null && message.number() < last) {",
            200),
        new PlantedFault(
            "a counter that left the table as idle is copied in place of its successor",
            "Copying",
            "Counter current = successor == null ? counter : successor;",
            "Counter current = counter;",
            2_000));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void eachIsFound(PlantedFault fault) throws Exception {
    long seeds = FaultyEngine.seedsToFind(fault, Campaign.class);
    System.out.printf(
        "measured: found after %d seeds, from %d: %s%n", seeds, fault.firstSeed(), fault);
    assertTrue(seeds > 0, () -> "not found in " + fault.mostSeeds() + " seeds: " + fault);
  }

  @Test
  void theSameEngineWithoutAFaultIsFoundToHaveNone() throws Exception {
    PlantedFault none =
        new PlantedFault("none", "Breaker", "    open = true;\n", "    open = (true);\n", 50);
    assertEquals(0, FaultyEngine.seedsToFind(none, Campaign.class));
  }

  @Test
  void anEditThatDoesNotFitAnyMoreIsSaid() {
    PlantedFault stale = new PlantedFault("stale", "Breaker", "no such text", "", 1);
    assertThrows(IllegalStateException.class, stale::source);
    PlantedFault vague = new PlantedFault("vague", "Breaker", "open", "", 1);
    assertThrows(IllegalStateException.class, vague::source);
  }
}
