package io.walproof.standalone;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.IVersionProvider;

/** The build's version, from a resource that the build fills in. */
final class Version implements IVersionProvider {

  private static final String RESOURCE = "walproof-version.txt";

  @Override
  public String[] getVersion() {
    try (InputStream in = Version.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("the build left out " + RESOURCE);
      }
      return new String[] {
        "walproof " + new String(in.readAllBytes(), StandardCharsets.UTF_8).strip()
      };
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + RESOURCE, e);
    }
  }
}
