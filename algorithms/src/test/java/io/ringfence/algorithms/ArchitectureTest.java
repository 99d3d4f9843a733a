package io.ringfence.algorithms;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The package is pure: what it may depend on, and what it must not touch. */
@AnalyzeClasses(
    packages = "io.ringfence.algorithms",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule DEPENDS_ON_NOTHING =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.ringfence.algorithms", "java.lang..", "java.util", "java.math", "org.jspecify..");

  @ArchTest
  static final ArchRule READS_NO_CLOCK =
      noClasses()
          .should()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .dependOnClassesThat(resideInAPackage("java.time.."));

  @ArchTest
  static final ArchRule STARTS_AND_BLOCKS_NO_THREAD =
      noClasses()
          .should()
          .dependOnClassesThat(are(resideInAPackage("java.util.concurrent..")))
          .orShould()
          .dependOnClassesThat()
          .belongToAnyOf(Thread.class);

  private static final DescribedPredicate<JavaClass> FLOATING_POINT =
      new DescribedPredicate<>("a floating-point number") {
        @Override
        public boolean test(JavaClass type) {
          return type.isEquivalentTo(double.class) || type.isEquivalentTo(float.class);
        }
      };

  @ArchTest
  static final ArchRule NO_FIELD_IS_FLOATING_POINT =
      fields().should().notHaveRawType(FLOATING_POINT);

  @ArchTest
  static final ArchRule NO_METHOD_RETURNS_FLOATING_POINT =
      methods().should().notHaveRawReturnType(FLOATING_POINT);

  @ArchTest
  static final ArchRule NO_STATIC_STATE =
      fields().that().haveModifier(JavaModifier.STATIC).should().beFinal();
}
