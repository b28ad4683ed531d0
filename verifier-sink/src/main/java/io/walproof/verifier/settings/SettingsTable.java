package io.walproof.verifier.settings;

import io.walproof.contract.TableId;
import io.walproof.verifier.row.ColumnSettings;
import io.walproof.verifier.row.RowSettings;
import io.walproof.verifier.row.TargetNames;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.stream.Stream;

/** Every setting of ours, once: name, type, bounds, default, meaning. */
public final class SettingsTable {

  private static final long HOUR = 3_600_000L;
  private static final long DAY = 24 * HOUR;

  public static final Setting<Path> STATE_DIR =
      Setting.byDefault(
          "state.dir",
          SettingType.path(),
          "walproof-state",
          "Directory for offsets and the audit; one process at a time may hold it.");

  public static final Setting<Duration> SHUTDOWN_TIMEOUT =
      Setting.byDefault(
          "shutdown.timeout.ms",
          SettingType.millis(1, HOUR),
          "30000",
          "How long the end of a run may take, pending keys' records included.");

  public static final Setting<Integer> AUDIT_ROTATE_BYTES =
      Setting.byDefault(
          "audit.rotate.bytes",
          SettingType.bytes(65_536, Integer.MAX_VALUE),
          "1073741824",
          "Size at which the audit file is closed, under its name with the number of its first record,"
              + " and the next begun, in which the chain goes on. Closed files are never deleted; they"
              + " belong together.");

  public static final Setting<String> TARGET_URL =
      Setting.required(
          "verify.target.jdbc.url",
          SettingType.jdbcUrl(),
          "jdbc:postgresql://host:5432/database",
          "The target database.");

  public static final Setting<String> TARGET_USER =
      Setting.unset(
          "verify.target.user", SettingType.text(), "Role on the target; it needs SELECT.");

  public static final Setting<String> TARGET_PASSWORD =
      Setting.unset("verify.target.password", SettingType.secretText(), "Its password.");

  public static final Setting<String> SOURCE_URL =
      Setting.derived(
          "verify.source.jdbc.url",
          SettingType.jdbcUrl(),
          "database.hostname, database.port, database.dbname, database.ssl*",
          "The source database for reading rows, where it differs from the one that is streamed.");

  public static final Setting<String> SOURCE_USER =
      Setting.derived(
          "verify.source.user",
          SettingType.text(),
          "database.user",
          "Role on the source for reading rows.");

  public static final Setting<String> SOURCE_PASSWORD =
      Setting.derived(
          "verify.source.password",
          SettingType.secretText(),
          "database.password, if verify.source.user is not set",
          "Its password.");

  public static final Setting<Duration> CONNECT_TIMEOUT =
      Setting.byDefault(
          "verify.connect.timeout.ms",
          SettingType.millis(100, HOUR),
          "10000",
          "How long to try for a connection to either side.");

  public static final Setting<Duration> READ_TIMEOUT =
      Setting.byDefault(
          "verify.read.timeout.ms",
          SettingType.millis(100, HOUR),
          "60000",
          "The longest that one statement on either side may run.");

  public static final Setting<Duration> SETTLE =
      Setting.byDefault(
              "verify.settle.ms",
              SettingType.millis(0, HOUR),
              "5000",
              "A key is first read no earlier than this after its commit.")
          .limitingScope();

  public static final Setting<Integer> BATCH_ROWS =
      Setting.byDefault(
          "verify.batch.rows",
          SettingType.count(1, 100_000),
          "5000",
          "How many keys are read at once on one side.");

  public static final Setting<Integer> ROW_MAX_BYTES =
      Setting.byDefault(
              "verify.row.max.bytes",
              SettingType.bytes(1024, 1 << 30),
              Integer.toString(RowSettings.ROW_MAX_BYTES),
              "A longer row, as text, is not fetched; its key ends as incomplete. One that is read"
                  + " takes about five times its length of heap.")
          .limitingScope();

