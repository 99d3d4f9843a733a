package io.ringfence;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.ringfence.rules.RuleSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which package may know which, and what nobody may do. Covers all modules that a node is made of.
 */
class ArchitectureTest {
  private static final JavaClasses PRODUCT =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.ringfence");

  private static final JavaClasses TESTS =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.ONLY_INCLUDE_TESTS)
          .importPackages("io.ringfence");

  private static final Set<String> CLOCKS =
      Set.of(
          "java.lang.System.nanoTime",
          "java.lang.System.currentTimeMillis",
          "java.time.Instant.now",
          "java.time.LocalDate.now",
          "java.time.LocalDateTime.now",
          "java.time.OffsetDateTime.now",
          "java.time.ZonedDateTime.now",
          "java.time.Clock.systemUTC",
          "java.time.Clock.systemDefaultZone",
          "java.time.Clock.system");

  @Test
  void theEngineIsPureOfInputAndOutput() {
    check(
        noClasses()
            .that()
            .resideInAPackage("io.ringfence.engine..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "io.netty..",
                "com.hazelcast..",
                "io.micrometer..",
                "org.yaml..",
                "com.fasterxml..",
                "java.net..",
                "java.nio.channels..",
                "java.nio.file..",
                "io.ringfence.membership.hazelcast..",
                "io.ringfence.peer..",
                "io.ringfence.http..",
                "io.ringfence.metrics..",
                "io.ringfence.config..",
                "io.ringfence.disk..",
                "io.ringfence.embed..",
                "io.ringfence.cli.."));
  }

  @Test
  void rulesKnowNothingButAlgorithms() {
    check(
        noClasses()
            .that()
            .resideInAPackage("io.ringfence.rules..")
            .should()
            .dependOnClassesThat(
                DescribedPredicate.not(
                    resideInAnyPackage(
                        "java.lang..",
                        "java.util..",
                        "java.nio",
                        "java.nio.charset..",
                        "java.io",
                        "java.security..",
                        "org.jspecify..",
                        "io.ringfence.rules..",
                        "io.ringfence.algorithms.."))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"peer", "http", "metrics", "config", "disk"})
  void adaptersDoNotKnowEachOther(String adapter) {
    List<String> others =
        List.of("peer", "http", "rls", "admin", "metrics", "config", "disk", "embed", "cli")
            .stream()
            .filter(other -> !other.equals(adapter))
            .map(other -> "io.ringfence." + other + "..")
            .toList();
    check(
        noClasses()
            .that()
            .resideInAPackage("io.ringfence." + adapter + "..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(others.toArray(String[]::new)));
  }

  @Test
  void onlyTheCommandLineKnowsTheCommandLine() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("io.ringfence.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.ringfence.cli..", "picocli.."));
  }

  @ParameterizedTest
  @CsvSource({
    "com.hazelcast, io.ringfence.membership.hazelcast, ",
    "org.yaml, io.ringfence.config, ",
    "io.micrometer, io.ringfence.metrics, ",
    "com.fasterxml, io.ringfence.http, io.ringfence.cli",
    "io.netty, io.ringfence.peer, io.ringfence.http",
    "ch.qos.logback, io.ringfence.cli, ",
  })
  void aLibraryHasItsImporters(String library, String importer, @Nullable String other) {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(importer + "..", (other == null ? importer : other) + "..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(library + ".."));
  }

  @Test
  void clocksAreReadInOneClass() {
    check(oneClockOnly());
  }

  @Test
  void theseRulesFindWhatTheyForbid() {
    JavaClasses planted = new ClassFileImporter().importClasses(Called.class, Referred.class);

    assertEquals(2, oneClockOnly().evaluate(planted).getFailureReport().getDetails().size());
    assertTrue(PRODUCT.contain(RuleSet.class));
    assertTrue(TESTS.contain(ArchitectureTest.class));
  }

  /** Reads a clock by a call. */
  private static final class Called implements LongSupplier {
    @Override
    public long getAsLong() {
      return System.nanoTime();
    }
  }

  /** Reads a clock by a method reference. */
  private static final class Referred implements Supplier<LongSupplier> {
    @Override
    public LongSupplier get() {
      return System::currentTimeMillis;
    }
  }

  private static ArchRule oneClockOnly() {
    return noClasses()
        .that()
        .haveNameNotMatching("io\\.ringfence\\.embed\\.SystemClock(\\$.*)?")
        .should()
        .accessTargetWhere(callOf("a read of a clock", CLOCKS));
  }

  @Test
  void nobodySleeps() {
    ArchRule rule =
        noClasses()
            .should()
            .accessTargetWhere(
                callOf(
                    "a sleep",
                    Set.of("java.lang.Thread.sleep", "java.util.concurrent.TimeUnit.sleep")));
    check(rule);
    rule.allowEmptyShould(true).check(TESTS);
  }

  @Test
  void namesSayWhatAThingIs() {
    for (String suffix : List.of("Manager", "Helper", "Util", "Utils", "Impl", "Processor")) {
      ArchRule rule = noClasses().should().haveSimpleNameEndingWith(suffix);
      check(rule);
      rule.allowEmptyShould(true).check(TESTS);
    }
    check(noClasses().should().resideInAnyPackage("..common..", "..util..", "..utils.."));
  }

  @Test
  void everyPackageSaysWhatItIsForAndIsNullMarked() {
    Set<String> unmarked =
        PRODUCT.stream()
            .map(JavaClass::getPackage)
            .filter(javaPackage -> javaPackage.getName().startsWith("io.ringfence"))
            .filter(javaPackage -> !javaPackage.isAnnotatedWith(NullMarked.class))
            .map(JavaPackage::getName)
            .collect(Collectors.toCollection(TreeSet::new));

    assertEquals(Set.of(), unmarked);
  }

  private static DescribedPredicate<JavaAccess<?>> callOf(String what, Set<String> targets) {
    return DescribedPredicate.describe(
        what,
        access -> {
          AccessTarget target = access.getTarget();
          return targets.contains(target.getOwner().getFullName() + "." + target.getName());
        });
  }

  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(PRODUCT);
  }
}
