package io.walproof.standalone.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.entry;

import io.walproof.contract.TableId;
import io.walproof.verifier.row.ColumnSettings;
import io.walproof.verifier.row.TargetNames;
import io.walproof.verifier.schedule.ScheduleSettings;
import io.walproof.verifier.settings.JdbcSettings;
import io.walproof.verifier.settings.RangeSettingsTable;
import io.walproof.verifier.settings.Setting;
import io.walproof.verifier.settings.SettingsTable;
import io.walproof.verifier.settings.StatusSettingsTable;
import io.walproof.verifier.settings.VerifySettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {

  private static final SourceKeys SOURCE =
      new SourceKeys(
          key ->
              key.startsWith("database.")
                  || Set.of("slot.name", "table.include.list", "topic.prefix", "drift.accept.gap")
                      .contains(key),
          Set.of("slot.name", "table.include.list", "database.password"));

  private static final String LEAST =
      """
      database.hostname=source.example
      database.dbname=shop
      database.user=walproof
      database.password=pw-source
      verify.target.jdbc.url=jdbc:postgresql://target.example/shop?password=pw-url
      """;

  @TempDir Path dir;

  @Test
  void defaultsHold() throws IOException {
    Settings settings = load(LEAST);
    assertThat(settings.stateDirectory()).isEqualTo(Path.of("walproof-state"));
    assertThat(settings.shutdownTimeout()).isEqualTo(Duration.ofSeconds(30));
    VerifySettings verify = settings.verify();
    assertThat(verify.settle()).isEqualTo(Duration.ofSeconds(5));
    assertThat(verify.batchRows()).isEqualTo(5000);
    assertThat(verify.recheckDelay()).isEqualTo(Duration.ofMinutes(1));
    assertThat(verify.replayTimeout()).isEqualTo(Duration.ofMinutes(1));
    assertThat(verify.tableTimeout()).isEmpty();
    assertThat(verify.pendingMax()).isEqualTo(100_000);
    assertThat(verify.ignoredApps()).isEmpty();
    assertThat(verify.appColumn()).isEqualTo("app_pk");
    assertThat(verify.columns()).isEqualTo(ColumnSettings.NONE);
    assertThat(verify.confirmation()).isEqualTo("auto");
    assertThat(verify.subscription()).isEmpty();
    assertThat(verify.markerTable()).isEmpty();
  }

  @Test
  void everyDefaultIsAcceptedByItsOwnTypeAndEveryNameSaysItsUnit() {
    assertThat(SettingsTable.ALL).extracting(Setting::name).doesNotHaveDuplicates();
    for (Setting<?> setting : SettingsTable.ALL) {
      setting.defaultText().ifPresent(setting.type()::parse);
      assertThat(setting.description()).endsWith(".");
      assertThat(setting.name())
          .matches("(drift|verify|audit|state|shutdown|status|log)(\\.[a-z]+)+")
          .satisfies(
              name -> {
                assertThat(name.endsWith(".ms")).isEqualTo(bounds(setting, "milliseconds"));
                assertThat(name.endsWith(".bytes")).isEqualTo(bounds(setting, "bytes"));
              });
      if (setting.presence() instanceof Setting.Presence.Required required) {
        setting.type().parse(required.example());
      }
    }
  }

  private static boolean bounds(Setting<?> setting, String unit) {
    return setting.type().bounds().startsWith(unit);
  }

  /** The table names every constant of ours, so nothing can be left out of the reference. */
  @Test
  void theTableHoldsEveryConstant() {
    long constants =
        Stream.of(SettingsTable.class, RangeSettingsTable.class, StatusSettingsTable.class)
            .flatMap(table -> Arrays.stream(table.getFields()))
            .filter(field -> field.getType() == Setting.class)
            .count();
    assertThat(SettingsTable.ALL).hasSize((int) constants);
  }

  @Test
  void rangeChecksAreOffUnlessSomethingSetsThemOff() throws IOException {
    assertThat(load(LEAST).schedule().isOn()).isFalse();
    ScheduleSettings schedule =
        load(LEAST
                + """
                    verify.range.interval.ms=60000
                    verify.range.claim.url=https://connect:8083/connectors/pipe
                    verify.range.claim.user=reader
                    verify.range.claim.password=Hunter2
                    """)
            .schedule();
    assertThat(schedule.isOn()).isTrue();
    assertThat(schedule.interval()).contains(Duration.ofMinutes(1));
    assertThat(schedule.deadline()).isEqualTo(Duration.ofHours(6));
    assertThat(schedule.claims().orElseThrow().user()).contains("reader");
    assertThat(schedule.toString()).doesNotContain("Hunter2");
    assertThatThrownBy(() -> load(LEAST + "verify.range.claim.password=Hunter2\n"))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("verify.range.claim.url")
        .hasMessageNotContaining("Hunter2");
  }

  /** An empty list of the connector's lets all tables through, which would accuse them all. */
  @Test
  void tablesThatAreCopiedAreNamed() throws IOException {
    TableId orders = new TableId("public", "orders");
    assertThat(load(LEAST).schedule().known().copied().test(orders)).isFalse();
    Predicate<TableId> copied =
        load(LEAST + "verify.range.claim.tables=public.(orders|lines)\n")
            .schedule()
            .known()
            .copied();
    assertThat(copied.test(orders)).isTrue();
    assertThat(copied.test(new TableId("public", "others"))).isFalse();
    for (String none : List.of("", ",", " , ", "(")) {
      assertThatThrownBy(() -> load(LEAST + "verify.range.claim.tables=" + none + "\n"))
          .as(none)
          .isInstanceOf(SettingsException.class)
          .hasMessageContaining("verify.range.claim.tables");
    }
  }

  @Test
  void publicationsOfThePipelineAreNames() throws IOException {
    assertThat(load(LEAST).verify().publications()).isEmpty();
    Settings named = load(LEAST + "verify.pipeline.publication=pipeline, Other one\n");
    assertThat(named.verify().publications()).containsExactly("pipeline", "Other one");
    assertThat(named.scope()).containsEntry("verify.pipeline.publication", "pipeline, Other one");
    assertThatThrownBy(() -> load(LEAST + "verify.pipeline.publication=a,,b\n"))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("verify.pipeline.publication");
  }

  @Test
  void whatIsSetIsRead() throws IOException {
    Settings settings =
        load(
            LEAST
                + """
                # a comment
                state.dir = /var/lib/walproof
                verify.source.user=reader
                verify.source.password= with spaces\\
                   joined
                verify.target.user=checker
                verify.ignore.apps= 42 , 7,7
                verify.table.timeout.ms=1500
                verify.replay.confirmation=marker_table
                verify.marker.table=public."Marker"
                verify.app.column=owner_\u00fc
                """);
    assertThat(settings.stateDirectory()).isEqualTo(Path.of("/var/lib/walproof"));
    assertThat(settings.sourceDatabase())
        .isEqualTo(
            new JdbcSettings(
                "jdbc:postgresql://source.example:5432/shop", "reader", "with spacesjoined"));
    assertThat(settings.targetDatabase().user()).isEqualTo("checker");
    assertThat(settings.verify().ignoredApps()).containsExactly(7L, 42L);
    assertThat(settings.verify().tableTimeout()).contains(Duration.ofMillis(1500));
    assertThat(settings.verify().markerTable()).contains(new TableId("public", "Marker"));
    assertThat(settings.verify().appColumn()).isEqualTo("owner_\u00fc");
  }

  @Test
  void theSourceIsReadWhereItIsStreamedAndAsSafely() throws IOException {
    Settings settings =
        load(
            LEAST.replace("source.example", "2001:db8::1").replace("dbname=shop", "dbname=my shop?")
                + """
                database.port=6543
                database.sslmode=verify-full
                database.sslrootcert=/etc/ca&b.pem
                """);
    assertThat(settings.sourceDatabase())
        .isEqualTo(
            new JdbcSettings(
                "jdbc:postgresql://[2001:db8::1]:6543/my+shop%3F?sslmode=verify-full&sslrootcert=%2Fetc%2Fca%26b.pem",
                "walproof", "pw-source"));
  }

  @Test
  void aPasswordIsNotGivenToAnotherUser() throws IOException {
    assertThat(load(LEAST + "verify.source.user=other\n").sourceDatabase().password()).isEmpty();
  }

  @Test
  void theConnectorGetsItsOwnSettingsAndDriftAndNothingElse() throws IOException {
    Settings settings =
        load(
            LEAST
                + """
                slot.name=walproof
                drift.history.versions.max=5
                drift.accept.gap=true
                verify.settle.ms=1
                """);
    assertThat(settings.connector())
        .containsOnlyKeys(
            "database.hostname",
            "database.dbname",
            "database.user",
            "database.password",
            "slot.name",
            "drift.history.versions.max",
            "drift.accept.gap");
  }

  @Test
  void theScopeShowsLimitsAndNoSecret() throws IOException {
    Settings settings = load(LEAST + "verify.settle.ms=1\ntable.include.list=public.orders\n");
    assertThat(settings.scope())
        .contains(
            entry("verify.settle.ms", "1"),
            entry("verify.recheck.delay.ms", "60000"),
            entry("table.include.list", "public.orders"),
            entry("drift.policy", "report"));
    assertThat(settings.scope().toString()).doesNotContain("pw-");
    assertThat(settings.toString()).doesNotContain("pw-").doesNotContain("target.example");
    assertThat(settings.targetDatabase().toString()).doesNotContain("pw-");
  }

  @Test
  void everyProblemIsToldAtOnceWithItsLineAndRemedyAndWithoutAnyValue() {
    List<String> problems =
        problems(
            """
            database.hostname=source.example
            verify.setle.ms=1000
            verify.batch.rows=many-secret-rows
            verify.target.pasword=hunter2
            slot.nmae=walproof
            something.else=hunter2
            verify.ignore.apps=1,,2
            drift.policy=quarantine
            verify.target.jdbc.url=hunter2
            verify.batch.rows=7
            hunter2-without-separator
            verify.app.column=
            """);
    assertThat(problems)
        .containsExactlyInAnyOrder(
            "line 2: there is no setting 'verify.setle.ms'; did you mean 'verify.settle.ms'?",
            "line 3: 'verify.batch.rows' must be a whole number, 1 to 100000",
            "line 4: there is no setting 'verify.target.pasword'; did you mean"
                + " 'verify.target.password'?",
            "line 5: there is no setting 'slot.nmae'; did you mean 'slot.name'?",
            "line 6: there is no setting 'something.else'; remove the line",
            "line 7: 'verify.ignore.apps' entry 2 of 3 is empty: remove the surplus comma; the form"
                + " is 7,42",
            "line 8: 'drift.policy' must be report, evolve, halt or dlq",
            "line 9: 'verify.target.jdbc.url' must be a URL such as"
                + " jdbc:postgresql://host:5432/database",
            "line 10: 'verify.batch.rows' is set already in line 3; keep one",
            "line 11: not of the form key=value",
            "line 12: 'verify.app.column' must be a text; remove the line to leave it unset",
            "the source is not named: set 'database.hostname' and 'database.dbname' (and"
                + " 'verify.source.jdbc.url' if rows are read elsewhere)");
    assertThat(String.join("\n", problems)).doesNotContain("hunter2").doesNotContain("many-secret");
  }

  @Test
  void columnsAreReadAsPeopleWriteThem() throws IOException {
    VerifySettings verify =
        load(LEAST
                + "verify.columns.exclude=public.Orders.Note, \"a.b\".\"c,d\".\"E=\"\n"
                + "verify.column.rules=public.orders.j = json_as_jsonb\n")
            .verify();
    assertThat(verify.columns().excluded())
        .isEqualTo(
            Map.of(
                new TableId("public", "orders"), Set.of("note"),
                new TableId("a.b", "c,d"), Set.of("E=")));
    assertThat(verify.columns().rules())
        .isEqualTo(Map.of(new TableId("public", "orders"), Map.of("j", "json_as_jsonb")));
    for (String wrong : List.of("orders.note", "public.orders", "public.orders.", "a.b.c.d", ",")) {
      assertThat(problems(LEAST + "verify.columns.exclude=" + wrong + "\n"))
          .singleElement()
          .asString()
          .contains("must name columns as schema.table.column");
    }
    assertThat(problems(LEAST + "verify.column.rules=public.orders.j=jsonb\n"))
        .singleElement()
        .asString()
        .contains("the rules are char_without_padding, exact_text, json_as_jsonb");
  }

  @Test
  void namesOfTheTargetAreReadAsPeopleWriteThem() throws IOException {
    assertThat(load(LEAST).verify().names()).isEqualTo(TargetNames.SAME);
    TargetNames names =
        load(LEAST
                + "verify.schema.mapping=public:DWH\n"
                + "verify.table.mapping=public.Orders : dwh.\"a:b\"\n"
                + "verify.column.mapping=public.orders.total:amount, public.orders.\"N=\":n\n")
            .verify()
            .names();
    TableId orders = new TableId("public", "orders");
    assertThat(names.table(orders)).contains(new TableId("dwh", "a:b"));
    assertThat(names.table(new TableId("public", "x"))).contains(new TableId("dwh", "x"));
    assertThat(names.columns(orders)).isEqualTo(Map.of("total", "amount", "N=", "n"));
    assertThat(problems(LEAST + "verify.table.mapping=public.a:dwh.x,public.b:dwh.x\n"))
        .singleElement()
        .asString()
        .contains("'verify.table.mapping' must not lead from two tables of the source to one");
    assertThat(problems(LEAST + "verify.column.mapping=orders.total:amount\n"))
        .singleElement()
        .asString()
        .contains("'verify.column.mapping' must be schema.table.column:column");
  }

  @Test
  void whatIsRequiredIsNamedWithAnExample() {
    assertThat(problems("database.hostname=h\ndatabase.dbname=d\n"))
        .containsExactly(
            "'verify.target.jdbc.url' is missing; add a line such as"
                + " verify.target.jdbc.url=jdbc:postgresql://host:5432/database");
    assertThat(problems(LEAST + "verify.replay.confirmation=marker_table\n"))
        .singleElement()
        .asString()
        .contains("needs 'verify.marker.table'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "1,", ",1", "1,,2", "foo", "1.5", "9223372036854775808"})
  void badIgnoredAppsNameTheKeyAndTheRemedy(String apps) {
    assertThat(problems(LEAST + "verify.ignore.apps=" + apps + "\n"))
        .singleElement()
        .asString()
        .startsWith("line 6: 'verify.ignore.apps' entry ")
        .matches(".*(such as 7,42|form is 7,42|largest id is 9223372036854775807)");
  }

  @ParameterizedTest
  @CsvSource({
    "verify.batch.rows, 0, 100001",
    "verify.settle.ms, -1, 3600001",
    "verify.replay.timeout.ms, 0, 86400001",
    "verify.pending.max, 0, 99999999999999999999",
    "drift.history.max.bytes, 4095, 67108865"
  })
  void boundsAreKept(String key, String below, String above) {
    for (String value : List.of(below, above)) {
      assertThat(problems(LEAST + key + "=" + value + "\n"))
          .singleElement()
          .asString()
          .contains("'" + key + "' must be");
    }
  }

  @Test
  void aFileThatCannotBeReadIsNamed() throws IOException {
    Path absent = dir.resolve("absent.properties");
    assertThatThrownBy(() -> Settings.load(absent, SOURCE))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining(absent.toString())
        .hasMessageContaining("no such file");
    Path latin = dir.resolve("latin.properties");
    Files.write(latin, "verify.app.column=\u00fc".getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(() -> Settings.load(latin, SOURCE)).hasMessageContaining("not UTF-8");
    assertThatThrownBy(() -> Settings.load(dir, SOURCE)).hasMessageContaining("a directory");
  }

  private Settings load(String text) throws IOException {
    Path file = dir.resolve("walproof.properties");
    Files.writeString(file, text);
    return Settings.load(file, SOURCE);
  }

  private List<String> problems(String text) {
    SettingsException e = catchThrowableOfType(SettingsException.class, () -> load(text));
    assertThat(e).hasMessageContaining("walproof.properties");
    return e.problems();
  }

  @Test
  void aPagesAddressIsOneThatABrowserTakes() {
    assertThat(StatusListen.of("127.0.0.1:0", Optional.empty()).url(9187))
        .isEqualTo("http://127.0.0.1:9187/");
    StatusListen six = StatusListen.of("[::1]:9187", Optional.empty());
    assertThat(six.url(9187)).isEqualTo("http://[::1]:9187/");
    assertThat(six).hasToString("[::1]:9187");
  }
}
