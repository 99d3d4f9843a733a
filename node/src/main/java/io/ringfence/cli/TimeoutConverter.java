package io.ringfence.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads how long to wait: {@code 500ms} or {@code 5s}, from 10 ms to 10 minutes. */
final class TimeoutConverter implements ITypeConverter<Duration> {
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,6})(ms|s)");
  private static final Duration MIN = Duration.ofMillis(10);
  private static final Duration MAX = Duration.ofMinutes(10);

  @Override
  public Duration convert(String value) {
    Matcher matcher = TEXT.matcher(value);
    if (matcher.matches()) {
      long number = Long.parseLong(matcher.group(1));
      Duration timeout =
          matcher.group(2).equals("s") ? Duration.ofSeconds(number) : Duration.ofMillis(number);
      if (timeout.compareTo(MIN) >= 0 && timeout.compareTo(MAX) <= 0) {
        return timeout;
      }
    }
    throw new TypeConversionException(
        "'" + value + "' is not a time from 10ms to 600s, such as 500ms or 5s");
  }
}
