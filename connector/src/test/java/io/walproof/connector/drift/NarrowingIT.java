package io.walproof.connector.drift;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.connector.engine.Servers;
import io.walproof.connector.schema.StoredColumn;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Widening and narrowing against PostgreSQL itself: a column with the old type's extreme values is
 * altered to the new type and back. What is called safe must survive that; what is called narrowing
 * must not, unless the row says that there is merely no proof.
 */
class NarrowingIT {

  /** What the table claims of a change. */
  private enum Claim {
    HOLDS,
    NARROWS,
    /** Called narrowing although these values survive: not every value is known to. */
    UNPROVEN
  }

  private static final String INT2 = "-32768;32767";
  private static final String INT4 = "-2147483648;2147483647";
  private static final String INT8 = "-9223372036854775808;9223372036854775807";
  private static final String REAL = "3.4028235e+38;-1.1754944e-38;NaN;-Infinity;0.1";
  private static final String DOUBLE = "1.7976931348623157e+308;2.2250738585072014e-308;NaN;0.1";
  private static final String MOMENT = "2026-01-31 23:59:59.999999;294276-12-31 23:59:59.999999";
  private static final String SPAN =
      "7 years 5 mons 11 days 13:14:15.123456;-1 mons +2 days -03:00";

  /** Old type, new type, claim, values of the old type ("&lt;" stands for the longest text). */
  private static final String[][] TABLE = {
    {"varchar(3)", "varchar(4)", "HOLDS", "äöü;a  "},
    {"varchar(4)", "varchar(3)", "NARROWS", "äöüß"},
    {"varchar(4)", "varchar", "HOLDS", "äöüß"},
    {"varchar", "varchar(4)", "NARROWS", "abcde"},
    {"varchar(4)", "text", "HOLDS", "a   "},
    {"text", "varchar", "HOLDS", "a   "},
    {"text", "varchar(4)", "NARROWS", "abcde"},
    {"text", "integer", "NARROWS", "x"},
    {"text", "name", "NARROWS", "0123456789012345678901234567890123456789012345678901234567890123"},
    {"name", "text", "HOLDS", "012345678901234567890123456789012345678901234567890123456789012"},
    {
      "name",
      "varchar(63)",
      "HOLDS",
      "012345678901234567890123456789012345678901234567890123456789012"
    },
    {
      "name",
      "varchar(62)",
      "NARROWS",
      "012345678901234567890123456789012345678901234567890123456789012"
    },
    {"char(3)", "char(5)", "HOLDS", "a;abc"},
    {"char(5)", "char(3)", "NARROWS", "abcde"},
    {"char(3)", "varchar(3)", "HOLDS", "a;abc"},
    {"char(3)", "varchar(2)", "NARROWS", "abc"},
    {"char(3)", "text", "HOLDS", "a;abc"},
    {"char(3)", "bpchar", "HOLDS", "a;abc"},
    {"bpchar", "char(3)", "NARROWS", "abcd"},
    {"varchar(3)", "char(3)", "NARROWS", "a "},
    {"bit(5)", "bit(8)", "NARROWS", "10101"},
    {"bit(8)", "bit(5)", "NARROWS", "10101010"},
    {"bit(5)", "varbit(5)", "HOLDS", "10101"},
    {"bit(5)", "varbit(4)", "NARROWS", "10101"},
    {"bit(5)", "varbit", "HOLDS", "10101"},
    {"varbit(5)", "varbit(8)", "HOLDS", "1;10101"},
    {"varbit(8)", "varbit(5)", "NARROWS", "10101010"},
    {"varbit(8)", "varbit", "HOLDS", "10101010"},
    {"varbit", "varbit(8)", "NARROWS", "101010101"},
    {"varbit(5)", "bit(5)", "NARROWS", "1"},
    {"numeric(6,2)", "numeric(8,2)", "HOLDS", "9999.99;NaN"},
    {"numeric(8,2)", "numeric(6,2)", "NARROWS", "999999.99"},
    {"numeric(6,2)", "numeric(8,4)", "HOLDS", "9999.99"},
    {"numeric(6,2)", "numeric(6,4)", "NARROWS", "9999.99"},
    {"numeric(6,2)", "numeric(6,1)", "NARROWS", "9999.99"},
    {"numeric(6,2)", "numeric", "HOLDS", "9999.99;NaN"},
    {"numeric", "numeric(6,2)", "NARROWS", "1e10"},
    {"numeric(2,-3)", "numeric(5,0)", "HOLDS", "99000;-99000"},
    {"numeric(2,-3)", "numeric(3,0)", "NARROWS", "99000"},
    {"numeric(2,5)", "numeric(5,5)", "HOLDS", "0.00099"},
    {"numeric(5,5)", "numeric(2,5)", "NARROWS", "0.99999"},
    {"numeric(4,0)", "smallint", "NARROWS", "NaN"},
    {"numeric(4,0)", "integer", "NARROWS", "NaN"},
    {"numeric(9,4)", "double precision", "UNPROVEN", "12345.6789"},
    {"numeric", "double precision", "NARROWS", "0.12345678901234567890"},
    {"smallint", "integer", "HOLDS", INT2},
    {"smallint", "bigint", "HOLDS", INT2},
    {"integer", "bigint", "HOLDS", INT4},
    {"integer", "smallint", "NARROWS", INT4},
    {"bigint", "integer", "NARROWS", INT8},
    {"bigint", "smallint", "NARROWS", INT8},
    {"smallint", "real", "HOLDS", INT2},
    {"integer", "real", "NARROWS", "2147483647;16777217"},
    {"integer", "double precision", "HOLDS", INT4},
    {"bigint", "double precision", "NARROWS", "9007199254740993"},
    {"smallint", "numeric", "HOLDS", INT2},
    {"smallint", "numeric(5,0)", "HOLDS", INT2},
    {"smallint", "numeric(4,0)", "NARROWS", INT2},
    {"integer", "numeric(12,2)", "HOLDS", INT4},
    {"integer", "numeric(11,2)", "NARROWS", INT4},
    {"integer", "numeric(10,-1)", "NARROWS", INT4},
    {"bigint", "numeric(19,0)", "HOLDS", INT8},
    {"bigint", "numeric(18,0)", "NARROWS", INT8},
    {"smallint", "varchar(6)", "HOLDS", INT2},
    {"smallint", "varchar(5)", "NARROWS", INT2},
    {"integer", "varchar(11)", "HOLDS", INT4},
    {"integer", "varchar(10)", "NARROWS", INT4},
    {"bigint", "varchar(20)", "HOLDS", INT8},
    {"bigint", "varchar(19)", "NARROWS", INT8},
    {"bigint", "text", "HOLDS", INT8},
    {"boolean", "varchar(5)", "HOLDS", "false;true"},
    {"boolean", "varchar(4)", "NARROWS", "false"},
    {"boolean", "integer", "UNPROVEN", "true"},
    {"oid", "bigint", "HOLDS", "0;4294967295"},
    {"oid", "integer", "UNPROVEN", "4294967295"},
    {"real", "double precision", "HOLDS", REAL},
    {"double precision", "real", "NARROWS", DOUBLE},
    {"real", "numeric", "UNPROVEN", "0.1"},
    {"double precision", "numeric", "NARROWS", "0.12345678901234567"},
    {"double precision", "text", "HOLDS", DOUBLE},
    {"real", "text", "HOLDS", REAL},
    {"numeric", "text", "HOLDS", "1.00;NaN;Infinity"},
    {"time(3)", "time(6)", "HOLDS", "23:59:59.999"},
    {"time(6)", "time(3)", "NARROWS", "23:59:58.999999"},
    {"time(3)", "time", "HOLDS", "23:59:59.999;24:00:00"},
    {"time", "time(6)", "HOLDS", "23:59:59.999999"},
    {"timetz(0)", "timetz(2)", "HOLDS", "23:59:59+15:59"},
    {"timestamp(3)", "timestamp(6)", "HOLDS", "2026-01-31 23:59:59.999;infinity"},
    {"timestamp", "timestamp(6)", "HOLDS", MOMENT},
    {"timestamp", "timestamp(3)", "NARROWS", MOMENT},
    {"timestamptz(3)", "timestamptz", "HOLDS", "2026-01-31 23:59:59.999+00"},
    {"timestamptz", "timestamptz(0)", "NARROWS", MOMENT},
    {"timestamp", "timestamptz", "UNPROVEN", "2026-01-31 23:59:59.5"},
    {"timestamp", "date", "NARROWS", MOMENT},
    {"date", "timestamp", "NARROWS", "5874897-12-31"},
    {"timestamp", "text", "HOLDS", MOMENT},
    {"time", "interval", "NARROWS", "24:00:00"},
    {"interval(3)", "interval(6)", "HOLDS", "3 days 00:00:00.123"},
    {"interval(6)", "interval(3)", "NARROWS", SPAN},
    {"interval(3)", "interval", "HOLDS", "3 days 00:00:00.123"},
    {"interval", "interval(3)", "NARROWS", SPAN},
    {"interval", "interval(6)", "HOLDS", SPAN},
    {"interval", "interval day to second", "HOLDS", SPAN},
    {"interval", "interval day to minute", "NARROWS", SPAN},
    {"interval year", "interval year to month", "HOLDS", "7 years"},
    {"interval year to month", "interval year", "NARROWS", "7 years 5 mons"},
    {"interval month", "interval year", "NARROWS", "7 years 5 mons"},
    {"interval year to month", "interval month", "HOLDS", "7 years 5 mons"},
    {"interval day to hour", "interval hour", "HOLDS", "3 days 04:00:00"},
    {"interval hour", "interval day to minute", "HOLDS", "1 mon 3 days 04:00:00"},
    {"interval day to second(3)", "interval second(3)", "HOLDS", "3 days 04:05:06.789"},
    {"interval day to second(3)", "interval second(2)", "NARROWS", "3 days 04:05:06.789"},
    {"interval", "text", "HOLDS", SPAN},
    {"cidr", "inet", "HOLDS", "10.0.0.0/8;::/0"},
    {"inet", "cidr", "NARROWS", "10.0.0.1/8"},
    {"macaddr", "macaddr8", "HOLDS", "ff:ff:ff:ff:ff:ff"},
    {"macaddr8", "macaddr", "NARROWS", "01:02:03:04:05:06:07:08"},
    {"uuid", "varchar(36)", "HOLDS", "ffffffff-ffff-ffff-ffff-ffffffffffff"},
    {"uuid", "varchar(35)", "NARROWS", "ffffffff-ffff-ffff-ffff-ffffffffffff"},
    {"uuid", "text", "HOLDS", "ffffffff-ffff-ffff-ffff-ffffffffffff"},
    {"json", "jsonb", "NARROWS", "{\"b\": 1,  \"a\": 2, \"a\": 3}"},
    {"jsonb", "json", "HOLDS", "{\"b\": 1.00, \"aa\": null}"},
    {"json", "text", "HOLDS", "{\"b\": 1,  \"a\": 2}"},
    {"bytea", "text", "UNPROVEN", "\\x00ff"},
    {"text", "bytea", "NARROWS", "\\xzz"},
    {"money", "numeric", "UNPROVEN", "12.34"},
    {"smallint[]", "integer[]", "HOLDS", "{-32768,NULL,32767}"},
    {"integer[]", "smallint[]", "NARROWS", "{2147483647}"},
    {"integer[]", "text[]", "HOLDS", "{2147483647,NULL}"},
    {"integer[]", "text", "HOLDS", "{2147483647,NULL}"},
    {"varchar(3)[]", "varchar(4)[]", "HOLDS", "{abc,\"a  \"}"},
    {"varchar(4)[]", "varchar(3)[]", "NARROWS", "{abcd}"},
    {"numeric(6,2)[]", "numeric(8,2)[]", "HOLDS", "{9999.99,NaN}"},
    {"numeric(6,2)[]", "numeric(6,1)[]", "NARROWS", "{9999.99}"},
    {"integer", "integer[]", "NARROWS", "1"},
    {"public.mood", "text", "HOLDS", "sad;happy"},
    {"public.mood", "varchar", "HOLDS", "sad;happy"},
    {"public.mood", "varchar(63)", "UNPROVEN", "sad;happy"},
    {"text", "public.mood", "NARROWS", "other"},
    {"public.mood", "public.humour", "NARROWS", "happy"},
    {"public.positive", "integer", "HOLDS", "1;2147483647"},
    {"public.positive", "bigint", "HOLDS", "2147483647"},
    {"public.positive", "smallint", "NARROWS", "2147483647"},
    {"integer", "public.positive", "NARROWS", "-1"},
    {"public.short", "varchar(9)", "UNPROVEN", "abc"},
    {"public.short", "text", "HOLDS", "abc"},
    {"text", "public.citext", "UNPROVEN", "A;a"},
    {"public.citext", "text", "HOLDS", "A;a"},
  };

