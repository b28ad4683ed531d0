package io.walproof.standalone.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code config/reference.md} is what the code says of settings, metrics, topics and records. With
 * {@code -Dwalproof.reference.write=true} it is written anew.
 */
class ReferenceTest {

  private static final Path FILE = DocFiles.config("reference.md");

  private static final String COMMAND =
      """
      ./mvnw -pl verifier-sink/standalone -am test -Dtest=ReferenceTest \\
        -Dsurefire.failIfNoSpecifiedTests=false -Dwalproof.reference.write=true""";

  @TempDir Path state;

  @Test
  void theReferenceIsWhatTheCodeSays() throws Exception {
    Meanings meanings = new Meanings();
    String expected = page(new RecordsPart(meanings, state));
    assertThat(meanings.missing()).as("fields without a meaning").isEmpty();
    assertThat(meanings.unused()).as("meanings of nothing").isEmpty();
    if (Boolean.getBoolean("walproof.reference.write")) {
      Files.writeString(FILE, expected);
    }
    assertThat(Files.readString(FILE))
        .as("%s is not what the code says; write it anew:%n%s", FILE, COMMAND)
        .isEqualTo(expected);
  }

  /** So that no kind of record, and no field that only some verdicts have, is left out. */
  @Test
  void everyKindOfAuditRecordIsSampled() {
    Set<Class<?>> entries = new HashSet<>();
    Set<Class<?>> verdicts = new HashSet<>();
    for (AuditEntry entry : SampleRecords.auditEntries()) {
      entries.add(entry.getClass());
      if (entry instanceof AuditEntry.Decision decision) {
        verdicts.add(decision.verdict().getClass());
      }
    }
    assertThat(entries).containsExactlyInAnyOrder(AuditEntry.class.getPermittedSubclasses());
    assertThat(verdicts).containsExactlyInAnyOrder(Verdict.class.getPermittedSubclasses());
  }

  private static String page(RecordsPart records) throws Exception {
    return "# Reference\n\nMade from the code by `ReferenceTest`, which fails when this file differs"
        + " from it. Do not edit; to write it anew:\n\n```\n"
        + COMMAND
        + "\n```\n\n"
        + SettingsPart.page()
        + MetricsPart.page()
        + records.page().stripTrailing()
        + "\n";
  }
}
