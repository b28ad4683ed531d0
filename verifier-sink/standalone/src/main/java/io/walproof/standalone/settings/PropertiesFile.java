package io.walproof.standalone.settings;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * A properties file in UTF-8, by key with the line it stands in. The syntax is that of {@link
 * Properties}, except that a line without a separator and a repeated key are errors. Problems name
 * lines and keys, never values; the text of a malformed line is not shown either, because it may be
 * half of a secret.
 */
final class PropertiesFile {

  /**
   * A value in the file.
   *
   * @param line where it begins, from 1
   * @param text the value; may be a secret
   */
  record Value(int line, String text) {
    @Override
    public String toString() {
      return "line " + line;
    }
  }

  private static final int MOST_BYTES = 1024 * 1024;

  private final Map<String, Value> values = new LinkedHashMap<>();
  private final List<String> problems = new ArrayList<>();

  private PropertiesFile() {}

  /**
   * Reads a file.
   *
   * @throws SettingsException if it cannot be read at all
   */
  static PropertiesFile read(Path path) {
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw unusable(path, "the file is larger than " + MOST_BYTES + " bytes");
      }
      return parse(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (NoSuchFileException e) {
      throw unusable(path, "there is no such file");
    } catch (CharacterCodingException e) {
      throw unusable(path, "the file is not UTF-8: save it in that encoding");
    } catch (IOException e) {
      if (Files.isDirectory(path)) {
        throw unusable(path, "it is a directory");
      }
      throw unusable(path, "the file cannot be read (" + e.getClass().getSimpleName() + ")");
    }
  }

  static PropertiesFile parse(String text) {
    PropertiesFile file = new PropertiesFile();
    String[] lines = (text.startsWith("\uFEFF") ? text.substring(1) : text).split("\r\n|\r|\n", -1);
    int at = 0;
    while (at < lines.length) {
      int first = at;
      String line = lines[at++];
      if (isBlankOrComment(line)) {
        continue;
      }
      StringBuilder logical = new StringBuilder(line);
      while (isContinued(lines[at - 1]) && at < lines.length) {
        logical.append('\n').append(lines[at++]);
      }
      file.add(first + 1, logical.toString());
    }
    return file;
  }

  private void add(int line, String logical) {
    Properties one = new Properties();
    try {
      one.load(new StringReader(logical));
    } catch (IllegalArgumentException e) {
      problems.add("line " + line + ": a backslash followed by u needs four hex digits");
      return;
    } catch (IOException e) {
      throw new IllegalStateException("a string cannot fail to be read", e);
    }
    String key = one.stringPropertyNames().stream().findFirst().orElse("");
    if (key.isEmpty() || (one.getProperty(key).isEmpty() && !logical.matches("(?s).*[=:].*"))) {
      problems.add("line " + line + ": not of the form key=value");
      return;
    }
    Value earlier = values.putIfAbsent(key, new Value(line, one.getProperty(key)));
    if (earlier != null) {
      problems.add(
          "line %d: '%s' is set already in line %d; keep one".formatted(line, key, earlier.line()));
    }
  }

  private static boolean isBlankOrComment(String line) {
    String stripped = line.stripLeading();
    return stripped.isEmpty() || stripped.charAt(0) == '#' || stripped.charAt(0) == '!';
  }

  /** An odd number of backslashes at the end joins the next line. */
  private static boolean isContinued(String line) {
    int backslashes = 0;
    while (backslashes < line.length() && line.charAt(line.length() - 1 - backslashes) == '\\') {
      backslashes++;
    }
    return backslashes % 2 == 1;
  }

  private static SettingsException unusable(Path path, String why) {
    return new SettingsException(path.toString(), List.of(why));
  }

  /** By key, in the file's order. */
  Map<String, Value> values() {
    return values;
  }

  /** What is wrong with the file itself. */
  List<String> problems() {
    return problems;
  }
}
