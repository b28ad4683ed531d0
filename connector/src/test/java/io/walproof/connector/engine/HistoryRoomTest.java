package io.walproof.connector.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.WalOrigin;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The history's limit is refused before a start does anything, with what to raise. */
class HistoryRoomTest {

  @Test
  void fiveThousandTablesHaveRoomByDefaultAndTenThousandAreRefused() {
    assertThatCode(() -> HistoryRoom.check(settings(), tables(5000, false), SchemaHistory.empty()))
        .doesNotThrowAnyException();
    assertThatThrownBy(
            () -> HistoryRoom.check(settings(), tables(10_000, false), SchemaHistory.empty()))
        .isInstanceOfSatisfying(
            CaptureException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TABLE))
        .hasMessageContainingAll(
            "drift.history.max.bytes=524288",
            "10000 tables",
            "table.include.list",
            "max.message.bytes",
            "producer.max.request.size");
  }

  @Test
  void partitionsUnderACapturedRootTakeNoRoom() {
    assertThatCode(() -> HistoryRoom.check(settings(), tables(10_000, true), SchemaHistory.empty()))
        .doesNotThrowAnyException();
  }

  @Test
  void whatTheHistoryHoldsAlreadyCounts() {
    StringBuilder text = new StringBuilder("{\"v\":1,\"tables\":{},\"compact\":{");
    for (int i = 0; i < 6000; i++) {
      text.append(i == 0 ? "" : ",")
          .append("\"old.table_name_")
          .append(i)
          .append("\":\"")
          .append("0".repeat(32))
          .append(" 0/1 - -\"");
    }
    SchemaHistory stored = SchemaHistory.read(text + "}}");
    assertThatThrownBy(() -> HistoryRoom.check(settings(), tables(1, false), stored))
        .hasMessageContaining("6001 tables");
  }

  /** Of an older build, or from before the limit was lowered. */
  @Test
  void divertedTablesThatHaveNoRoomEndAStartWithTheWayOut() {
    StringBuilder text = new StringBuilder("{\"v\":1,\"tables\":{");
    for (int i = 0; i < 3000; i++) {
      text.append(i == 0 ? "" : ",")
          .append("\"public.t" + i + "\":{\"versions\":[{\"h\":\"" + "1".repeat(32))
          .append("\",\"lsn\":\"0/18\"}],\"diverted\":{\"h\":\"" + "1".repeat(32))
          .append("\",\"lsn\":\"0/18\",\"from\":\"" + "0".repeat(32))
          .append("\",\"begin\":\"0/20 0/18 3\"}}");
    }
    Position stored =
        Position.start(new Lsn(32), SchemaHistory.read(text + "}}"), WalOrigin.of("1"));
    Logger logger = (Logger) LoggerFactory.getLogger(AcceptedStart.class);
    ListAppender<ILoggingEvent> said = new ListAppender<>();
    said.start();
    logger.addAppender(said);
    try {
      String wrong = "public.t7=" + "2".repeat(32);
      assertThatThrownBy(() -> AcceptedStart.of(settings("drift.accept", wrong), List.of(), stored))
          .isInstanceOfSatisfying(
              CaptureException.class, e -> assertThat(e.reason()).isEqualTo(Reason.SETTING))
          .hasMessageContainingAll(
              "drift.history.max.bytes=524288", "3000 diverted tables", "drift.accept");
      assertThat(said.list)
          .extracting(ILoggingEvent::getFormattedMessage)
          .as("why the entry made no room, and what would")
          .anyMatch(line -> line.contains(wrong + ", which is not the shape that is awaited"))
          .anyMatch(
              line -> line.endsWith("drift.accept has public.t8=" + "1".repeat(32) + "@0/18"));
    } finally {
      logger.detachAppender(said);
    }
  }

  private static CaptureSettings settings(String... more) {
    Map<String, String> given = new HashMap<>();
    for (int i = 0; i < more.length; i += 2) {
      given.put(more[i], more[i + 1]);
    }
    given.put("database.hostname", "db");
    given.put("database.user", "me");
    given.put("database.dbname", "app");
    return CaptureSettings.of(given);
  }

  private static List<SourceTable> tables(int number, boolean partitions) {
    List<SourceTable> tables = new ArrayList<>();
    TableId root = new TableId("public", "root");
    if (partitions) {
      tables.add(new SourceTable(root, true, false, root, true, true, true));
    }
    for (int i = 0; i < number; i++) {
      TableId table = new TableId("public", "table_name_" + i);
      tables.add(
          new SourceTable(table, false, partitions, partitions ? root : table, true, true, true));
    }
    return tables;
  }
}
