package io.walproof.verifier.row;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Values of every type that can be a column, edges among them. Pairs of one type's values are made
 * of them, and arrays; values that one type prints in several ways stand side by side.
 */
public final class TypeSamples {

  /** Types whose values only the server itself makes, and not from text. */
  static final List<String> WITHOUT_VALUES =
      List.of(
          "pg_node_tree",
          "pg_ndistinct",
          "pg_dependencies",
          "pg_mcv_list",
          "pg_brin_bloom_summary",
          "pg_brin_minmax_multi_summary",
          "gtsvector",
          "_gtsvector",
          "_cstring");

  /** User types, to be made on both sides. */
  public static final List<String> DEFINITIONS =
      List.of(
          "CREATE EXTENSION citext SCHEMA public",
          "CREATE EXTENSION hstore SCHEMA public",
          "CREATE EXTENSION ltree SCHEMA public",
          "CREATE TYPE public.mood AS ENUM ('sad', 'ok', 'o k', 'Ok', 'NULL')",
          "CREATE DOMAIN public.amount AS numeric CHECK (VALUE IS NULL OR VALUE <> 13)",
          "CREATE DOMAIN public.price AS public.amount",
          "CREATE DOMAIN public.series AS numeric[]",
          "CREATE TYPE public.pair AS (n public.price, t text, f float8, c char(4))",
          "CREATE TYPE public.outer_pair AS (p public.pair, more public.pair[], r numrange)",
          "CREATE TYPE public.textrange AS RANGE (subtype = text, collation = \"C\")",
          "CREATE TYPE public.floatrange AS RANGE (subtype = float8)",
          "CREATE TABLE public.rows_of (a int, b numeric)");

  /** The settings that reads pin, said once more: the oracle must not print by others. */
  public static final String PINNED =
      "SET search_path = pg_catalog; SET TimeZone = 'UTC'; SET DateStyle = 'ISO, YMD';"
          + " SET IntervalStyle = 'postgres'; SET extra_float_digits = 1; SET bytea_output = 'hex';"
          + " SET lc_monetary = 'C'; SET xmloption = 'content'; SET array_nulls = on;"
          + " SET quote_all_identifiers = off";

  /** Made of types that PostgreSQL's operators judge. */
  private static final Set<String> MADE_BY_VALUE =
      Set.of(
          "numrange",
          "nummultirange",
          "public.price",
          "public.series",
          "public.pair",
          "public.outer_pair",
          "public.floatrange",
          "public.floatmultirange",
          "public.rows_of");

  private static final Map<String, List<String>> SCALARS = new LinkedHashMap<>();

  private static void add(String type, String... values) {
    SCALARS.put(type, List.of(values));
  }

