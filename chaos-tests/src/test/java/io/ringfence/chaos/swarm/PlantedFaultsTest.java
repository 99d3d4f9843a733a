package io.ringfence.chaos.swarm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.chaos.planted.FaultyEngine;
import io.ringfence.chaos.planted.PlantedFault;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The test of the swarm: each of these faults in how slots are opened, passed and copied must be
 * found. How many seeds it took is printed; the bounds have room for other generators, not for a
 * checker that lost an eye.
 */
class PlantedFaultsTest {

  static Stream<PlantedFault> faults() {
    return Stream.of(
        new PlantedFault(
            "the lease is not looked at",
            "EnginePorts",
            "return lease.test(clock.elapsedNanos());",
            "return true;",
            900),
        new PlantedFault(
            "slots are opened while who departed may still decide",
            "Opening",
            "if (!departuresOver) {",
            "if (!departuresOver && silent.size() > 99) {",
            900),
        new PlantedFault(
            "slots are opened without inventories",
            "Opening",
            "    if (!silent.isEmpty()) {\n",
            "    silent.clear();\n    if (!silent.isEmpty()) {\n",
            200),
        new PlantedFault(
            "who is away keeps its slots open",
            "Custody",
            "if (!after.hasPresent(self) || ((foreign || left) && !alone)) {",
            "if ((foreign || left) && !alone) {",
            200),
        new PlantedFault(
            "slots are closed to be passed without a full backup",
            "Passing",
            "if (to != null && isFull(to, number) && isFull(topology.nextBackupOf(number), number))"
                + " {",
            "if (to != null && isFull(to, number)) {",
            400),
        new PlantedFault(
            "slots are passed without their last changes",
            "Passing",
            "copies.to(member).isCaughtUp(slot);",
            "copies.isFull(member, slot);",
            200),
        new PlantedFault(
            "an opening begins no later term",
            "Custody",
            "slot.begin(slot.version.term().next(current.view().epoch()), passed);",
            "slot.begin(slot.version.term(), passed);",
            200));
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
        new PlantedFault(
            "none", "EnginePorts", "return lease.test(", "return true && lease.test(", 30);
    assertEquals(0, FaultyEngine.seedsToFind(none, Campaign.class));
  }
}
