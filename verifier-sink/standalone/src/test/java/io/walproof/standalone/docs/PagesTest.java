package io.walproof.standalone.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.ColumnChange.What;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.model.Verdict.Unresolved.Kind;
import io.walproof.verifier.range.RangeOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every verdict and every kind of drift has its heading, no heading is of something else, and links
 * between the documents lead somewhere.
 */
class PagesTest {

  private static final Pattern LINK =
      Pattern.compile("]\\(((?!https?:)[^)#\\s]*)(?:#([^)\\s]+))?\\)");

  private static final Pattern PACKAGE = Pattern.compile("`([a-z.]+)`");
  private static final Pattern PACKAGE_INFO =
      Pattern.compile("(?:.*/)?src/main/java/io/walproof/(.*)/package-info\\.java");

  @Test
  void everyVerdictHasItsHeading() throws IOException {
    List<String> outcomes =
        SampleRecords.auditEntries().stream()
            .filter(AuditEntry.Decision.class::isInstance)
            .map(entry -> ((AuditEntry.Decision) entry).verdict().outcome())
            .toList();
    assertThat(outcomes).hasSize(Verdict.class.getPermittedSubclasses().length);
    assertThat(DocFiles.headings(DocFiles.config("verdicts.md"), 2))
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(
                    outcomes.stream().map(Markdown::code),
                    Stream.of(RangeOutcome.values()).map(PagesTest::rangeHeading))
                .toList());
    assertThat(DocFiles.headings(DocFiles.config("verdicts.md"), 3))
        .containsExactlyElementsOf(
            Stream.concat(Stream.of(Kind.values()), Stream.of(IncompleteReason.values()))
                .map(PagesTest::heading)
                .toList());
  }

  /** A heading of a key check's outcome cannot have the same link. */
  private static String rangeHeading(RangeOutcome outcome) {
    return heading(outcome) + (outcome == RangeOutcome.INCOMPLETE ? " range" : "");
  }

  @Test
  void everyKindOfDriftHasItsHeading() throws IOException {
    assertThat(DocFiles.headings(DocFiles.config("drift.md"), 2))
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(Stream.of(DriftEvent.Kind.values()), Stream.of(What.values()))
                .map(PagesTest::heading)
                .toList());
  }

  /** A heading alone would help nobody. */
  @Test
  void everyHeadingHasItsText() throws IOException {
    for (String name : List.of("verdicts.md", "drift.md")) {
      String text = Files.readString(DocFiles.config(name));
      assertThat(text).doesNotContainPattern("(?m)^##+ `.*\\n+(#|\\z)");
    }
  }

  /** Within the documents; what lies elsewhere is not looked at. */
  @Test
  void everyLinkLeadsToAFileAndAHeading() throws IOException {
    int found = 0;
    for (Path from : DocFiles.all()) {
      Matcher link = LINK.matcher(Files.readString(from));
      while (link.find()) {
        Path to = link.group(1).isEmpty() ? from : from.resolveSibling(link.group(1));
        assertThat(to).as(link.group()).exists();
        if (link.group(2) != null) {
          assertThat(DocFiles.anchors(to))
              .as("%s in %s", link.group(), from)
              .contains(link.group(2));
        }
        found++;
      }
    }
    assertThat(found).isPositive();
  }

  /** Packages of main code, as their folders have them. */
  @Test
  void everyPackageHasItsPlaceInTheArchitecture() throws IOException {
    Set<String> named = new TreeSet<>();
    for (String line : Files.readAllLines(DocFiles.config("architecture.md"))) {
      Matcher name = PACKAGE.matcher(line.startsWith("| `") ? line.split("\\|", -1)[1] : "");
      while (name.find()) {
        named.add(name.group(1));
      }
    }
    Set<String> there = new TreeSet<>();
    Path root = DocFiles.readme().toAbsolutePath().normalize().getParent();
    try (Stream<Path> files = Files.walk(root)) {
      files
          .map(file -> root.relativize(file).toString())
          .map(PACKAGE_INFO::matcher)
          .filter(Matcher::matches)
          .forEach(name -> there.add(name.group(1).replace('/', '.')));
    }
    assertThat(named).isEqualTo(there);
  }

  private static String heading(Enum<?> constant) {
    return Markdown.code(DocFiles.word(constant));
  }

  /** What the build changes to see whether tests notice, and what it leaves out. */
  @Test
  void everyPackageThatIsMutatedIsOnItsPage() throws IOException {
    Path root = DocFiles.readme().toAbsolutePath().normalize().getParent();
    String page = Files.readString(DocFiles.config("mutations.md"));
    Set<String> mutated = new TreeSet<>();
    for (String module : List.of("connector/contract", "connector", "verifier-sink")) {
      String pom = Files.readString(root.resolve(module).resolve("pom.xml"));
      property(pom, "targetClasses")
          .forEach(glob -> mutated.add(glob.replace("io.walproof.", "").replace(".*", "")));
      assertThat(property(pom, "excludedClasses"))
          .allSatisfy(
              glob ->
                  assertThat(page)
                      .contains(Markdown.code(glob.replaceAll(".*\\.", "").replace("*", ""))));
    }
    Set<String> listed = new TreeSet<>();
    Matcher row = Pattern.compile("(?m)^\\| `([a-z.]+)` \\|").matcher(page);
    while (row.find()) {
      listed.add(row.group(1));
    }
    assertThat(listed).isEqualTo(mutated);
  }

  private static List<String> property(String pom, String name) {
    Matcher value = Pattern.compile("<" + name + ">(.*)</" + name + ">").matcher(pom);
    return value.find() ? List.of(value.group(1).split(",", -1)) : List.of();
  }
}
