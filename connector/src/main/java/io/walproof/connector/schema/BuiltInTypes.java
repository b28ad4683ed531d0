package io.walproof.connector.schema;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * PostgreSQL's built-in types, whose OIDs are the same in every cluster: name, and the OID of the
 * array over each. Row types of catalogs and pseudo types are left out: no column has one.
 */
public final class BuiltInTypes {

  /** OID, the array's OID (0 where there is none), {@code pg_type.typname}, the name in SQL. */
  private static final String TABLE =
      """
      16 1000 bool boolean
      17 1001 bytea bytea
      18 1002 char "char"
      19 1003 name name
      20 1016 int8 bigint
      21 1005 int2 smallint
      22 1006 int2vector int2vector
      23 1007 int4 integer
      24 1008 regproc regproc
      25 1009 text text
      26 1028 oid oid
      27 1010 tid tid
      28 1011 xid xid
      29 1012 cid cid
      30 1013 oidvector oidvector
      114 199 json json
      142 143 xml xml
      194 0 pg_node_tree pg_node_tree
      600 1017 point point
      601 1018 lseg lseg
      602 1019 path path
      603 1020 box box
      604 1027 polygon polygon
      628 629 line line
      650 651 cidr cidr
      700 1021 float4 real
      701 1022 float8 double precision
      718 719 circle circle
      774 775 macaddr8 macaddr8
      790 791 money money
      829 1040 macaddr macaddr
      869 1041 inet inet
      1033 1034 aclitem aclitem
      1042 1014 bpchar character
      1043 1015 varchar character varying
      1082 1182 date date
      1083 1183 time time without time zone
      1114 1115 timestamp timestamp without time zone
      1184 1185 timestamptz timestamp with time zone
      1186 1187 interval interval
      1266 1270 timetz time with time zone
      1560 1561 bit bit
      1562 1563 varbit bit varying
      1700 1231 numeric numeric
      1790 2201 refcursor refcursor
      2202 2207 regprocedure regprocedure
      2203 2208 regoper regoper
      2204 2209 regoperator regoperator
      2205 2210 regclass regclass
      2206 2211 regtype regtype
      2950 2951 uuid uuid
      2970 2949 txid_snapshot txid_snapshot
      3220 3221 pg_lsn pg_lsn
      3361 0 pg_ndistinct pg_ndistinct
      3402 0 pg_dependencies pg_dependencies
      3614 3643 tsvector tsvector
      3615 3645 tsquery tsquery
      3642 3644 gtsvector gtsvector
      3734 3735 regconfig regconfig
      3769 3770 regdictionary regdictionary
      3802 3807 jsonb jsonb
      3904 3905 int4range int4range
      3906 3907 numrange numrange
      3908 3909 tsrange tsrange
      3910 3911 tstzrange tstzrange
      3912 3913 daterange daterange
      3926 3927 int8range int8range
      4072 4073 jsonpath jsonpath
      4089 4090 regnamespace regnamespace
      4096 4097 regrole regrole
      4191 4192 regcollation regcollation
      4451 6150 int4multirange int4multirange
      4532 6151 nummultirange nummultirange
      4533 6152 tsmultirange tsmultirange
      4534 6153 tstzmultirange tstzmultirange
      4535 6155 datemultirange datemultirange
      4536 6157 int8multirange int8multirange
      4600 0 pg_brin_bloom_summary pg_brin_bloom_summary
      4601 0 pg_brin_minmax_multi_summary pg_brin_minmax_multi_summary
      5017 0 pg_mcv_list pg_mcv_list
      5038 5039 pg_snapshot pg_snapshot
      5069 271 xid8 xid8
      """;

  private static final Map<Long, Entry> BY_OID = new HashMap<>();
  private static final Map<String, Long> BY_NAME = new HashMap<>();

  static {
    for (String line : TABLE.lines().toList()) {
      String[] fields = line.strip().split(" ", 4);
      long oid = Long.parseLong(fields[0]);
      long array = Long.parseLong(fields[1]);
      put(oid, new Entry(fields[2], fields[3], OptionalLong.empty()));
      if (array != 0) {
        put(array, new Entry("_" + fields[2], fields[3] + "[]", OptionalLong.of(oid)));
      }
    }
  }

  private BuiltInTypes() {}

  /**
   * A type.
   *
   * @param catalogName {@code pg_type.typname}
   * @param sqlName the name in SQL, without a modifier
   * @param element the element's OID if the type is an array
   */
  private record Entry(String catalogName, String sqlName, OptionalLong element) {}

  private static void put(long oid, Entry entry) {
    BY_OID.put(oid, entry);
    BY_NAME.put(entry.catalogName(), oid);
  }

  /** The type's name in SQL, empty for an OID that is no built-in type. */
  public static Optional<String> sqlName(long oid) {
    return Optional.ofNullable(BY_OID.get(oid)).map(Entry::sqlName);
  }

  /** The OID of an array's elements, empty for a type that is no array. */
  public static OptionalLong element(long oid) {
    Entry entry = BY_OID.get(oid);
    return entry == null ? OptionalLong.empty() : entry.element();
  }

  /** The OID of the type with this {@code pg_type.typname}. */
  public static OptionalLong byCatalogName(String name) {
    Long oid = BY_NAME.get(name);
    return oid == null ? OptionalLong.empty() : OptionalLong.of(oid);
  }

  /** Every OID in the table, with {@code pg_type.typname}. */
  static Map<Long, String> catalogNames() {
    Map<Long, String> names = new HashMap<>();
    BY_OID.forEach((oid, entry) -> names.put(oid, entry.catalogName()));
    return names;
  }
}
