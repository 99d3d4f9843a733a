package io.ringfence.chaos;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.ringfence.chaos.wire.MachineClock;
import java.time.Instant;

/** Tests included: a test that sleeps or reads a clock of its own is a test that breaks. */
@AnalyzeClasses(packages = "io.ringfence.chaos")
class ArchitectureTest {
  @ArchTest
  static final ArchRule NOBODY_SLEEPS =
      noClasses().should().callMethod(Thread.class, "sleep", long.class);

  @ArchTest
  static final ArchRule ONE_CLASS_READS_CLOCKS =
      noClasses()
          .that()
          .doNotBelongToAnyOf(MachineClock.class)
          .should()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(Instant.class, "now");

  @ArchTest
  static final ArchRule THE_PRODUCT_IS_SEEN_FROM_OUTSIDE =
      noClasses()
          .that()
          .resideOutsideOfPackages("..sim", "..swarm")
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.ringfence..")
                  .and(not(resideInAPackage("io.ringfence.chaos.."))));

  @ArchTest
  static final ArchRule THE_SIMULATORS_SEE_THE_ENGINE_AND_ITS_VALUES =
      noClasses()
          .that()
          .resideInAnyPackage("..sim", "..swarm")
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.ringfence..")
                  .and(
                      not(
                          resideInAnyPackage(
                              "io.ringfence.chaos.planted",
                              "io.ringfence.chaos.sim",
                              "io.ringfence.chaos.swarm",
                              "io.ringfence.chaos.virtual",
                              "io.ringfence.engine..",
                              "io.ringfence.rules",
                              "io.ringfence.membership",
                              "io.ringfence.ring",
                              "io.ringfence.algorithms"))));

  @ArchTest
  static final ArchRule THE_WIRE_KNOWS_NO_LOAD_AND_NO_PROCESS =
      noClasses()
          .that()
          .resideInAPackage("..wire")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("..load", "..cluster");

  @ArchTest
  static final ArchRule THE_LOAD_KNOWS_NO_PROCESS =
      noClasses()
          .that()
          .resideInAPackage("..load")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("..cluster");
}