  @ParameterizedTest(name = "PostgreSQL {0}")
  @ValueSource(ints = {16, 17, 18})
  void whatIsCalledSafeIsSafe(int major) throws Exception {
    String database = "narrowing" + major;
    Servers.of(major).execute("postgres", "CREATE DATABASE " + database);
    List<String> wrong = new ArrayList<>();
    try (Connection connection = Servers.of(major).connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TYPE mood AS ENUM ('sad', 'happy')");
      statement.execute("CREATE TYPE humour AS ENUM ('sad')");
      statement.execute("CREATE DOMAIN positive AS int CHECK (VALUE > 0)");
      statement.execute("CREATE DOMAIN short AS varchar(3)");
      statement.execute("CREATE EXTENSION citext");
      statement.execute("SET timezone = 'UTC'");
      connection.setAutoCommit(false);
      for (String[] row : TABLE) {
        check(connection, row).ifPresent(wrong::add);
      }
      connection.rollback();
    }
    Servers.of(major).execute("postgres", "DROP DATABASE " + database);
    assertThat(wrong).isEmpty();
  }

  private static Optional<String> check(Connection connection, String[] row) throws SQLException {
    String from = row[0];
    String to = row[1];
    Claim claim = Claim.valueOf(row[2]);
    try (Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS t");
      statement.execute("CREATE TABLE t (n int, a " + from + ", b " + to + ")");
      StoredColumn before = column(statement, "a");
      StoredColumn after = column(statement, "b");
      assertThat(before.typeText()).isEqualTo(formatted(statement, "a"));
      assertThat(after.typeText()).isEqualTo(formatted(statement, "b"));
      int n = 0;
      for (String value : row[3].split(";", -1)) {
        statement.execute("INSERT INTO t VALUES (" + n++ + ", '" + value.replace("'", "''") + "')");
      }
      List<String> originals = texts(statement);
      boolean narrowing = Narrowing.between(before, after);
      boolean survives = alter(connection, to, from) && texts(statement).equals(originals);
      boolean right =
          switch (claim) {
            case HOLDS -> !narrowing && survives;
            case NARROWS -> narrowing && !survives;
            case UNPROVEN -> narrowing;
          };
      return right
          ? Optional.empty()
          : Optional.of(
              from
                  + " to "
                  + to
                  + ": claimed "
                  + claim
                  + ", narrowing "
                  + narrowing
                  + ", values survive "
                  + survives);
    }
  }

