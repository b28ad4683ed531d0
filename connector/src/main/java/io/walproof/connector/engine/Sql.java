package io.walproof.connector.engine;

import io.walproof.contract.SqlIdentifier;
import io.walproof.contract.TableId;
import java.util.Collection;
import java.util.stream.Collectors;

/** Statements as text, for running and for showing. */
final class Sql {

  private Sql() {}

  static String quoted(String identifier) {
    return SqlIdentifier.quoted(identifier);
  }

  static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  static String list(Collection<TableId> tables) {
    return tables.stream().map(TableId::sql).collect(Collectors.joining(", "));
  }

  static String display(Collection<TableId> tables) {
    return tables.stream().map(TableId::display).collect(Collectors.joining(", "));
  }
}
