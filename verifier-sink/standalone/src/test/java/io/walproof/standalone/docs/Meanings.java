package io.walproof.standalone.docs;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;

/** What fields mean: the one thing about them that no code tells. */
final class Meanings {

  private static final String FILE = "/reference/meanings.properties";

  private final Properties texts = new Properties();
  private final Set<String> used = new TreeSet<>();
  private final Set<String> missing = new TreeSet<>();

  Meanings() {
    try (InputStream in = Meanings.class.getResourceAsStream(FILE)) {
      texts.load(new InputStreamReader(in, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(FILE, e);
    }
  }

  /** Of a record's field, else of every record's field of that name. */
  String of(String record, String field) {
    String own = record + "." + field;
    String name = texts.containsKey(own) ? own : "any." + field;
    used.add(name);
    if (!texts.containsKey(name)) {
      missing.add(own);
    }
    return texts.getProperty(name, "");
  }

  /** Fields without a meaning. */
  Set<String> missing() {
    return missing;
  }

  /** Meanings of fields that there are none of. */
  Set<String> unused() {
    Set<String> unused = new TreeSet<>(texts.stringPropertyNames());
    unused.removeAll(used);
    return unused;
  }
}
