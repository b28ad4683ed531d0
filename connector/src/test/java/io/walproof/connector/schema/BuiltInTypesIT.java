package io.walproof.connector.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.connector.engine.Servers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of built-in types against {@code pg_type} itself. */
class BuiltInTypesIT {

  @ParameterizedTest(name = "PostgreSQL {0}")
  @ValueSource(ints = {16, 17, 18})
  void theTableIsTheCatalogs(int major) throws Exception {
    Map<Long, String> catalog = new HashMap<>();
    Map<Long, String> sqlNames = new HashMap<>();
    Map<Long, Long> elements = new HashMap<>();
    try (Connection connection = Servers.of(major).connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                """
                SELECT t.oid, t.typname, pg_catalog.format_type(t.oid, NULL), e.oid
                FROM pg_catalog.pg_type t LEFT JOIN pg_catalog.pg_type e ON e.typarray = t.oid
                WHERE t.oid < 10000 AND t.typtype IN ('b', 'r', 'm')
                  AND (e.oid IS NULL OR e.typtype IN ('b', 'r', 'm'))
                """)) {
      while (rows.next()) {
        catalog.put(rows.getLong(1), rows.getString(2));
        sqlNames.put(rows.getLong(1), rows.getString(3));
        if (rows.getLong(4) != 0) {
          elements.put(rows.getLong(1), rows.getLong(4));
        }
      }
    }
    assertThat(BuiltInTypes.catalogNames()).isEqualTo(catalog);
    catalog.forEach(
        (oid, name) -> {
          assertThat(BuiltInTypes.sqlName(oid)).as(name).contains(sqlNames.get(oid));
          assertThat(BuiltInTypes.byCatalogName(name)).as(name).hasValue(oid);
          assertThat(BuiltInTypes.element(oid).orElse(0))
              .as(name)
              .isEqualTo(elements.getOrDefault(oid, 0L));
        });
  }
}