  public static final Setting<Duration> RECHECK_DELAY =
      Setting.byDefault(
              "verify.recheck.delay.ms",
              SettingType.millis(0, DAY),
              "60000",
              "How long a mismatch is held before its one recheck.")
          .limitingScope();

  public static final Setting<Duration> REPLAY_TIMEOUT =
      Setting.byDefault(
              "verify.replay.timeout.ms",
              SettingType.millis(1, DAY),
              "60000",
              "How long a recheck waits for replay to pass its boundary.")
          .limitingScope();

  public static final Setting<Duration> TABLE_TIMEOUT =
      Setting.byDefault(
              "verify.table.timeout.ms",
              SettingType.millis(0, DAY),
              "0",
              "How long reads and replay waits of one table may take in a round; 0 is no limit.")
          .limitingScope();

  public static final Setting<Integer> PENDING_MAX =
      Setting.byDefault(
          "verify.pending.max",
          SettingType.count(1, 10_000_000),
          "100000",
          "How many keys may wait for a read or a recheck; then the source is paused.");

  public static final Setting<Integer> DIVERTED_MAX =
      Setting.byDefault(
          "verify.diverted.max",
          SettingType.count(1, 10_000_000),
          "100000",
          "How many keys of diverted tables are kept until their shapes are accepted; further ones"
              + " are recorded and not kept.");

  public static final Setting<Integer> VERSIONS_BYTES =
      Setting.byDefault(
              "verify.versions.max.bytes",
              SettingType.bytes(0, 1 << 30),
              "0",
              "About how much heap hashes of the versions of pending rows may take, by which rows that"
                  + " keep changing are decided instead of advanced; 0 keeps none.")
          .limitingScope();

  public static final Setting<Duration> VERSIONS_TIMEOUT =
      Setting.byDefault(
          "verify.versions.timeout.ms",
          SettingType.millis(1, HOUR),
          "10000",
          "How long a recheck that needs versions waits until the stream of changes has passed the"
              + " target's read.");

  public static final Setting<SortedSet<Long>> IGNORED_APPS =
      Setting.byDefault(
          "verify.ignore.apps",
          SettingType.ignoredApps(),
          "",
          "Applications whose mismatches are recorded as ignored_app and are no failures.");

  public static final Setting<String> APP_COLUMN =
      Setting.byDefault(
              "verify.app.column",
              SettingType.text(),
              "app_pk",
              "The column of source rows that names the application.")
          .limitingScope();

  public static final Setting<Map<TableId, Set<String>>> COLUMNS_EXCLUDE =
      Setting.byDefault(
              ColumnSettings.EXCLUDE,
              SettingType.excludedColumns(),
              "",
              "Columns that are not compared; the target may lack them.")
          .limitingScope();

  public static final Setting<Map<TableId, Map<String, String>>> COLUMN_RULES =
      Setting.byDefault(
              ColumnSettings.RULES,
              SettingType.columnRules(),
              "",
              "Rules that columns are compared by, instead of the one that their types have.")
          .limitingScope();

  public static final Setting<Map<String, String>> SCHEMA_MAPPING =
      Setting.byDefault(
              TargetNames.SCHEMAS,
              SettingType.mapping("schema:schema", TargetNames::parseSchemas),
              "",
              "Schemas that have another name on the target.")
          .limitingScope();

  public static final Setting<Map<TableId, TableId>> TABLE_MAPPING =
      Setting.byDefault(
              TargetNames.TABLES,
              SettingType.mapping("schema.table:schema.table", TargetNames::parseTables),
              "",
              "Tables that have another name on the target, whatever verify.schema.mapping says.")
          .limitingScope();

  public static final Setting<Map<TableId, Map<String, String>>> COLUMN_MAPPING =
      Setting.byDefault(
              TargetNames.COLUMNS,
              SettingType.mapping("schema.table.column:column", TargetNames::parseColumns),
              "",
              "Columns that have another name on the target; the table's name is the source's.")
          .limitingScope();