  static {
    add("bool", "t", "f");
    add("\"char\"", "a", "b", "", " ", "\\377", "\\");
    add("name", "abc", "ABC", "", "a b", "abc ", "x".repeat(63));
    add("bytea", "\\x", "\\x00", "\\x00ff5c0a", "a", "\\x61", "\\x6100");
    add("int2", "0", "-0", "-1", "32767", "-32768");
    add("int4", "0", "1", "-1", "2147483647", "-2147483648");
    add("int8", "0", "1", "-1", "9223372036854775807", "-9223372036854775808");
    add(
        "numeric",
        "0",
        "-0.00",
        "1",
        "1.0",
        "1.00",
        "1.01",
        "10",
        "100.0",
        "NaN",
        "Infinity",
        "-Infinity",
        "1e40",
        "1e-40",
        "123456789012345678901234567890.1234567890");
    add(
        "float4",
        "0",
        "-0",
        "1",
        "1.0000001",
        "NaN",
        "Infinity",
        "-Infinity",
        "1e-45",
        "3.4028235e38",
        "0.1",
        "-0.1");
    add(
        "float8",
        "0",
        "-0",
        "1",
        "1.0000000000000002",
        "NaN",
        "Infinity",
        "-Infinity",
        "4.9e-324",
        "1.7976931348623157e308",
        "0.3",
        "0.30000000000000004");
    add(
        "text",
        "",
        " ",
        "a",
        "A",
        "a ",
        "\\N",
        "NULL",
        "a\tb\nc\\d\re",
        "größe",
        "e\u0301",
        "\u00e9",
        "\"",
        "{,}",
        "😀");
    add("varchar", "", " ", "a", "A", "a ", "null");
    add("bpchar", "", "  ", "a", "a ", "a   ", " a", "a\t", "A", "a \\", "NULL");
    add(
        "date",
        "0001-01-01",
        "0001-01-01 BC",
        "1582-10-10",
        "infinity",
        "-infinity",
        "5874897-12-31",
        "4714-11-24 BC",
        "2026-01-02",
        "2026-02-01");
    add("time", "00:00", "24:00", "12:00:00.000001", "12:00", "23:59:59.999999");
    add("timetz", "10:00+09", "01:00+00", "24:00+00", "00:00+00", "10:00+15:59:59");
    add(
        "timestamp",
        "infinity",
        "-infinity",
        "4714-11-24 00:00:00 BC",
        "294276-12-31 23:59:59.999999",
        "2026-03-29 02:30",
        "2026-03-29 02:30:00.000001",
        "0044-03-15 BC",
        "0044-03-15");
    add(
        "timestamptz",
        "infinity",
        "-infinity",
        "2026-01-01 00:00+00",
        "2026-01-01 09:00+09",
        "2026-01-01 00:00:00.000001+00",
        "0044-03-15 00:00+00 BC",
        "294276-12-31 23:59:59.999999+00",
        "1927-12-31 23:54:08+08:05:43");
    add(
        "interval",
        "1 mon",
        "30 days",
        "720 hours",
        "0",
        "1 mon -1 day",
        "-1 mon 1 day",
        "1 year 2 mons",
        "14 mons",
        "00:00:00.000001",
        "-00:00:00.000001",
        "178000000 years",
        "1 day -24:00");
    add(
        "uuid",
        "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
        "{A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11}",
        "00000000-0000-0000-0000-000000000000",
        "ffffffff-ffff-ffff-ffff-ffffffffffff");
    add(
        "json",
        "{\"a\":1}",
        "{\"a\": 1}",
        "{\"a\":1,\"a\":2}",
        "{\"a\":2}",
        "{\"b\":1,\"a\":1}",
        "{\"a\":1,\"b\":1}",
        "null",
        "1",
        "1.0",
        "\"1\"",
        "\"\\u0000\"");
    add(
        "jsonb",
        "{\"a\":1}",
        "{\"a\": 1.0}",
        "{\"a\": 1.00}",
        "{\"a\":2}",
        "null",
        "1",
        "1.0",
        "\"1\"",
        "[]",
        "{}",
        "{\"b\":1,\"a\":2}",
        "{\"a\":2,\"b\":1,\"b\":1}",
        "1e2",
        "100");
    add("jsonpath", "$.a", "strict $.a", "$.\"a\"", "$.a ? (@ > 1)", "$.a ? (@ > 1.0)");
    add(
        "xml",
        "<a/>",
        "<a></a>",
        "<a />",
        "text",
        "<?xml version=\"1.0\" standalone=\"yes\"?><a/>");
    add("bit(3)", "000", "010", "111");
    add("varbit", "", "0", "00", "010");
    add(
        "inet",
        "10.0.0.1",
        "10.0.0.1/32",
        "10.0.0.1/8",
        "10.0.0.0/8",
        "::1",
        "::1/64",
        "::ffff:10.0.0.1");
    add("cidr", "10.0.0.0/8", "10.0.0.0/9", "::/0", "10.0.0.1", "10.0.0.1/32", "0.0.0.0/0");
    add("macaddr", "08:00:2b:01:02:03", "08-00-2B-01-02-03", "08:00:2b:01:02:04");
    add("macaddr8", "08:00:2b:01:02:03", "08:00:2b:ff:fe:01:02:03", "08:00:2b:01:02:03:04:05");
    add(
        "money",
        "0",
        "-0.01",
        "1.5",
        "1.50",
        "1.51",
        "92233720368547758.07",
        "-92233720368547758.08",
        "1234.5");
    add("point", "(0,0)", "(-0,0)", "(1,2)", "(1,2.0000001)", "(1e-300,0)", "(NaN,0)");
    add("line", "{1,-1,0}", "{2,-2,0}", "{1,-1,1e-300}");
    add("lseg", "[(0,0),(1,1)]", "[(1,1),(0,0)]", "[(0,0),(1,1.00000001)]");
    add("box", "(1,1),(0,0)", "(0,0),(1,1)", "(2,0.5),(0,0)", "(1.00000001,1),(0,0)");
    add("path", "((0,0),(1,1))", "[(0,0),(1,1)]", "((0,0),(1,2))", "((0,0))");
    add("polygon", "((0,0),(1,1),(1,0))", "((1,1),(1,0),(0,0))", "((0,0),(1,1),(1,0.0000001))");
    add("circle", "<(0,0),1>", "<(5,5),1>", "<(0,0),1.00000001>");
    add("oid", "0", "1", "4294967295", "-1");
    add("xid", "0", "1", "4294967295");
    add("cid", "0", "1", "4294967295");
    add("xid8", "0", "1", "18446744073709551615");
    add("tid", "(0,1)", "(1,1)", "(4294967295,65535)");
    add("oidvector", "", "1 2", "2 1", "1");
    add("int2vector", "", "1 2", "2 1", "1");
    add("pg_lsn", "0/0", "0/16B3748", "FFFFFFFF/FFFFFFFF");
    add("pg_snapshot", "10:20:10,14", "10:20:10", "10:20:");
    add("txid_snapshot", "10:20:10,14", "10:20:10", "10:20:");
    add("tsvector", "a b", "b a", "a:1 b", "a:1A b", "", "'a''b'", "'a b'");
    add("tsquery", "a & b", "b & a", "a:A", "a:B", "a:*", "a", "", "!a", "a <-> b", "a <2> b");
    add("aclitem", "postgres=r/postgres", "=r/postgres", "postgres=rw/postgres");
    add("refcursor", "a", "A", "");
    add("regclass", "pg_catalog.pg_class", "pg_type", "public.rows_of", "-");
    add("regproc", "now", "pg_catalog.now", "timeofday", "-");
    add("regprocedure", "now()", "abs(int4)", "abs(integer)", "abs(int8)", "-");
    add("regoper", "|/", "pg_catalog.|/", "||/", "0");
    add("regoperator", "+(int4,int4)", "+(integer,integer)", "+(int8,int8)", "0");
    add("regtype", "int4", "integer", "int8", "int4[]", "\"char\"", "bpchar", "public.mood", "-");
    add("regrole", "postgres", "pg_monitor", "-");
    add("regnamespace", "pg_catalog", "public", "-");
    add("regconfig", "english", "pg_catalog.english", "simple", "-");
    add("regdictionary", "english_stem", "simple", "-");
    add("regcollation", "\"C\"", "\"POSIX\"", "-");
    add("int4range", "empty", "[1,3)", "[1,2]", "(0,3)", "(,1)", "(,)", "[1,)", "[1,1)");
    add("int8range", "empty", "[1,3)", "[1,2]", "(,)", "[9223372036854775806,)");
    add(
        "numrange",
        "empty",
        "[1.0,2)",
        "[1.00,2.0)",
        "(1,2)",
        "[1,2]",
        "[1.0,)",
        "[1,)",
        "(,)",
        "[1.0,1]",
        "[-0.0,NaN]",
        "[-Infinity,Infinity]",
        "(-Infinity,Infinity)");
    add("daterange", "empty", "[2026-01-01,2026-01-03)", "[2026-01-01,2026-01-02]", "[,infinity)");
    add("tsrange", "[2026-01-01,)", "(2026-01-01,)", "[2026-01-01 BC,2026-01-01]", "(,infinity]");
    add(
        "tstzrange",
        "[2026-01-01 00:00+00,)",
        "[2026-01-01 09:00+09,)",
        "(2026-01-01 00:00+00,)",
        "[\"0044-03-15 00:00+00 BC\",infinity)");
    add("int4multirange", "{}", "{[1,3)}", "{[1,2),[2,3)}", "{[1,2),[3,4)}", "{(,)}");
    add("int8multirange", "{}", "{[1,3)}", "{[1,2),[2,3)}", "{[1,2),[3,4)}");
    add(
        "nummultirange",
        "{}",
        "{[1.0,2)}",
        "{[1,2.00)}",
        "{[1,2),[3.0,4)}",
        "{[1,2),[3,4.0)}",
        "{(,1.0]}",
        "{(,1]}");
    add("datemultirange", "{}", "{[2026-01-01,2026-01-03)}", "{[2026-01-01,2026-01-02]}");
    add("tsmultirange", "{}", "{[2026-01-01,)}", "{(,2026-01-01),[2026-01-02,)}");
    add("tstzmultirange", "{}", "{[2026-01-01 00:00+00,)}", "{[2026-01-01 09:00+09,)}");
    add("public.citext", "a", "A", "a ", "", "É", "é");
    add(
        "public.hstore",
        "",
        "a=>1",
        "a=>\"1\"",
        "a=>NULL",
        "a=>\"NULL\"",
        "b=>1,a=>2",
        "a=>2,b=>1");
    add("public.ltree", "a.b", "a.B", "a", "a_b");
    add("public.lquery", "a.b", "*.a", "a@", "*{1,2}");
    add("public.ltxtquery", "a & b", "b & a", "a | b", "a@");
    add("public.mood", "sad", "ok", "o k", "Ok", "NULL");
    add("public.price", "1.0", "1.00", "2", "NaN");
    add(
        "public.series",
        "{1.0}",
        "{1.00,NULL}",
        "{1,NULL}",
        "[0:0]={1}",
        "{{1.0},{2}}",
        "{{1,2}}",
        "{}");
    add(
        "public.pair",
        "(1.0,x,0,a)",
        "(1.00,x,-0,\"a  \")",
        "(1.0,,,)",
        "(1,\"\",,)",
        "(,,,)",
        "(1,\"(\\\"a\\\\,)\",NaN,)",
        "(1,NULL,0,)",
        "(1,\" x\",0,)");
    add(
        "public.outer_pair",
        "(\"(1.0,\"\"x,\\\\\\\\\"\",0,)\",\"{\"\"(1.00,y,-0,)\"\",NULL}\",\"[1.0,2)\")",
        "(\"(1,\"\"x,\\\\\\\\\"\",-0,)\",\"{\"\"(1,y,0,)\"\",NULL}\",\"[1,2.0)\")",
        "(\"(1,\"\"x,\\\\\\\\\"\",-0,)\",\"{\"\"(1,y,0,)\"\"}\",\"[1,2.0)\")",
        "(,,)",
        "(\"(,,,)\",{},empty)");
    add(
        "public.textrange",
        "[a,b)",
        "[a,\"b \")",
        "(,a]",
        "empty",
        "[\"a\"\"b\\\\,\",c]",
        "[\"\",c]");
    add("public.floatrange", "[0,1)", "[-0,1)", "[NaN,NaN]", "(0.1,0.30000000000000004)");
    add("public.textmultirange", "{}", "{[a,b)}", "{[a,b),[c,\"d,}\")}", "{[\"a\",b)}");
    add("public.floatmultirange", "{}", "{[0,1),[2,)}", "{[-0,1),[2,)}");
    add("public.rows_of", "(1,1.0)", "(1,1.00)", "(1,)", "(,)");
  }

