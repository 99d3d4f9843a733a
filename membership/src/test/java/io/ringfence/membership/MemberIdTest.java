package io.ringfence.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemberIdTest {
  @Property
  void textFormReadsBack(@ForAll long incarnation) {
    MemberId id = new MemberId("n-1.eu_west", incarnation);
    assertEquals(id, MemberId.parse(id.toString()));
    assertEquals("n-1.eu_west@".length() + 16, id.toString().length());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "n 1", "n@1", "n\n", "ä", "n/1", "n\"", "%"})
  void namesAreNarrow(String name) {
    assertThrows(IllegalArgumentException.class, () -> new MemberId(name, 1));
  }

  @Test
  void nameLengthIsBounded() {
    assertEquals(64, new MemberId("n".repeat(64), 1).name().length());
    assertThrows(IllegalArgumentException.class, () -> new MemberId("n".repeat(65), 1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "n1",
        "n1@",
        "@0000000000000001",
        "n1@1",
        "n1@000000000000000g",
        "n1@00000000000000001",
        "n1@-000000000000001",
        "n1@000000000000000A"
      })
  void otherTextsAreRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> MemberId.parse(text));
  }
}