  /** What the message would say of the column, and its text by the server itself. */
  private static StoredColumn column(Statement statement, String name) throws SQLException {
    try (ResultSet row =
        statement.executeQuery(
            """
            SELECT a.atttypid, a.atttypmod, bn.nspname || '.' || b.typname
            FROM pg_catalog.pg_attribute a
            JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
            JOIN pg_catalog.pg_type b
              ON b.oid = CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END
            JOIN pg_catalog.pg_namespace bn ON bn.oid = b.typnamespace
            WHERE a.attrelid = 't'::regclass AND a.attname = '"""
                + name
                + "'")) {
      row.next();
      long oid = row.getLong(1);
      return new StoredColumn(
          name, oid < 10_000 ? "oid:" + oid : "name:" + row.getString(3), row.getInt(2), false);
    }
  }

  /** A type's text by the server itself; for a domain, that of the type below it. */
  private static String formatted(Statement statement, String name) throws SQLException {
    try (ResultSet row =
        statement.executeQuery(
            """
            SELECT CASE WHEN t.typtype = 'd'
                THEN 'domain over ' || pg_catalog.format_type(t.typbasetype, -1)
                WHEN a.atttypid < 10000 THEN pg_catalog.format_type(a.atttypid, a.atttypmod)
                ELSE n.nspname || '.' || t.typname END
            FROM pg_catalog.pg_attribute a
            JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
            JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
            WHERE a.attrelid = 't'::regclass AND a.attname = '"""
                + name
                + "'")) {
      row.next();
      return row.getString(1);
    }
  }

