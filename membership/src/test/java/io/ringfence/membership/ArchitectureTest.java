package io.ringfence.membership;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;

@AnalyzeClasses(packages = "io.ringfence")
class ArchitectureTest {
  @ArchTest
  static final ArchRule HAZELCAST_IS_NAMED_IN_ONE_PACKAGE =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.ringfence.membership.hazelcast")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("com.hazelcast..", "io.ringfence.membership.hazelcast..");

  @ArchTest
  static final ArchRule NOBODY_READS_A_CLOCK_OR_SLEEPS =
      noClasses()
          .should()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod("java.lang.Thread", "sleep", "long")
          .orShould()
          .callMethod("java.lang.Thread", "sleep", "long", "int")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo("java.time.Clock");

  @ArchTest
  static final ArchRule THE_CORE_HAS_NO_THREADS_AND_NO_SOCKETS =
      noClasses()
          .that()
          .resideInAPackage("io.ringfence.membership")
          .should()
          .dependOnClassesThat()
          .areAssignableTo("java.lang.Thread")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo("java.util.concurrent.Executor")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo("java.net.Socket");
}
