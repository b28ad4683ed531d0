package io.walproof.connector.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.walproof.connector.emit.Skip;
import io.walproof.contract.Operation;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Values that Debezium's conversions do not know or that leave their range. A key is taken from the
 * raw message and other values are not used at all, so no value may end or delay a capture.
 */
class ExtremeValuesIT {

  /** By type, as literals. */
  private static final Map<String, List<String>> VALUES = new TreeMap<>();

  static {
    VALUES.put("numeric", List.of("NaN", "Infinity", "-Infinity", "1e400", "1.00", "0.000"));
    VALUES.put("numeric(10,2)", List.of("NaN", "1.5"));
    VALUES.put("money", List.of("92233720368547758.07", "-1.5"));
    VALUES.put("float4", List.of("NaN", "Infinity", "-0", "1e-45"));
    VALUES.put("float8", List.of("NaN", "-Infinity", "5e-324"));
    VALUES.put(
        "date",
        List.of(
            "infinity",
            "-infinity",
            "4713-01-01 BC",
            "0044-03-15",
            "1582-10-10",
            "2024-02-29",
            "5874897-12-31"));
    VALUES.put("timestamp", List.of("infinity", "4713-01-01 BC", "294276-12-31 23:59:59.999999"));
    VALUES.put(
        "timestamptz",
        List.of(
            "-infinity",
            "4713-01-01 BC",
            "294276-12-31 23:59:59+00",
            "2024-02-29 12:00:00.5+05:45",
            "1582-10-10 00:00:00+00"));
    VALUES.put("time", List.of("24:00:00", "00:00:00.000001"));
    VALUES.put("timetz", List.of("24:00:00+15:59", "00:00:00-15:59"));
    VALUES.put("interval", List.of("178000000 years", "-1 mon +2 days -03:04:05.000006"));
    VALUES.put("oid", List.of("4294967295"));
    VALUES.put("bigint", List.of("-9223372036854775808"));
    VALUES.put("bytea", List.of("", "\\x00ff"));
    VALUES.put("text", List.of("", "__debezium_unavailable_value", "NULL"));
    VALUES.put("bit(3)", List.of("101"));
    VALUES.put("varbit", List.of("", "1"));
    VALUES.put("inet", List.of("::1/128", "10.0.0.1/8"));
    VALUES.put("macaddr8", List.of("08:00:2b:01:02:03:04:05"));
    VALUES.put("jsonb", List.of("null", "{\"a\": 1.0}"));
    VALUES.put("text[]", List.of("{}", "{NULL,\"NULL\",\"\"}", "[0:1]={a,b}", "{{a},{b}}"));
    VALUES.put("timestamptz[]", List.of("{infinity,NULL}"));
    VALUES.put("numeric[]", List.of("{NaN,Infinity}"));
    VALUES.put("int4range", List.of("empty", "(,)", "[1,2)"));
    VALUES.put("nummultirange", List.of("{}", "{[1,2),[3,)}"));
    VALUES.put("pg_lsn", List.of("FFFFFFFF/FFFFFFFF"));
    VALUES.put("tsvector", List.of("'a':1A 'b'"));
    VALUES.put("uuid", List.of("ffffffff-ffff-ffff-ffff-ffffffffffff"));
    VALUES.put("\"char\"", List.of("x"));
    VALUES.put("name", List.of("x"));
    VALUES.put("boolean", List.of("true"));
    VALUES.put("hstore", List.of("a=>NULL", "\"\"=>\"\""));
    VALUES.put("citext", List.of("A"));
    VALUES.put("mood", List.of("so so"));
    VALUES.put("amount", List.of("NaN"));
    VALUES.put("pair", List.of("(NaN,\"a,b\")"));
    VALUES.put("mood[]", List.of("{\"so so\"}"));
  }

  private static void createTables(CaptureFixture fixture) throws Exception {
    fixture.sql(
        "CREATE EXTENSION hstore",
        "CREATE EXTENSION citext",
        "CREATE TYPE mood AS ENUM ('so so')",
        "CREATE DOMAIN amount AS numeric",
        "CREATE TYPE pair AS (n numeric, t text)");
    int number = 0;
    for (String type : VALUES.keySet()) {
      fixture.sql("CREATE TABLE t" + ++number + " (id " + type + " PRIMARY KEY, v " + type + ")");
    }
  }

