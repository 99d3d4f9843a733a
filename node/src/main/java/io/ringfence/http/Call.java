package io.ringfence.http;

/**
 * What a request asks for, as far as its head tells.
 *
 * @param endpoint what is asked
 * @param target the target that led there
 */
record Call(Endpoint endpoint, Target target) {

  /**
   * What the path has in the place of the endpoint's variable, decoded. A plain slash is no part of
   * it, as it would make another path.
   *
   * @param name what an error calls it
   */
  String variable(String name) throws BadInput {
    String encoded = target.path().substring(endpoint.fixedPart().length());
    if (encoded.indexOf('/') >= 0) {
      throw BadInput.invalid(name, name + " holds a slash; write it %2F");
    }
    return PercentEncoding.decode(name, encoded);
  }
}
