package io.walproof.standalone.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What README and {@code config/} tell people to run, and to write into files. */
public final class DocumentedCommands {

  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$");
  private static final Pattern JAR =
      Pattern.compile("java -jar (?:[\\w./-]+/)?walproof\\.jar (.+?)\\s*(?:&&|$)");
  private static final Pattern WRAPPER = Pattern.compile("\\./mvnw (.+?)\\s*(?:&&|$)");
  private static final Pattern INLINE = Pattern.compile("(?s)`walproof ([^`]+)`");

  private DocumentedCommands() {}

  /** The arguments of each command of ours that stands in a block or a comment, without repeats. */
  public static List<String> ofJar() throws IOException {
    return matches(JAR);
  }

  /** The arguments of each call of the Maven wrapper. */
  static List<String> ofWrapper() throws IOException {
    return matches(WRAPPER);
  }

  /** The arguments of commands inside sentences; they may lack what is obvious there. */
  static List<String> inSentences() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : DocFiles.all()) {
      Matcher matcher = INLINE.matcher(Files.readString(file).replaceAll("(?ms)^```.*?^```$", ""));
      while (matcher.find()) {
        found.add(matcher.group(1).replaceAll("\\s+", " ").strip());
      }
    }
    return found.stream().distinct().toList();
  }

  /** The first block of a language in README that holds a text. */
  public static String block(String language, String holds) throws IOException {
    Matcher matcher = BLOCK.matcher(Files.readString(DocFiles.readme()));
    Optional<String> found = Optional.empty();
    while (found.isEmpty() && matcher.find()) {
      if (matcher.group(1).equals(language) && matcher.group(2).contains(holds)) {
        found = Optional.of(matcher.group(2));
      }
    }
    return found.orElseThrow();
  }

  private static List<String> matches(Pattern pattern) throws IOException {
    List<Path> files = new ArrayList<>(DocFiles.all());
    files.add(DocFiles.config("standalone.properties"));
    List<String> found = new ArrayList<>();
    for (Path file : files) {
      String joined = Files.readString(file).replaceAll("\\\\\\n\\s*", "");
      for (String line : joined.lines().toList()) {
        Matcher matcher = pattern.matcher(line.replaceAll("`", ""));
        if (matcher.find()) {
          found.add(matcher.group(1));
        }
      }
    }
    return found.stream().distinct().toList();
  }
}
