package io.ringfence.ring;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Random;
import java.util.random.RandomGenerator;

@AnalyzeClasses(
    packages = "io.ringfence.ring",
    importOptions = ImportOption.DoNotIncludeTests.class)
class RingArchitectureTest {
  /**
   * No I/O (java.io, java.net, channels), no clock types (java.time), no threads
   * (java.util.concurrent).
   */
  @ArchTest
  static final ArchRule DEPENDS_ON_NOTHING =
      classes()
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                  "io.ringfence.ring",
                  "org.jspecify..",
                  "java.lang",
                  "java.lang.invoke",
                  "java.lang.runtime",
                  "java.nio",
                  "java.nio.charset",
                  "java.util",
                  "java.util.function",
                  "java.util.stream"));

  @ArchTest
  static final ArchRule READS_NO_CLOCK_AND_STARTS_NO_THREAD =
      noClasses()
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(System.class, Thread.class, Runtime.class);

  @ArchTest
  static final ArchRule DRAWS_NO_LOTS =
      noClasses()
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(Random.class, RandomGenerator.class)
          .orShould()
          .callMethod(Math.class, "random")
          .orShould()
          .callMethod(Object.class, "hashCode");
}
