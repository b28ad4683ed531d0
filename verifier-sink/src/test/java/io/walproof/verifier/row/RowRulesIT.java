package io.walproof.verifier.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.embedded.PostgresServer;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.database.DatabaseSettings;
import io.walproof.verifier.database.Databases;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.RowHash;
import io.walproof.verifier.model.Side;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Row equality of section 11 on real values. */
@ParameterizedClass
@MethodSource("io.walproof.embedded.Majors#underTest")
class RowRulesIT {

  private static TwoDatabases db;

  RowRulesIT(int major) {
    assertThat(major).isPositive();
  }

  @BeforeParameterizedClassInvocation
  static void start(int major) throws Exception {
    db = new TwoDatabases(major);
    // The target is set up to print everything differently.
    db.onTarget(
        "ALTER DATABASE there SET TimeZone = 'Asia/Tokyo'",
        "ALTER DATABASE there SET DateStyle = 'SQL, DMY'",
        "ALTER DATABASE there SET IntervalStyle = 'iso_8601'",
        "ALTER DATABASE there SET extra_float_digits = -10",
        "ALTER DATABASE there SET bytea_output = 'escape'",
        "ALTER DATABASE there SET xmloption = 'document'");
  }

  @AfterParameterizedClassInvocation
  static void stop() throws Exception {
    db.close();
  }

  private boolean equal(String type, String here, String there) throws Exception {
    return equal(type, here, type, there);
  }