  private static List<String> texts(Statement statement) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery("SELECT a::text FROM t ORDER BY n")) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    return texts;
  }

  /** Assigns the values to the new type, as an application would, and brings them back. */
  private static boolean alter(Connection connection, String to, String from) throws SQLException {
    Savepoint savepoint = connection.setSavepoint();
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TEMP TABLE moved (n int, a " + to + ") ON COMMIT DROP");
      statement.execute("INSERT INTO moved SELECT n, a" + cast(connection, from, to) + " FROM t");
      statement.execute("TRUNCATE t");
      statement.execute(
          "INSERT INTO t (n, a) SELECT n, a" + cast(connection, to, from) + " FROM moved");
      statement.execute("DROP TABLE moved");
      return true;
    } catch (SQLException e) {
      if (e.getSQLState().startsWith("08") || e.getSQLState().startsWith("57")) {
        throw e;
      }
      connection.rollback(savepoint);
      return false;
    }
  }

  /** An assignment where there is one, else by way of text, as ALTER TABLE's USING would. */
  private static String cast(Connection connection, String from, String to) throws SQLException {
    Savepoint savepoint = connection.setSavepoint();
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TEMP TABLE probe (a " + to + ")");
      statement.execute("INSERT INTO probe SELECT NULL::" + from);
      return "";
    } catch (SQLException e) {
      return "::text::" + to;
    } finally {
      connection.rollback(savepoint);
    }
  }
}
