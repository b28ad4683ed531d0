package io.walproof.verifier.connect.decode;

import java.util.Arrays;
import java.util.List;

/**
 * A table whose key has one type, with a few rows.
 *
 * @param name the table's
 * @param type the key's
 * @param values as SQL literals
 */
record KeyTable(String name, String type, List<String> values) {

  static KeyTable of(String name, String type, String... values) {
    return new KeyTable(name, type, Arrays.asList(values));
  }

  /** Debezium fails on its rows where it counts in nanoseconds, which do not reach that far. */
  static final String BEYOND_NANOSECONDS = "k_timestamp";

  /** What the JSON converter writes as text, and with schemas reads back as zero. */
  static final String NO_JSON_NUMBER = "k_float8_special";

  /** Every kind of key that is decoded in at least one mode, or refused in all. */
  static final List<KeyTable> ALL =
      List.of(
          of("k_int2", "int2", "-32768", "0", "7"),
          of("k_int4", "int4", "-2147483648", "42"),
          of("k_int8", "int8", "-9223372036854775808", "9223372036854775807", "9007199254740993"),
          of("k_oid", "oid", "4294967295"),
          of("k_bool", "bool", "true", "false"),
          of("k_text", "text", "''", "'a'", "'\u00fc \u4e2d'", "'{\"a\":1}'", "'NULL'", "'AQID'"),
          of("k_varchar", "varchar(20)", "'x '", "'2020-01-01'"),
          of("k_char", "char(5)", "'a'", "'abcde'"),
          of("k_name", "name", "'n'"),
          of("k_citext", "citext", "'MiXed'"),
          of("k_uuid", "uuid", "'00112233-4455-6677-8899-aabbccddeeff'"),
          of("k_enum", "mood", "'glad'", "'so so'"),
          of("k_domain", "posint", "17"),
          of("k_inet", "inet", "'10.0.0.1'", "'10.0.0.0/8'", "'::1'"),
          of("k_cidr", "cidr", "'10.0.0.0/8'"),
          of("k_macaddr", "macaddr", "'08:00:2b:01:02:03'"),
          of("k_float4", "float4", "0.1", "1e6", "-1.5e-7", "123456"),
          of("k_float8", "float8", "0.1", "1e15", "123456789012345", "-2.5e-5"),
          of(NO_JSON_NUMBER, "float8", "'Infinity'", "'NaN'", "'-Infinity'"),
          of("k_numeric", "numeric", "1.50", "-0.001", "123456789012345678901234567890", "100"),
          of("k_numeric_p", "numeric(10,2)", "1.5", "-99999999.99"),
          of("k_bytea", "bytea", "'\\x00ff10'", "'\\x'", "'\\xfbff'"),
          of("k_bit1", "bit(1)", "B'1'", "B'0'"),
          of("k_bit", "bit(12)", "B'100000000001'", "B'000000001111'"),
          of("k_date", "date", "'2020-02-29'", "'1969-12-31'", "'0001-01-01'", "'1582-10-10'"),
          of("k_time", "time", "'00:00:00'", "'23:59:59.999999'", "'12:30:00.1'", "'24:00:00'"),
          of("k_time3", "time(3)", "'00:00:00.001'", "'12:30:00'"),
          of(
              "k_timestamp",
              "timestamp",
              "'2020-02-29 12:34:56.123456'",
              "'1969-12-31 23:59:59.999999'",
              "'0001-01-01 00:00:00'",
              "'1582-10-10 01:02:03'"),
          of("k_timestamp_now", "timestamp", "'2020-02-29 12:34:56.1'", "'1999-01-01 00:00:01'"),
          of("k_timestamp3", "timestamp(3)", "'2020-02-29 12:34:56.123'", "'1900-01-01 00:00'"),
          of(
              "k_timestamptz",
              "timestamptz",
              "'2020-02-29 12:34:56.123456+02'",
              "'1900-01-01 00:00:00+00'",
              "'0001-01-02 00:00:00+00'"),
          of(
              "k_interval",
              "interval",
              "'1 year 2 mons 3 days 04:05:06.789'",
              "'-1 mons'",
              "'30 days'",
              "'-1 day +02:03:00'",
              "'00:00:00'",
              "'1 mon -1 days'",
              "'100:00:00.000001'"),
          of("k_range", "int4range", "'[1,5)'", "'empty'"),
          of("k_jsonb", "jsonb", "'{\"a\": [1, 2]}'"),
          of("k_timetz", "timetz", "'12:00:00+02'"),
          of("k_varbit", "bit varying(8)", "B'101'"),
          of("k_money", "money", "'12.34'"));

  String ddl() {
    return "CREATE TABLE " + name + " (k " + type + " PRIMARY KEY, n int NOT NULL)";
  }

  /** Rows are numbered within their table. */
  String insert(int from, int to) {
    StringBuilder rows = new StringBuilder();
    for (int i = from; i < to; i++) {
      rows.append(i > from ? ", " : "").append('(').append(values.get(i)).append(", ").append(i);
      rows.append(')');
    }
    return "INSERT INTO " + name + " VALUES " + rows;
  }
}
