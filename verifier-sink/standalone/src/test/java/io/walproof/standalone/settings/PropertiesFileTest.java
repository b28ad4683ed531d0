package io.walproof.standalone.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class PropertiesFileTest {

  @Test
  void linesAreCountedOverCommentsAndContinuations() {
    PropertiesFile file =
        PropertiesFile.parse("\uFEFF# first\r\na=1\\\r\n  2\r\n\r\n! no\n  b : x=y\nc d\ne=\n");
    assertThat(file.problems()).isEmpty();
    assertThat(file.values())
        .containsExactly(
            Map.entry("a", new PropertiesFile.Value(2, "12")),
            Map.entry("b", new PropertiesFile.Value(6, "x=y")),
            Map.entry("c", new PropertiesFile.Value(7, "d")),
            Map.entry("e", new PropertiesFile.Value(8, "")));
  }

  @Test
  void malformedLinesAreNamedAndNotShown() {
    PropertiesFile file = PropertiesFile.parse("a=1\nsecret\nb=\\u12\n=secret\na=2\n");
    assertThat(file.problems())
        .containsExactly(
            "line 2: not of the form key=value",
            "line 3: a backslash followed by u needs four hex digits",
            "line 4: not of the form key=value",
            "line 5: 'a' is set already in line 1; keep one");
  }

  /** Whatever is accepted without a problem means what the platform's own reader makes of it. */
  @Property(tries = 3_000)
  void agreesWithThePlatformsReader(@ForAll("texts") String text) throws IOException {
    PropertiesFile file = PropertiesFile.parse(text);
    if (!file.problems().isEmpty()) {
      return;
    }
    Properties expected = new Properties();
    expected.load(new StringReader(text));
    Map<String, String> found = new HashMap<>();
    file.values().forEach((key, value) -> found.put(key, value.text()));
    assertThat(found).isEqualTo(expected);
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.of("a", "b", "=", ":", " ", "\\", "\n", "\r", "#", "!", "\t", "\f", "\u00fc")
        .list()
        .ofMaxSize(16)
        .map(parts -> String.join("", parts));
  }
}
