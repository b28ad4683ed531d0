package io.walproof.standalone.repair;

import static io.walproof.standalone.WrittenAudit.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.contract.RowKey;
import io.walproof.standalone.WrittenAudit;
import io.walproof.standalone.repair.ConfirmedFailures.Failure;
import io.walproof.verifier.audit.AuditException;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.AuditedDatabases;
import io.walproof.verifier.model.Verdict;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which failures of an audit are still to be repaired, and of which databases they are. */
class ConfirmedFailuresTest {

  private static final AuditedDatabases.Identity SHOP =
      new AuditedDatabases.Identity("7001", "shop");
  private static final AuditedDatabases.Identity COPY =
      new AuditedDatabases.Identity("7002", "copy");

  @TempDir Path dir;
  private WrittenAudit audit;

  @BeforeEach
  void open() {
    audit = new WrittenAudit(dir.resolve("state")).append(WrittenAudit.start());
  }

  @AfterEach
  void close() {
    audit.close();
  }

  private List<Failure> failures() {
    return ConfirmedFailures.read(audit.file(), any -> true, 100).failures();
  }

  @Test
  void onlyConvergedEndsAFailureAndARestartDoesNot() {
    audit
        .append(WrittenAudit.decided(ORDERS, "1", WrittenAudit.missing()))
        .append(WrittenAudit.decided(ORDERS, "2", WrittenAudit.missing()))
        .append(WrittenAudit.decided(ORDERS, "3", WrittenAudit.different()))
        .append(WrittenAudit.decided(ORDERS, "4", WrittenAudit.different()))
        .nextRun()
        .append(WrittenAudit.start())
        .append(WrittenAudit.decided(ORDERS, "2", new Verdict.Advanced()))
        .append(WrittenAudit.decided(ORDERS, "3", WrittenAudit.incomplete()))
        .append(WrittenAudit.decided(ORDERS, "4", new Verdict.Converged()))
        .append(WrittenAudit.decided(ORDERS, "5", new Verdict.Advanced()));
    assertThat(failures())
        .extracting(f -> f.key().texts().get(0) + f.later().map(" "::concat).orElse(""))
        .containsExactly("1", "2 advanced", "3 incomplete");
    audit.append(WrittenAudit.decided(ORDERS, "3", WrittenAudit.missing()));
    assertThat(failures().get(2).later()).as("confirmed anew").isEmpty();
    assertThat(failures().get(2).record().runId()).isEqualTo("run-2");
    assertThat(ConfirmedFailures.read(audit.file(), r -> r.runId().equals("run-1"), 100).failures())
        .as("what ends one counts whichever run saw it")
        .extracting(f -> f.key().texts().get(0))
        .containsExactly("1", "2", "3");
  }

  @Test
  void aKeyIsOneInWhateverOrderOfItsColumns() {
    RowKey.Column item = new RowKey.Column("item", "7");
    RowKey.Column shop = new RowKey.Column("shop", "1");
    audit
        .append(
            WrittenAudit.decided(ORDERS, new RowKey(List.of(item, shop)), WrittenAudit.missing()))
        .append(
            WrittenAudit.decided(ORDERS, new RowKey(List.of(shop, item)), new Verdict.Converged()));
    assertThat(failures()).isEmpty();
  }

  @Test
  void whatFindsNoRoomIsCounted() {
    for (int key = 0; key < 5; key++) {
      audit.append(WrittenAudit.decided(ORDERS, "k" + key, WrittenAudit.missing()));
    }
    ConfirmedFailures two = ConfirmedFailures.read(audit.file(), any -> true, 2);
    assertThat(two.failures()).hasSize(2);
    assertThat(two.leftOut()).isEqualTo(3);
  }

  @Test
  void aFailureIsOfItsRunsDatabases() {
    audit
        .append(WrittenAudit.decided(ORDERS, "1", WrittenAudit.missing()))
        .nextRun()
        .append(new AuditEntry.RunStart(1, "none", List.of(), Map.of(), Optional.empty()))
        .append(WrittenAudit.decided(ORDERS, "2", WrittenAudit.missing()));
    List<Failure> known = failures().subList(0, 1);
    List<Failure> unknown = failures().subList(1, 2);
    RepairOrigin.require(known, new AuditedDatabases(SHOP, COPY), false);
    RepairOrigin.require(unknown, new AuditedDatabases(SHOP, COPY), true);
    assertThatThrownBy(() -> RepairOrigin.require(unknown, new AuditedDatabases(SHOP, COPY), false))
        .isInstanceOf(AuditException.class)
        .hasMessageContaining("--accept-unknown-databases");
    for (AuditedDatabases other :
        List.of(
            new AuditedDatabases(COPY, COPY),
            new AuditedDatabases(SHOP, SHOP),
            new AuditedDatabases(new AuditedDatabases.Identity("7001", "test"), COPY),
            new AuditedDatabases(SHOP, new AuditedDatabases.Identity("7003", "copy")))) {
      assertThatThrownBy(() -> RepairOrigin.require(known, other, true))
          .as(other.toString())
          .isInstanceOf(AuditException.class)
          .hasMessageContaining("the configuration leads to");
    }
  }
}