  public static final Setting<String> CONFIRMATION =
      Setting.byDefault(
          "verify.replay.confirmation",
          SettingType.choice(
              List.of("auto", "subscription", "standby", "marker_table", "kafka_sink", "none")),
          "auto",
          "How replay is confirmed; auto picks what it can prove. kafka_sink is for the sink"
              + " connector.");

  public static final Setting<String> SUBSCRIPTION =
      Setting.unset(
          "verify.replay.subscription",
          SettingType.text(),
          "The one subscription of the target to look at; all of its database's if not set.");

  public static final Setting<List<String>> PIPELINE_PUBLICATION =
      Setting.<List<String>>unset(
              "verify.pipeline.publication",
              SettingType.names(),
              "The publications on the source that the pipeline reads, where that is not what the"
                  + " target subscribes to: checks go by their tables, column lists and row filters.")
          .limitingScope();

  public static final Setting<Duration> REPLAY_POLL =
      Setting.byDefault(
          "verify.replay.poll.ms",
          SettingType.millis(1, 60_000),
          "100",
          "How long to wait between two looks at replay's position.");

  public static final Setting<TableId> MARKER_TABLE =
      Setting.unset(
          "verify.marker.table",
          SettingType.table(),
          "The table that confirmation marker_table writes to, on the source.");

  public static final Setting<Duration> SUMMARY_INTERVAL =
      Setting.byDefault(
          "verify.summary.interval.ms",
          SettingType.millis(100, DAY),
          "60000",
          "How often the counts so far are recorded.");

  public static final Setting<Duration> COMMIT_INTERVAL =
      Setting.byDefault(
          "verify.commit.interval.ms",
          SettingType.millis(10, HOUR),
          "1000",
          "How often the offset is written, up to the last change with nothing undecided before it.");

  public static final Setting<String> DRIFT_POLICY =
      Setting.byDefault(
              "drift.policy",
              new SettingType<>("report", false, SettingsTable::policy),
              "report",
              "What is done about a changed shape: report, evolve, halt or dlq.")
          .limitingScope();

  public static final Setting<Integer> HISTORY_VERSIONS =
      Setting.byDefault(
          "drift.history.versions.max",
          SettingType.count(1, 1000),
          "10",
          "How many shapes of a table the position keeps.");

  public static final Setting<Integer> HISTORY_BYTES =
      Setting.byDefault(
          "drift.history.max.bytes",
          SettingType.bytes(4096, 64 * 1024 * 1024),
          "524288",
          "How long the schema history in the position may be.");

  public static final Setting<Integer> RANGE_CHUNK_ROWS =
      Setting.byDefault(
          "verify.range.chunk.rows",
          SettingType.count(1, 1_000_000),
          "100000",
          "How many rows a range check reads in one transaction at most.");

  public static final Setting<Integer> RANGE_CHUNK_BYTES =
      Setting.byDefault(
          "verify.range.chunk.bytes",
          SettingType.bytes(1, 1024 * 1024 * 1024),
          "67108864",
          "About how many bytes a range check reads in one transaction at most.");

  public static final Setting<String> RANGE_DIGEST =
      Setting.byDefault(
          "verify.range.digest",
          SettingType.choice(List.of("client", "server", "auto")),
          "auto",
          "Where a range check digests rows: here, in PostgreSQL, or where a short trial is faster.");

  public static final Setting<Duration> RANGE_RESUME_AGE =
      Setting.byDefault(
          "verify.range.resume.max.age.ms",
          SettingType.millis(0, 30 * DAY),
          "21600000",
          "A range check continues an earlier one of the same range that left something open, unless"
              + " that began longer ago.");

  public static final Setting<Integer> RANGE_KEYS_MAX =
      Setting.byDefault(
          "verify.range.keys.max",
          SettingType.count(0, 100_000),
          "20",
          "How many keys of each kind a range report names; all are counted, and failing ones are in"
              + " the audit.");

