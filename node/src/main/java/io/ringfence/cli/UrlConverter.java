package io.ringfence.cli;

import java.net.URI;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the address of a node. A path is kept, for nodes behind something that adds one. */
final class UrlConverter implements ITypeConverter<URI> {
  @Override
  public URI convert(String value) {
    URI url = BaseUrl.of(value);
    if (url == null) {
      throw new TypeConversionException(
          "'" + value + "' is not the address of a node, such as http://127.0.0.1:8080");
    }
    return url;
  }
}