  private boolean equal(String sourceType, String here, String targetType, String there)
      throws Exception {
    db.onBoth("DROP TABLE IF EXISTS vals");
    db.onSource(
        "CREATE TABLE vals (id int PRIMARY KEY, v " + sourceType + ")",
        "INSERT INTO vals VALUES (1, " + here + ")");
    db.onTarget(
        "CREATE TABLE vals (id int PRIMARY KEY, v " + targetType + ")",
        "INSERT INTO vals VALUES (1, " + there + ")");
    TablePlan plan = db.plan("public.vals", "id");
    assertThat(plan.columnsNotCompared()).isEmpty();
    return db.differing(plan, "1").isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      value = {
        "numeric;1.0;1.00",
        "numeric;'NaN';'NaN'",
        "numeric;-0.00;0",
        "float8;'-0';0",
        "float8;'NaN';'NaN'",
        "float8;0.1::float8+0.2::float8;0.30000000000000004",
        "float4;0.1;0.1",
        "char(5);'a';'a'",
        "money;1.5;'1.50'",
        "date;'0001-01-01';'0001-01-01'",
        "date;'1582-10-10';'1582-10-10'",
        "timestamptz;'2026-01-01 00:00+00';'2026-01-01 09:00+09'",
        "timestamp;'2026-03-29 02:30';'2026-03-29 02:30'",
        "interval;'1 day 2 hours';'1 day 02:00'",
        "bytea;'\\x00ff5c'::bytea;'\\x00ff5c'::bytea",
        "json;'{\"a\": 1}';'{\"a\": 1}'",
        "jsonb;'{\"b\":1,\"a\":2}';'{\"a\":2, \"b\":1}'",
        "text;'größe';'größe'",
        "text;repeat('x',1000000);repeat('x',1000000)",
        "text[];'{a,NULL,\"NULL\"}';'{a,NULL,\"NULL\"}'",
        "timestamptz[];ARRAY['2026-01-01 00:00+00'::timestamptz];ARRAY['2026-01-01 09:00+09'::timestamptz]",
        "xml;'<a/>'::xml;'<a/>'::xml",
        "text;NULL;NULL",
        "inet;'10.0.0.1';'10.0.0.1/32'",
        "oid;4294967295;4294967295",
        "tstzrange;'[2026-01-01 00:00+00,)';'[2026-01-01 09:00+09,)'",
        "timetz;'10:00+09';'10:00+09'",
        "point;'(1,2)';'(1,2)'"
      })
  void equalValues(String type, String here, String there) throws Exception {
    assertThat(equal(type, here, there)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      value = {
        "text;NULL;'NULL'",
        "text;NULL;''",
        "text;NULL;'\\N'",
        "text;'a';'a '",
        "text;'a';'A'",
        "numeric;'NaN';NULL",
        "numeric;'NaN';0",
        "numeric;1.0;1.01",
        "numeric;10;100",
        "float8;1;1.0000000000000002",
        "interval;'1 mon';'30 days'",
        "date;'0001-01-01';'0001-01-01 BC'",
        "timestamptz;'2026-01-01 00:00:00.000001+00';'2026-01-01 00:00:00+00'",
        "timetz;'10:00+09';'01:00+00'",
        "json;'{\"a\": 1}';'{\"a\":1}'",
        "jsonb;'{\"a\": 1.0}';'{\"a\": 1.00}'",
        "bytea;'\\x00'::bytea;''::bytea",
        "numeric[];'{1.0}';'{1.01}'",
        "text[];'{NULL}';'{\"NULL\"}'",
        "char(5);'a';'b'",
        "money;1.5;1.51"
      })
  void differentValues(String type, String here, String there) throws Exception {
    assertThat(equal(type, here, there)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      value = {
        "int2;7;int8;7;true",
        "int4;7;numeric;7.00;true",
        "int4;7;numeric(5,1);7.1;false",
        "money;12.5;numeric;12.50;true",
        "varchar(10);'a ';text;'a ';true",
        "varchar(10);'a ';text;'a';false",
        "char(5);'a';text;'a';true",
        "char(5);'a';text;'a    ';true",
        "text;'a';char(5);'a';true",
        "text;'a ';char(5);'a';false",
        "json;'{\"b\":1,\"a\":2}';jsonb;'{\"a\":2,\"b\":1}';true",
        "jsonb;'{\"b\":1}';json;'{\"b\" : 1}';true",
        "json;'{\"b\":1}';jsonb;'{\"b\":2}';false",
        "varchar(3);'abc';varchar(2);'ab';false"
      })
  void acrossTypes(String from, String here, String to, String there, boolean equal)
      throws Exception {
    assertThat(equal(from, here, to, there)).isEqualTo(equal);
  }

  @Test
  void enumsDomainsAndCompositesMatchByName() throws Exception {
    db.onSource("CREATE TYPE filler AS ENUM ('x')");
    db.onBoth(
        "CREATE TYPE mood AS ENUM ('sad', 'ok')",
        "CREATE DOMAIN positive AS int CHECK (VALUE > 0)",
        "CREATE TYPE pair AS (a int, b text)");
    assertThat(equal("mood", "'ok'", "mood", "'ok'")).isTrue();
    assertThat(equal("mood", "'ok'", "text", "'ok'")).isTrue();
    assertThat(equal("mood", "'ok'", "mood", "'sad'")).isFalse();
    assertThat(equal("positive", "5", "bigint", "5")).isTrue();
    assertThat(equal("pair", "'(1,x)'", "pair", "'(1,x)'")).isTrue();
    assertThat(equal("pair", "'(1,)'", "pair", "'(1,\"\")'")).isFalse();
  }

  /** V4. */
  @Test
  void valuesDoNotRunIntoEachOther() throws Exception {
    db.onBoth("CREATE TABLE runs (id int PRIMARY KEY, a text, b text)");
    db.onSource("INSERT INTO runs VALUES (1,'x0','y'), (2,'a,b',NULL), (3,E'\\t',E'\\x01')");
    db.onTarget("INSERT INTO runs VALUES (1,'x','0y'), (2,'a','b,'), (3,E'\\x01',E'\\t')");
    TablePlan plan = db.plan("public.runs", "id");
    assertThat(db.differing(plan, "1")).containsExactly("a", "b");
    assertThat(db.differing(plan, "2")).containsExactly("a", "b");
    assertThat(db.differing(plan, "3")).containsExactly("a", "b");
  }

  @Test
  void columnsOfOtherTypesAreNamedAndTheRestIsCompared() throws Exception {
    db.onSource(
        "CREATE TABLE apart (id int PRIMARY KEY, f float4, v text)",
        "INSERT INTO apart VALUES (1, 0.1, 'x')");
    db.onTarget(
        "CREATE TABLE apart (id int PRIMARY KEY, f float8, v text)",
        "INSERT INTO apart VALUES (1, 0.1, 'y')");
    TablePlan plan = db.plan("public.apart", "id");
    assertThat(plan.columnsNotCompared())
        .containsExactly("f: real on the source, double precision on the target");
    assertThat(plan.rules()).containsEntry("v", "exact_text").doesNotContainKey("f");
    assertThat(db.differing(plan, "1")).containsExactly("v");
    db.onBoth("CREATE TABLE odd (id int PRIMARY KEY)");
    db.onTarget("ALTER TABLE odd ALTER id TYPE text");
    assertThat(db.opening("public.odd", "id"))
        .isInstanceOfSatisfying(
            RowAccess.Opening.Unavailable.class,
            u -> assertThat(u.reason()).isEqualTo(IncompleteReason.NOT_COMPARABLE));
  }

  @Test
  void aValueThatCannotBeConvertedHidesNoOtherRow() throws Exception {
    db.onSource(
        "CREATE TABLE conv (id int PRIMARY KEY, v json)",
        "INSERT INTO conv SELECT g, CASE g WHEN 3 THEN '{\"a\":\"\\u0000\"}' ELSE '{}' END::json"
            + " FROM generate_series(1,6) g");
    db.onTarget(
        "CREATE TABLE conv (id int PRIMARY KEY, v jsonb)",
        "INSERT INTO conv SELECT g, '{}' FROM generate_series(1,6) g");
    TablePlan plan = db.plan("public.conv", "id");
    List<KeyRead> rows = db.read(Side.SOURCE, plan, "1", "2", "3", "4", "5", "6");
    for (int i = 0; i < rows.size(); i++) {
      if (i == 2) {
        assertThat(rows.get(i))
            .isInstanceOfSatisfying(
                KeyRead.Unreadable.class,
                u -> assertThat(u.reason()).isEqualTo(IncompleteReason.NOT_COMPARABLE));
      } else {
        assertThat(rows.get(i)).isInstanceOf(KeyRead.Found.class);
      }
    }
    assertThat(db.differing(plan, "1", "6")).isEmpty();
  }

  /** Another encoding holds the same text; bytes that are no text at all are not comparable. */
  @Test
  void encodings() throws Exception {
    PostgresServer server = db.server;
    server.execute(
        "postgres",
        "CREATE DATABASE latin ENCODING 'WIN1252' LOCALE 'C' TEMPLATE template0",
        "CREATE DATABASE ascii ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0");
    db.onSource(
        "CREATE TABLE enc (id int PRIMARY KEY, v text)",
        "INSERT INTO enc VALUES (1, 'größe'), (2, 'plain'), (3, 'größe')");
    server.execute(
        "latin",
        "CREATE TABLE enc (id int PRIMARY KEY, v text)",
        "INSERT INTO enc VALUES (1, 'größe'), (2, 'plain'), (3, 'grösse')");
    server.execute(
        "ascii",
        "CREATE TABLE enc (id int PRIMARY KEY, v text)",
        "INSERT INTO enc VALUES (1, 'größe'), (2, 'plain'), (3, 'x')",
        "UPDATE enc SET v = convert_from('\\xff41'::bytea, 'SQL_ASCII') WHERE id = 3");
    members(server);
    List<String> latin = outcomes("latin");
    assertThat(latin).containsExactly("equal", "equal", "different");
    assertThat(outcomes("ascii")).containsExactly("equal", "equal", "NOT_COMPARABLE");
  }

  /**
   * jsonb and hstore sort their members by length in bytes: "é" has one in WIN1252, two in UTF8.
   * tsvector sorts by the bytes: "€" is 80 and "é" e9 in WIN1252, and they change places in UTF8.
   */
  private static void members(PostgresServer server) throws Exception {
    for (String database : List.of("here", "latin")) {
      server.execute(
          database,
          "CREATE EXTENSION hstore",
          "ALTER TABLE enc ADD j jsonb, ADD js jsonb[], ADD h hstore, ADD t tsvector,"
              + " ADD ts tsvector[]",
          "UPDATE enc SET j = '{\"aa\": [{\"é\": 1, \"bb\": 2}], \"é\": 2}', h = 'aa=>1, é=>NULL',"
              + " js = ARRAY['{\"aa\": 1, \"é\": 2}'::jsonb], t = 'é:1A,2 € x',"
              + " ts = ARRAY['é €:1'::tsvector]");
    }
    assertThat(printed("here")).isEqualTo("'x' 'é':1A,2 '€'");
    assertThat(printed("latin")).isEqualTo("'x' '€' 'é':1A,2");
    server.execute("latin", "UPDATE enc SET j = '{\"aa\": 2, \"é\": 1}' WHERE id = 3");
    server.execute(
        "ascii",
        "CREATE EXTENSION hstore",
        "ALTER TABLE enc ADD j jsonb, ADD js jsonb[], ADD h hstore, ADD t tsvector,"
            + " ADD ts tsvector[]",
        "UPDATE enc SET j = '{\"é\": 2, \"aa\": [{\"bb\": 2, \"é\": 1}]}', h = 'é=>NULL,aa=>1',"
            + " js = ARRAY['{\"é\": 2, \"aa\": 1}'::jsonb], t = 'é:1A,2 € x',"
            + " ts = ARRAY['é €:1'::tsvector] WHERE id < 3");
  }

  private static String printed(String database) throws Exception {
    try (Connection connection = db.server.connect(database);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT t FROM enc WHERE id = 1")) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }

  private static List<String> outcomes(String database) throws Exception {
    try (Database other =
        Databases.open(
            DatabaseSettings.of(
                Side.TARGET, db.server.jdbcUrl(database), PostgresServer.SUPERUSER, ""),
            Time.system())) {
      RowAccess access =
          RowAccesses.create(db.source, other, RowSettings.defaults(), Time.system());
      TablePlan plan =
          ((RowAccess.Opening.Ready)
                  access.open(
                      TableId.parse("public.enc"),
                      List.of("id"),
                      TwoDatabases.soon(),
                      new Cancellation()))
              .plan();
      List<String> outcomes = new ArrayList<>();
      for (String id : List.of("1", "2", "3")) {
        var keys = List.of(TwoDatabases.key(List.of("id"), id));
        KeyRead here =
            TwoDatabases.rows(
                    access.read(Side.SOURCE, plan, keys, TwoDatabases.soon(), new Cancellation()))
                .get(0);
        KeyRead there =
            TwoDatabases.rows(
                    access.read(Side.TARGET, plan, keys, TwoDatabases.soon(), new Cancellation()))
                .get(0);
        outcomes.add(
            there instanceof KeyRead.Unreadable unreadable
                ? unreadable.reason().toString()
                : ((KeyRead.Found) here).hash().equals(((KeyRead.Found) there).hash())
                    ? "equal"
                    : "different");
      }
      return outcomes;
    }
  }

  /** 100 units are 100 yen to one database and 1.00 to the other, whatever our own locale is. */
  @Test
  void moneyOfDatabasesWithOtherDecimals() throws Exception {
    assumeTrue(
        knowsYen(), "no locale ja_JP.UTF-8 is installed: money without decimals is not tried");
    db.onBoth(
        "CREATE TABLE prices (id int PRIMARY KEY, m money)", "INSERT INTO prices VALUES (1, 7)");
    assertThat(db.plan("public.prices", "id").columnsNotCompared()).isEmpty();
    db.onSource("ALTER DATABASE here SET lc_monetary = 'ja_JP.UTF-8'");
    try (Database yen = db.open(Side.SOURCE, PostgresServer.SUPERUSER, "")) {
      RowAccess access = RowAccesses.create(yen, db.target, RowSettings.defaults(), Time.system());
      assertThat(prices(access).columnsNotCompared())
          .singleElement()
          .asString()
          .startsWith("m: money on the source, money on the target")
          .contains("lc_monetary");
      db.onTarget("ALTER DATABASE there SET lc_monetary = 'ja_JP.UTF-8'");
      try (Database yenToo = db.open(Side.TARGET, PostgresServer.SUPERUSER, "")) {
        access = RowAccesses.create(yen, yenToo, RowSettings.defaults(), Time.system());
        assertThat(prices(access).columnsNotCompared()).isEmpty();
      }
    } finally {
      db.onSource("ALTER DATABASE here RESET lc_monetary");
      db.onTarget("ALTER DATABASE there RESET lc_monetary");
    }
  }

  private static TablePlan prices(RowAccess access) {
    RowAccess.Opening opening =
        access.open(
            TableId.parse("public.prices"), List.of("id"), TwoDatabases.soon(), new Cancellation());
    return ((RowAccess.Opening.Ready) opening).plan();
  }

  private static boolean knowsYen() {
    try {
      db.onSource("SET lc_monetary = 'ja_JP.UTF-8'");
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  /** O13, V8: the JVM's zone and locale do not enter a hash. */
  @Test
  void hashesDoNotDependOnTheJvm() throws Exception {
    db.onBoth(
        "CREATE TABLE jvm (id int PRIMARY KEY, a timestamptz, b date, c numeric, d \"char\","
            + " \"İI\" text, e money, f timestamp)",
        "INSERT INTO jvm VALUES (1, '0044-03-15 12:00+00 BC', '1582-10-10', 1234.50, 'i',"
            + " 'İıiI', 1234.5, '1927-12-31 23:54:08')");
    TimeZone zone = TimeZone.getDefault();
    Locale locale = Locale.getDefault();
    List<RowHash> hashes = new ArrayList<>();
    try {
      for (String name : List.of("UTC", "Asia/Shanghai", "Asia/Tokyo")) {
        for (String tag : List.of("en-US", "tr-TR", "ar-EG-u-nu-arab")) {
          TimeZone.setDefault(TimeZone.getTimeZone(name));
          Locale.setDefault(Locale.forLanguageTag(tag));
          try (Database fresh = db.open(Side.TARGET, PostgresServer.SUPERUSER, "")) {
            RowAccess access =
                RowAccesses.create(db.source, fresh, RowSettings.defaults(), Time.system());
            TablePlan plan = db.plan("public.jvm", "id");
            for (Side side : Side.values()) {
              KeyRead read =
                  TwoDatabases.rows(
                          access.read(
                              side,
                              plan,
                              List.of(TwoDatabases.key(List.of("id"), "1")),
                              TwoDatabases.soon(),
                              new Cancellation()))
                      .get(0);
              hashes.add(((KeyRead.Found) read).hash());
            }
          }
        }
      }
    } finally {
      TimeZone.setDefault(zone);
      Locale.setDefault(locale);
    }
    assertThat(hashes).hasSize(18);
    assertThat(hashes.stream().distinct()).hasSize(1);
  }
}
