package io.walproof.connector.connect;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version that this was built as. */
public final class BuildVersion {

  private static final String TEXT = read();

  private BuildVersion() {}

  /** The version's text. */
  public static String text() {
    return TEXT;
  }

  private static String read() {
    Properties properties = new Properties();
    try (InputStream in =
        BuildVersion.class.getResourceAsStream("/io/walproof/connector/build.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException("the build's version cannot be read", e);
    }
    return properties.getProperty("version");
  }
}
