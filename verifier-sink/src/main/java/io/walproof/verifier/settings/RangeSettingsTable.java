package io.walproof.verifier.settings;

import io.walproof.verifier.schedule.TableFilter;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;

/** The settings of range checks that nobody asks for one by one. */
public final class RangeSettingsTable {

  private static final long HOUR = 3_600_000L;
  private static final long DAY = 24 * HOUR;

  public static final Setting<Boolean> ON_RESUME =
      Setting.byDefault(
          "verify.range.on.resume",
          SettingType.flag(),
          "false",
          "Whether range checks run at each start.");

  public static final Setting<Duration> INTERVAL =
      Setting.byDefault(
          "verify.range.interval.ms",
          SettingType.millis(0, 30 * DAY),
          "0",
          "How long from one scheduled range check of all tables to the next; 0 is no schedule.");

  public static final Setting<Boolean> ON_DRIFT =
      Setting.byDefault(
          "verify.range.on.drift",
          SettingType.flag(),
          "false",
          "Whether a table that was created anew, or a gap, sets off range checks of the tables"
              + " concerned.");

  public static final Setting<Duration> DEADLINE =
      Setting.byDefault(
          "verify.range.deadline.ms",
          SettingType.millis(1, 30 * DAY),
          "21600000",
          "How long the unattended range check of one table may take; what is left then is"
              + " incomplete, and the next one continues.");

  public static final Setting<Integer> QUEUE_MAX =
      Setting.byDefault(
          "verify.range.queue.max",
          SettingType.count(1, 1_000_000),
          "10000",
          "How many tables may wait for their range check; what there is no room for is recorded as"
              + " incomplete.");

  public static final Setting<Duration> RETRY =
      Setting.byDefault(
          "verify.range.retry.ms",
          SettingType.millis(1, DAY),
          "30000",
          "How long to wait before range checks are tried again that could not begin.");

  public static final Setting<Integer> RETRIES_MAX =
      Setting.byDefault(
          "verify.range.retries.max",
          SettingType.count(0, 1_000_000),
          "10",
          "How often they are tried again before they are recorded as incomplete.");

  public static final Setting<URI> CLAIM_URL =
      Setting.<URI>unset(
              "verify.range.claim.url",
              new SettingType<>(
                  "a URL such as http://host:8083/connectors/NAME",
                  false,
                  RangeSettingsTable::connector),
              "Address of a Debezium connector at its Connect's REST interface: what its offsets"
                  + " claim is what unattended range checks check, instead of whole tables.")
          .limitingScope();

  public static final Setting<String> CLAIM_USER =
      Setting.unset(
          "verify.range.claim.user", SettingType.text(), "User there, for basic authentication.");

  public static final Setting<String> CLAIM_PASSWORD =
      Setting.unset("verify.range.claim.password", SettingType.secretText(), "Its password.");

  public static final Setting<Duration> CLAIM_TIMEOUT =
      Setting.byDefault(
          "verify.range.claim.timeout.ms",
          SettingType.millis(100, HOUR),
          "10000",
          "The longest that one request there may take.");

  public static final Setting<Boolean> CLAIM_INITIAL_SNAPSHOT =
      Setting.byDefault(
          "verify.range.claim.initial.snapshot",
          SettingType.flag(),
          "false",
          "Whether that connector's initial snapshot copied all of its tables; the offset of one that"
              + " streams does not show it, and claims nothing without this.");

  public static final Setting<ZoneId> CLAIM_ZONE =
      Setting.unset(
          "verify.range.claim.zone",
          new SettingType<>(
              "a time zone such as Pacific/Auckland", false, RangeSettingsTable::zone),
          "The time zone of that connector's JVM, where a cursor's key has a date that it decides.");

  public static final Setting<TableFilter> CLAIM_TABLES =
      Setting.unset(
          "verify.range.claim.tables",
          new SettingType<>(
              "regular expressions for schema.table, as in table.include.list",
              false,
              RangeSettingsTable::tables),
          "The tables that incremental snapshots of that connector copy. One that its cursor does not"
              + " list is claimed whole only if it is among these, or if the initial snapshot copied"
              + " all.");

  /** All of them, as a reference would list them. */
  public static final List<Setting<?>> ALL =
      List.of(
          ON_RESUME,
          INTERVAL,
          ON_DRIFT,
          DEADLINE,
          QUEUE_MAX,
          RETRY,
          RETRIES_MAX,
          CLAIM_URL,
          CLAIM_USER,
          CLAIM_PASSWORD,
          CLAIM_TIMEOUT,
          CLAIM_INITIAL_SNAPSHOT,
          CLAIM_TABLES,
          CLAIM_ZONE);

  private RangeSettingsTable() {}

  private static ZoneId zone(String text) {
    try {
      return ZoneId.of(text);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("must be a time zone such as Pacific/Auckland", e);
    }
  }

  private static TableFilter tables(String text) {
    // An empty list would let all tables through.
    if (text.replace(",", "").isBlank()) {
      throw new IllegalArgumentException("must be regular expressions with commas between");
    }
    return TableFilter.including(text);
  }

  private static URI connector(String text) {
    URI url = SettingType.httpUrl().parse(text);
    // A query may hold a secret, and there is none that belongs there.
    if (!String.valueOf(url.getPath()).matches(".*/connectors/[^/]+/?")
        || url.getRawQuery() != null) {
      throw new IllegalArgumentException(
          "must be the connector's own address, such as http://host:8083/connectors/NAME");
    }
    return url;
  }
}
