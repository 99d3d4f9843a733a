package io.ringfence.http;

/** The query of a request target; a plus is a space, and the rest is {@link PercentEncoding}. */
final class Query {
  private static final String FIELD = "query";
  private static final int MAX_PARAMETERS = 64;

  private Query() {}

  /** Receives each parameter in order. */
  @FunctionalInterface
  interface Parameters {
    /** One name with its value. */
    void parameter(String name, String value) throws BadInput;
  }

  /** Reads what follows the question mark of a request target. */
  static void read(String query, Parameters parameters) throws BadInput {
    int count = 0;
    int start = 0;
    while (start < query.length()) {
      int amp = query.indexOf('&', start);
      int end = amp < 0 ? query.length() : amp;
      if (end > start) {
        if (++count > MAX_PARAMETERS) {
          throw bad("query has more than " + MAX_PARAMETERS + " parameters");
        }
        int equals = query.indexOf('=', start);
        boolean named = equals >= 0 && equals < end;
        String name = decode(query.substring(start, named ? equals : end));
        parameters.parameter(name, named ? decode(query.substring(equals + 1, end)) : "");
      }
      start = end + 1;
    }
  }

  private static String decode(String text) throws BadInput {
    return PercentEncoding.decode(FIELD, text.replace('+', ' '));
  }

  private static BadInput bad(String detail) {
    return BadInput.invalid(FIELD, detail);
  }
}