  private static void insert(CaptureFixture fixture) throws Exception {
    int number = 0;
    for (List<String> literals : VALUES.values()) {
      number++;
      for (String literal : literals) {
        String quoted = "'" + literal.replace("'", "''") + "'";
        fixture.sql("INSERT INTO t" + number + " VALUES (" + quoted + ", " + quoted + ")");
      }
    }
  }

  @Test
  void noValueEndsACaptureAndEveryKeyIsExact() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      createTables(fixture);
      Captured captured = fixture.start();
      insert(fixture);
      fixture.settle();
      int number = 0;
      for (String type : VALUES.keySet()) {
        number++;
        assertThat(captured.texts("public.t" + number))
            .as(type)
            .containsExactlyInAnyOrderElementsOf(stored(fixture, "t" + number));
      }
    }
  }

  /** Debezium cannot see that these keys change; the raw message shows it. */
  @Test
  void aChangedKeyOfAnUnreadTypeNamesBothKeys() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      fixture.sql(
          "CREATE TABLE t (d date, a int[], n numeric, PRIMARY KEY (d, a, n))",
          "CREATE TABLE z (at timestamptz PRIMARY KEY)",
          "INSERT INTO z VALUES ('2024-01-01 00:00:00+00')",
          "INSERT INTO t VALUES ('2024-01-01', '{1}', 'NaN')");
      Captured captured = fixture.start();
      fixture.sql(
          "UPDATE t SET d = '2024-01-02'",
          "UPDATE t SET a = '{2}'",
          "UPDATE t SET n = 'Infinity'",
          "DELETE FROM t",
          "UPDATE z SET at = at + interval '1 second'");
      fixture.settle();
      assertThat(captured.keys())
          .extracting(key -> key.operation(), key -> key.key().texts())
          .containsExactly(
              tuple(Operation.DELETE, List.of("2024-01-01", "{1}", "NaN")),
              tuple(Operation.INSERT, List.of("2024-01-02", "{1}", "NaN")),
              tuple(Operation.DELETE, List.of("2024-01-02", "{1}", "NaN")),
              tuple(Operation.INSERT, List.of("2024-01-02", "{2}", "NaN")),
              tuple(Operation.DELETE, List.of("2024-01-02", "{2}", "NaN")),
              tuple(Operation.INSERT, List.of("2024-01-02", "{2}", "Infinity")),
              tuple(Operation.DELETE, List.of("2024-01-02", "{2}", "Infinity")),
              tuple(Operation.DELETE, List.of("2024-01-01 00:00:00+00")),
              tuple(Operation.INSERT, List.of("2024-01-01 00:00:01+00")));
    }
  }

  @Test
  void aSnapshotReadsThemToo() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      createTables(fixture);
      insert(fixture);
      Captured captured = fixture.with("snapshot.mode", "initial").start();
      fixture.settle();
      long rows = VALUES.values().stream().mapToLong(List::size).sum();
      assertThat(captured.texts("public.t" + (1 + List.copyOf(VALUES.keySet()).indexOf("date"))))
          .containsExactly("2024-02-29");
      assertThat(
              captured.texts(
                  "public.t" + (1 + List.copyOf(VALUES.keySet()).indexOf("timestamptz"))))
          .hasSize(2);
      assertThat(captured.keys().size() + captured.skips(Skip.Reason.KEY_VALUE_UNAVAILABLE))
          .isEqualTo(rows);
      int number = 0;
      for (String type : VALUES.keySet()) {
        number++;
        // What has no certain text form is counted; what has one finds its row.
        for (String text : captured.texts("public.t" + number)) {
          String quoted = "'" + text.replace("'", "''") + "'";
          assertThat(
                  fixture.query(
                      "SELECT count(*) FROM t" + number + " WHERE id = " + quoted + "::" + type))
              .as("%s %s", type, text)
              .isEqualTo("1");
        }
      }
    }
  }

  private static List<String> stored(CaptureFixture fixture, String table) throws Exception {
    List<String> texts = new ArrayList<>();
    try (Connection connection = fixture.server.connect(fixture.database);
        Statement statement = connection.createStatement()) {
      statement.execute("SET TimeZone = 'UTC'");
      try (ResultSet rows = statement.executeQuery("SELECT format('%s', id) FROM " + table)) {
        while (rows.next()) {
          texts.add(rows.getString(1));
        }
      }
    }
    return texts;
  }
}
