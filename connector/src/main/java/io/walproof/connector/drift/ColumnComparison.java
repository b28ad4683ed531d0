package io.walproof.connector.drift;

import io.walproof.connector.schema.StoredColumn;
import io.walproof.contract.DriftEvent.ColumnChange;
import io.walproof.contract.DriftEvent.ColumnChange.What;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Two column sets, column by column and by name. {@link #shapeChanges()} is empty exactly when the
 * sets have the same shape hash.
 */
final class ColumnComparison {

  /** Possible renames that are named. */
  private static final int MOST_RENAMES = 20;

  private final Map<String, StoredColumn> before = new LinkedHashMap<>();
  private final Map<String, StoredColumn> after = new LinkedHashMap<>();

  ColumnComparison(List<StoredColumn> before, List<StoredColumn> after) {
    before.forEach(column -> this.before.put(column.name(), column));
    after.forEach(column -> this.after.put(column.name(), column));
  }

  /** Additions, removals, types and modifiers: what enters the hash. */
  List<ColumnChange> shapeChanges() {
    List<ColumnChange> changes = new ArrayList<>();
    List<StoredColumn> removed = new ArrayList<>();
    for (StoredColumn old : before.values()) {
      StoredColumn now = after.get(old.name());
      if (now == null) {
        removed.add(old);
        changes.add(new ColumnChange(old.name(), What.REMOVED, describe(old), "", true));
      } else if (!now.type().equals(old.type())) {
        changes.add(
            new ColumnChange(
                old.name(), What.TYPE, describe(old), describe(now), Narrowing.between(old, now)));
      } else if (now.typeModifier() != old.typeModifier()) {
        changes.add(
            new ColumnChange(
                old.name(),
                What.TYPE_MODIFIER,
                describe(old),
                describe(now),
                Narrowing.between(old, now)));
      }
    }
    List<StoredColumn> added = new ArrayList<>();
    for (StoredColumn now : after.values()) {
      if (!before.containsKey(now.name())) {
        added.add(now);
        changes.add(new ColumnChange(now.name(), What.ADDED, "", describe(now), false));
      }
    }
    changes.addAll(possibleRenames(removed, added));
    return changes;
  }

  /**
   * A rename keeps the type, so only such pairs may be one. Which of them is not guessed; where
   * many columns went and came, naming every pair would tell nothing.
   */
  private static List<ColumnChange> possibleRenames(
      List<StoredColumn> removed, List<StoredColumn> added) {
    List<ColumnChange> renames = new ArrayList<>();
    for (StoredColumn old : removed) {
      for (StoredColumn now : added) {
        boolean alike = now.type().equals(old.type()) && now.typeModifier() == old.typeModifier();
        if (alike && renames.size() < MOST_RENAMES) {
          renames.add(
              new ColumnChange(old.name(), What.POSSIBLE_RENAME, old.name(), now.name(), false));
        }
      }
    }
    return renames;
  }

  /** Columns that came into the key or left it, also by being added or removed. */
  List<ColumnChange> keyChanges() {
    List<ColumnChange> changes = new ArrayList<>();
    for (StoredColumn old : before.values()) {
      StoredColumn now = after.get(old.name());
      if (old.key() != (now != null && now.key())) {
        changes.add(keyChange(old.name(), flag(old.key()), now == null ? "" : flag(now.key())));
      }
    }
    for (StoredColumn now : after.values()) {
      if (now.key() && !before.containsKey(now.name())) {
        changes.add(keyChange(now.name(), "", flag(true)));
      }
    }
    return changes;
  }

  private static ColumnChange keyChange(String column, String was, String is) {
    return new ColumnChange(column, What.KEY, was, is, false);
  }

  /** Columns whose place among the columns that both sets have is another one. */
  List<ColumnChange> orderChanges() {
    List<String> was = new ArrayList<>(before.keySet());
    was.retainAll(after.keySet());
    List<String> is = new ArrayList<>(after.keySet());
    is.retainAll(before.keySet());
    List<ColumnChange> changes = new ArrayList<>();
    for (int i = 0; i < was.size(); i++) {
      if (!was.get(i).equals(is.get(i))) {
        changes.add(
            new ColumnChange(
                was.get(i),
                What.ORDER,
                Integer.toString(i + 1),
                Integer.toString(is.indexOf(was.get(i)) + 1),
                false));
      }
    }
    return changes;
  }

  private static String flag(boolean key) {
    return key ? "key" : "not key";
  }

  private static String describe(StoredColumn column) {
    return column.typeText();
  }
}
