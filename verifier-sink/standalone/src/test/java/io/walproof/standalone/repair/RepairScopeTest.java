package io.walproof.standalone.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.TableId;
import io.walproof.verifier.range.Route;
import io.walproof.verifier.range.Route.Excluded;
import io.walproof.verifier.range.Route.Published;
import io.walproof.verifier.range.Route.SourceTable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RepairScopeTest {

  private static final TableId PLAIN = table("plain");
  private static final TableId ROOT = table("root");
  private static final TableId ONE = table("one");
  private static final TableId TWO = table("two");

  private static final Map<TableId, SourceTable> TABLES =
      Map.of(
          PLAIN, new SourceTable(false, List.of()),
          ROOT, new SourceTable(false, List.of(ONE, TWO)),
          ONE, new SourceTable(true, List.of()),
          TWO, new SourceTable(true, List.of()));

  private static final Published WHOLE = Published.WHOLE;
  private static final Published FILTERED =
      new Published(Optional.empty(), Optional.of("(id > 0)"), Optional.empty());
  private static final Published PARTLY =
      new Published(
          Optional.empty(),
          Optional.empty(),
          Optional.of(new Excluded("row_filter", "a row filter keeps some from being sent")));
  private static final Published LISTED =
      new Published(Optional.of(Set.of("id")), Optional.empty(), Optional.empty());

  @Test
  void whatTheTargetShouldHaveFollowsFromThePublications() {
    assertThat(new RepairScope(new Route(TABLES, Optional.empty())).refused(PLAIN)).isEmpty();
    for (Published how : List.of(WHOLE, FILTERED, LISTED)) {
      assertThat(refused(PLAIN, Map.of(PLAIN, how))).isEmpty();
    }
    assertThat(refused(PLAIN, Map.of(PLAIN, PARTLY))).hasValueSatisfying(why("row filter"));
    assertThat(refused(PLAIN, Map.of(ROOT, WHOLE))).hasValueSatisfying(why("leave it out"));
    // Its opening says that the source has no such table.
    assertThat(refused(table("gone"), Map.of(PLAIN, WHOLE))).isEmpty();
  }

  @Test
  void partitionsArePublishedAsThemselvesOrAsTheirRoot() {
    assertThat(refused(ONE, Map.of(ROOT, WHOLE))).isEmpty();
    assertThat(refused(ROOT, Map.of(ONE, WHOLE, TWO, WHOLE))).isEmpty();
    assertThat(refused(ROOT, Map.of(ONE, WHOLE))).hasValueSatisfying(why("only some"));
    assertThat(refused(TWO, Map.of(ONE, WHOLE))).hasValueSatisfying(why("leave it out"));
    for (Published how : List.of(FILTERED, PARTLY, LISTED)) {
      assertThat(refused(ONE, Map.of(ROOT, how))).hasValueSatisfying(why("through public.root"));
      assertThat(refused(ROOT, Map.of(ONE, WHOLE, TWO, how)))
          .hasValueSatisfying(why("through public.two"));
    }
  }

  private static Optional<String> refused(TableId table, Map<TableId, Published> published) {
    return new RepairScope(new Route(TABLES, Optional.of(published))).refused(table);
  }

  private static java.util.function.Consumer<String> why(String part) {
    return text -> assertThat(text).contains(part).endsWith("by hand");
  }

  private static TableId table(String name) {
    return new TableId("public", name);
  }
}
