package io.ringfence.embed;

import io.ringfence.config.ConfigException;
import io.ringfence.config.LoadedRules;
import io.ringfence.config.RulesFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The rules to start with.
 *
 * @param loaded as they were read
 * @param text the content of the file that is to be watched, or null where there is none
 */
@SuppressWarnings("ArrayRecordComponent") // handed on once, never compared
record FirstRules(LoadedRules loaded, byte @Nullable [] text) {

  /** The file's, or the demo's where there is none. Blocks on the disk. */
  static FirstRules of(@Nullable Path file) throws ConfigException, IOException {
    if (file == null) {
      return new FirstRules(RulesFile.demo(), null);
    }
    byte[] text = Files.readAllBytes(file);
    return new FirstRules(RulesFile.parse(file.toString(), text), text);
  }

  /** Those that code has written. */
  static FirstRules written(String yaml) throws ConfigException {
    return new FirstRules(RulesFile.parse("rules", yaml.getBytes(StandardCharsets.UTF_8)), null);
  }
}