  /**
   * A column of the matrix.
   *
   * @param name its name
   * @param type its type
   * @param values expressions, the last one NULL
   */
  public record Column(String name, String type, List<String> values) {}

  private TypeSamples() {}

  /** Whether values of the type, or an array of it, are equal as PostgreSQL's operator says. */
  public static boolean isByValue(String type) {
    String bare = type.replace("[]", "").replaceAll("\\(.*", "");
    return MADE_BY_VALUE.contains(bare)
        || RowEquality.SAME.stream()
            .anyMatch(
                row -> row.judge() == RowEquality.Judge.OPERATOR && row.types().contains(bare));
  }

  public static List<Column> plain() {
    List<Column> columns = new ArrayList<>();
    SCALARS.forEach(
        (type, texts) -> {
          List<String> values = new ArrayList<>(texts.stream().map(t -> literal(t, type)).toList());
          values.add("NULL");
          columns.add(new Column("c" + columns.size(), type, values));
        });
    return columns;
  }

  /** Every value as an element, and everything else that an array can be. */
  public static List<Column> arrays() {
    List<Column> columns = new ArrayList<>();
    SCALARS.forEach(
        (type, texts) -> {
          List<String> values = new ArrayList<>();
          if (!type.equals("public.series")) {
            texts.forEach(text -> values.add("ARRAY[" + literal(text, type) + "]"));
            String one = literal(texts.get(0), type);
            String other = literal(texts.get(1), type);
            values.add("CAST('{}' AS " + type + "[])");
            values.add("ARRAY[CAST(NULL AS " + type + ")]");
            values.add("ARRAY[" + one + ", " + other + "]");
            values.add("ARRAY[" + other + ", " + one + "]");
            values.add("ARRAY[ARRAY[" + one + ", " + other + "]]");
            values.add("ARRAY[ARRAY[" + one + "], ARRAY[" + other + "]]");
            values.add("pg_catalog.array_fill(" + one + ", ARRAY[1], ARRAY[0])");
          } else {
            // An array of a domain over arrays.
            texts.forEach(
                text -> values.add("ARRAY[" + literal(text, type) + "]::public.series[]"));
          }
          values.add("NULL");
          columns.add(new Column("c" + columns.size(), type + "[]", values));
        });
    return columns;
  }

  private static String literal(String text, String type) {
    return "CAST('" + text.replace("'", "''") + "' AS " + type + ")";
  }
}
