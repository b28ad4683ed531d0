package io.walproof.contract.finding;

import io.walproof.contract.TableId;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One line of a report.
 *
 * @param check what was looked at
 * @param grade how it stands
 * @param text what was found; of anything but OK, with the way out
 */
public record Finding(Check check, Grade grade, String text) {

  private static final int NAMED = 20;

  /** That it is well. */
  public static Finding ok(Check check, String text) {
    return new Finding(check, Grade.OK, text);
  }

  /** That something does not hold. */
  public static Finding warning(Check check, String text) {
    return new Finding(check, Grade.WARNING, text);
  }

  /** That it does not go. */
  public static Finding failure(Check check, String text) {
    return new Finding(check, Grade.FAILURE, text);
  }

  /**
   * That rows of tables have no names. Source and verifier both look, and say it in the same words.
   *
   * @param tables at least one
   */
  public static Finding keyless(List<TableId> tables) {
    String names =
        tables.stream().limit(NAMED).map(TableId::display).collect(Collectors.joining(", "));
    int more = tables.size() - NAMED;
    return warning(
        Check.KEYS,
        "without a primary key or a replica identity index, so that changes are counted as skipped: "
            + names
            + (more > 0 ? " and " + more + " more" : "")
            + ". Give each one (ALTER TABLE "
            + tables.get(0).sql()
            + " ADD PRIMARY KEY ...), or leave it out with table.exclude.list");
  }
}
