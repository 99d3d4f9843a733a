package io.ringfence.chaos.load;

/** The algorithms whose bound can be told from outside to the last unit. */
public enum Shape {
  /** At most L in every window that is aligned to the epoch. */
  FIXED_WINDOW("fixed-window", false),
  /** At most L in any span of a window's length. */
  SLIDING_LOG("sliding-window-log", false),
  /** At most C + r T in any span T; C = L here. */
  TOKEN_BUCKET("token-bucket", true),
  /** At most B + r T in any span T; B = L here. */
  GCRA("gcra", true);

  private final String configName;
  private final boolean refills;

  Shape(String configName, boolean refills) {
    this.configName = configName;
    this.refills = refills;
  }

  /** The name in a rules file. */
  public String configName() {
    return configName;
  }

  /** Whether units come back one by one rather than all at the end of a window. */
  boolean refills() {
    return refills;
  }
}
