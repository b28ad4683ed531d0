package io.walproof.verifier.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.RowHash;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.row.RangeAccess.Content;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a COPY yields is what a lookup yields: keys and row hashes, of every kind of value. */
class RangeRowsIT {

  private static TwoDatabases db;

  @BeforeAll
  static void start() throws Exception {
    db = new TwoDatabases(18);
  }

  @AfterAll
  static void stop() throws Exception {
    db.close();
  }

  @Test
  void copiedRowsHashAsLookedUpRows() throws Exception {
    db.onBoth("CREATE TYPE feeling AS ENUM ('sad', 'ok')");
    String columns =
        "id text COLLATE \"C\" PRIMARY KEY, t text, n numeric, f8 float8, f4 float4, b bytea,"
            + " c char(6), m money, j json, jb jsonb, ts timestamptz, d date, iv interval,"
            + " arr text[], e feeling, u uuid, bo boolean, x xml, net inet";
    db.onBoth(
        "CREATE TABLE kinds (" + columns + ")",
        "INSERT INTO kinds (id) VALUES ('nulls'), (''), ('\\N'), (E'tab\\tkey'), (E'nl\\nkey'),"
            + " ('back\\slash'), (E'\\b\\f\\r\\x0b'), ('grüße 日本 😀')",
        "INSERT INTO kinds VALUES ('full', E'a\\tb\\nc\\\\d\\re', 1.500, '-0', 'NaN', '\\x00ff5c0a',"
            + " 'ab', '12.50', '{\"a\" : 1}', '{\"a\" : 1}', '2026-01-01 12:00+09',"
            + " '0044-03-15 BC', '1 mon -3 days 04:05:06.7',"
            + " ARRAY['a,b', NULL, '\"', E'\\\\'], 'ok',"
            + " '00000000-0000-0000-0000-00000000002a', true, '<a>x</a>', '10.0.0.1/8')",
        "INSERT INTO kinds (id, t, n, f8, b, c, m) VALUES ('edge', '\\N', -0.00, 'Infinity', '',"
            + " '', '-0.01'), ('large', repeat('x', 300000), 1e40, 1e-300, NULL, NULL, NULL),"
            + " ('hundred', '', 100, 100, NULL, ' a', 0), ('nan', '', 'NaN', 'NaN', NULL, NULL, NULL)");
    RangeAccess access =
        RowAccesses.createRanges(db.source, db.target, RowSettings.defaults(), Time.system());
    RangePlan plan =
        ((RangeAccess.Opening.Ready)
                access.open(
                    new TableId("public", "kinds"), TwoDatabases.soon(), new Cancellation()))
            .plan();
    RowsChunk chunk = read(access, plan, Content.ROWS);
    assertThat(chunk.size()).isEqualTo(13);
    List<RowKey> keys = IntStream.range(0, chunk.size()).mapToObj(chunk::key).toList();
    List<KeyRead> looked =
        TwoDatabases.rows(
            access.lookup(Side.TARGET, plan, keys, TwoDatabases.soon(), new Cancellation()));
    RowDigest sum = RowDigest.EMPTY;
    for (int i = 0; i < chunk.size(); i++) {
      assertThat(looked.get(i))
          .as(keys.get(i).texts().toString())
          .isInstanceOfSatisfying(KeyRead.Found.class, row -> assertThat(row.hash()).isNotNull());
      RowHash hash = ((KeyRead.Found) looked.get(i)).hash();
      assertThat(new RowHash(chunk.high(i), chunk.low(i)))
          .as(keys.get(i).texts().toString())
          .isEqualTo(hash);
      sum = sum.plus(hash.high(), hash.low());
    }
    assertThat(chunk.digest()).isEqualTo(sum);
    assertThat(read(access, plan, Content.LINES).digest()).isNotEqualTo(chunk.digest());
    RowsChunk keysOnly = read(access, plan, Content.KEYS);
    assertThat(IntStream.range(0, keysOnly.size()).mapToObj(keysOnly::key).toList())
        .isEqualTo(keys);
    assertThat(keysOnly.hashed()).isFalse();
  }

  private static RowsChunk read(RangeAccess access, RangePlan plan, Content content) {
    RangeAccess.Read read =
        access.read(
            Side.SOURCE, plan, KeyRange.ALL, 100, content, TwoDatabases.soon(), new Cancellation());
    assertThat(read).isInstanceOf(RangeAccess.Read.Rows.class);
    return ((RangeAccess.Read.Rows) read).chunk();
  }
}