  public static final Setting<Boolean> RANGE_EXACT =
      Setting.byDefault(
          "verify.range.exact",
          SettingType.flag(),
          "false",
          "Whether a range check looks for evidence that nobody writes to a table meanwhile, which"
              + " takes a temporary slot on the source for as long.");

  public static final Setting<Double> DUTY_CYCLE =
      Setting.byDefault(
          "verify.duty.cycle",
          SettingType.part(0.01),
          "1",
          "Which part of the time a range check reads from each side; it rests for the others.");

  public static final Setting<String> STATUS_LISTEN =
      Setting.unset(
          "status.listen",
          SettingType.text(),
          "host:port at which a run serves its status page, /api/status and /metrics; off if not"
              + " set. Anything but loopback needs status.token.");

  public static final Setting<String> STATUS_TOKEN =
      Setting.unset(
          "status.token",
          SettingType.secretText(),
          "What clients of status.listen must send, as a bearer token or as a password: 16 characters or"
              + " more.");

  public static final Setting<String> LOG_LEVEL =
      Setting.byDefault(
          "log.level",
          SettingType.choice(List.of("error", "warn", "info", "debug", "trace")),
          "info",
          "What the command logs to standard error; --log-level comes first. Libraries log one level"
              + " less.");

  public static final Setting<String> LOG_FORMAT =
      Setting.byDefault(
          "log.format",
          SettingType.choice(List.of("text", "json")),
          "text",
          "How the command writes to standard error: lines for people, or one JSON object each;"
              + " --log-format comes first.");

  /** All of them, as a reference would list them. */
  public static final List<Setting<?>> ALL =
      Stream.<List<Setting<?>>>of(
              List.of(
                  STATE_DIR,
                  SHUTDOWN_TIMEOUT,
                  AUDIT_ROTATE_BYTES,
                  TARGET_URL,
                  TARGET_USER,
                  TARGET_PASSWORD,
                  SOURCE_URL,
                  SOURCE_USER,
                  SOURCE_PASSWORD,
                  CONNECT_TIMEOUT,
                  READ_TIMEOUT,
                  SETTLE,
                  BATCH_ROWS,
                  ROW_MAX_BYTES,
                  RECHECK_DELAY,
                  REPLAY_TIMEOUT,
                  TABLE_TIMEOUT,
                  PENDING_MAX,
                  DIVERTED_MAX,
                  VERSIONS_BYTES,
                  VERSIONS_TIMEOUT,
                  IGNORED_APPS,
                  APP_COLUMN,
                  COLUMNS_EXCLUDE,
                  COLUMN_RULES,
                  SCHEMA_MAPPING,
                  TABLE_MAPPING,
                  COLUMN_MAPPING,
                  CONFIRMATION,
                  SUBSCRIPTION,
                  PIPELINE_PUBLICATION,
                  REPLAY_POLL,
                  MARKER_TABLE,
                  SUMMARY_INTERVAL,
                  COMMIT_INTERVAL,
                  RANGE_CHUNK_ROWS,
                  RANGE_CHUNK_BYTES,
                  RANGE_DIGEST,
                  RANGE_RESUME_AGE,
                  RANGE_KEYS_MAX,
                  RANGE_EXACT,
                  DUTY_CYCLE),
              RangeSettingsTable.ALL,
              List.of(DRIFT_POLICY, HISTORY_VERSIONS, HISTORY_BYTES, STATUS_LISTEN, STATUS_TOKEN),
              List.of(LOG_LEVEL, LOG_FORMAT),
              StatusSettingsTable.ALL)
          .flatMap(List::stream)
          .toList();

  private SettingsTable() {}

  private static String policy(String text) {
    if (!List.of("report", "evolve", "halt", "dlq").contains(text)) {
      throw new IllegalArgumentException("must be report, evolve, halt or dlq");
    }
    return text;
  }
}
