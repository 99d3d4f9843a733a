package io.ringfence.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How values become text. */
class TextTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0 ms",
    "999, 999 ms",
    "1000, 1 s",
    "1001, 1.1 s",
    "12345, 12.4 s",
    "59900, 59.9 s",
    "59901, 1 min",
    "60001, 1 min 1 s",
    "3599000, 59 min 59 s",
    "3599001, 1 h",
    "3600001, 1 h 1 min",
    "86340000, 23 h 59 min",
    "86340001, 1 d",
    "86400001, 1 d 1 h",
    "9223372036854775807, 106751991167 d 8 h",
  })
  void waitsAreRoundedUp(long millis, String text) {
    assertEquals(text, WaitText.ofMillis(millis));
  }

  @Test
  void whatMovesACursorIsEscaped() {
    assertEquals(
        "a\\u000ab\\u001b[0m\\u202ec\\u2028\\udb40\\udc01\\ud800 käse \ud83d\ude00",
        Printable.of("a\nb\u001b[0m\u202ec\u2028\udb40\udc01\ud800 käse \ud83d\ude00"));
    assertEquals("{ \n\t\"a\\u0085\"}", Printable.json("{\r\n\t\"a\u0085\"}"));
  }

  @Test
  void columnsAreAsWideAsTheirWidestCell() {
    Table table = new Table("a", "long", "z");
    table.row("wide\n", "", "1");
    assertEquals(List.of("a           long  z", "wide\\u000a        1"), table.lines());
    assertThrows(IllegalArgumentException.class, () -> table.row("one"));
  }
}
