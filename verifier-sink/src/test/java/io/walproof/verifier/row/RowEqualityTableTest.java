package io.walproof.verifier.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The README's tables of row equality are the ones that the planner decides by. With {@code
 * -Dwalproof.readme.write=true} they are written anew.
 */
class RowEqualityTableTest {

  private static final Path README = Path.of("..", "README.md");
  private static final String BEGIN = "<!-- row equality: made by RowEqualityTableTest -->\n";
  private static final String END = "<!-- end of row equality -->\n";

  @Test
  void theReadmeShowsTheTable() throws IOException {
    String readme = Files.readString(README);
    int from = readme.indexOf(BEGIN) + BEGIN.length();
    int to = readme.indexOf(END);
    assertThat(readme).contains(BEGIN, END);
    String expected = tables();
    if (Boolean.getBoolean("walproof.readme.write")) {
      Files.writeString(README, readme.substring(0, from) + expected + readme.substring(to));
      return;
    }
    assertThat(readme.substring(from, to)).isEqualTo(expected);
  }

  private static String tables() {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add("| Type | Rule | Equal if | The same is said by | Equal | Different |");
    lines.add("|---|---|---|---|---|---|");
    Stream.concat(RowEquality.SAME.stream(), Stream.of(RowEquality.PARTS, RowEquality.OTHERS))
        .forEach(
            row ->
                lines.add(
                    "| %s | `%s` | %s | %s | %s | %s |"
                        .formatted(
                            row.label(),
                            row.rule().text(),
                            row.meaning(),
                            row.judge().label(),
                            example(row.equal()),
                            example(row.different()))));
    lines.add("");
    lines.add(
        "PostgreSQL's `=` is no proof for these: it calls the two equal, Walproof calls them"
            + " different:");
    lines.add("");
    lines.add("| Type | One | Other |");
    lines.add("|---|---|---|");
    for (RowEquality.Example example : RowEquality.STRICTER) {
      lines.add(
          "| %s | `%s` | `%s` |"
              .formatted(example.type().replace("public.", ""), example.one(), example.other()));
    }
    lines.add("");
    lines.add(
        "Columns whose types differ on the two sides are compared if they stand here; domains count"
            + " as their base type:");
    lines.add("");
    lines.add("| Source | Target | Rule | Equal if |");
    lines.add("|---|---|---|---|");
    for (RowEquality.Across row : RowEquality.ACROSS) {
      lines.add(
          "| %s | %s | %s | %s |"
              .formatted(
                  families(row.source()),
                  families(row.target()),
                  row.sourceRule() == row.targetRule()
                      ? "`" + row.sourceRule().text() + "`"
                      : "`" + row.sourceRule().text() + "` to `" + row.targetRule().text() + "`",
                  row.meaning()));
    }
    lines.add("");
    lines.add("Rules that `verify.column.rules` can give a column, on both sides:");
    lines.add("");
    lines.add("| Rule | Types that it takes |");
    lines.add("|---|---|");
    new TreeMap<>(RowEquality.BY_SETTING)
        .forEach(
            (rule, families) ->
                lines.add(
                    "| `%s` | %s |"
                        .formatted(
                            rule.text(),
                            rule == ValueRule.EXACT_TEXT
                                ? "any two; bytea with bytea"
                                : families(families))));
    lines.add("");
    return lines.stream().collect(Collectors.joining("\n", "", "\n"));
  }

  private static String example(RowEquality.Example example) {
    return "%s `%s`, `%s`"
        .formatted(
            example.type(), example.one().replace("|", "\\|"), example.other().replace("|", "\\|"));
  }

  private static String families(Set<TypeFamily> families) {
    return families.stream().map(TypeFamily::label).collect(Collectors.joining(", "));
  }
}
