package io.walproof.standalone.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code faults.md} promises nothing that no test shows. */
class FaultsPageTest {

  /** Module folder, class, method. */
  private static final Pattern NAMED = Pattern.compile("`([a-z/-]+): ([A-Za-z]+)\\.([A-Za-z]+)`");

  private static final int COLUMNS = 4;

  @Test
  void everyRowNamesTestsThatExist() throws IOException {
    List<List<String>> rows = rows();
    assertThat(rows).hasSizeGreaterThan(20);
    Path root = DocFiles.readme().toAbsolutePath().normalize().getParent();
    for (List<String> row : rows) {
      assertThat(row).as("%s", row).hasSize(COLUMNS).doesNotContain("");
      Map<String, Path> tests = new HashMap<>();
      Matcher named = NAMED.matcher(row.get(COLUMNS - 1));
      int found = 0;
      while (named.find()) {
        found++;
        String module = named.group(1);
        String type = named.group(2);
        Path file =
            tests.computeIfAbsent(module + ' ' + type, any -> source(root.resolve(module), type));
        assertThat(Files.readString(file))
            .as(named.group())
            .containsPattern(
                "@(Test|ParameterizedTest)\\b(?:(?!\\bvoid\\b)[\\s\\S])*+\\bvoid "
                    + named.group(3)
                    + "\\(");
      }
      assertThat(found).as("tests of %s", row).isPositive();
      // Whatever else stands in the cell is no test's name.
      assertThat(NAMED.matcher(row.get(COLUMNS - 1)).replaceAll("")).matches("[ ,]*");
    }
  }

  private static Path source(Path module, String type) {
    try (Stream<Path> files = Files.walk(module.resolve("src/test/java"))) {
      return files
          .filter(file -> file.getFileName().toString().equals(type + ".java"))
          .findFirst()
          .orElseThrow(() -> new AssertionError("no test " + type + " in " + module));
    } catch (IOException e) {
      throw new AssertionError("no tests in " + module, e);
    }
  }

  private static List<List<String>> rows() throws IOException {
    List<List<String>> rows = new ArrayList<>();
    for (String line : Files.readAllLines(DocFiles.config("faults.md"))) {
      boolean head = line.startsWith("| Fault ") || line.startsWith("|---");
      if (line.startsWith("|") && !head) {
        String cells = line.strip();
        rows.add(
            Stream.of(cells.substring(1, cells.length() - 1).split("\\|", -1))
                .map(String::strip)
                .toList());
      }
    }
    return rows;
  }
}
