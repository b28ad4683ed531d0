package io.walproof.verifier.row;

import io.walproof.contract.StreamedRow;
import io.walproof.verifier.model.RowVersion;
import io.walproof.verifier.model.RowVersion.Known;
import io.walproof.verifier.model.RowVersion.Untold;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.model.VersionGap;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Rows of the stream by a {@link PlannedTable}. */
final class PlannedStream implements StreamedRows {

  /** Types of which equal keys have equal texts, whatever the collation. */
  private static final Set<String> ONE_TEXT =
      Set.of("int2", "int4", "int8", "uuid", "bool", "date", "timestamp", "timestamptz");

  /** The same where the collation tells different texts apart. */
  private static final Set<String> ONE_TEXT_IF_DETERMINISTIC = Set.of("text", "varchar");

  private final PlannedTable plan;
  private final List<ValueForm> forms;
  private final RowHasher hasher;

  /** What keeps any version from being told, if something does. */
  private final Optional<VersionGap> never;

  private List<String> columns = List.of();

  /** For each compared column its place among those of the stream; empty if one is not there. */
  private Optional<int[]> places = Optional.empty();

  PlannedStream(PlannedTable plan) {
    this.plan = plan;
    this.forms = plan.on(Side.SOURCE).forms();
    this.hasher = new RowHasher(plan.comparedColumns());
    this.never = never(plan);
  }

  private static Optional<VersionGap> never(PlannedTable plan) {
    SidePlan source = plan.on(Side.SOURCE);
    if (source.filtered()) {
      return Optional.of(VersionGap.PUBLICATION);
    }
    boolean texts =
        source.forms().stream().allMatch(form -> form.rule().sql("c").equals("c"))
            && plan.comparedColumns().stream()
                .noneMatch(c -> source.catalog().column(c).orElseThrow().shape().namesObjects())
            && plan.keyColumns().stream()
                .allMatch(column -> hasOneText(source.catalog(), plan.keyColumns(), column));
    return texts ? Optional.empty() : Optional.of(VersionGap.TYPES);
  }

  /** Whether versions of a row always come under the same text of its key. */
  private static boolean hasOneText(SideCatalog catalog, List<String> key, String column) {
    TypeName type = catalog.column(column).orElseThrow().type();
    return type.builtIn()
        && (ONE_TEXT.contains(type.name())
            || (ONE_TEXT_IF_DETERMINISTIC.contains(type.name())
                && catalog
                    .usableKey(key)
                    .flatMap(index -> index.sortOf(column))
                    .filter(IndexSort::isDeterministic)
                    .isPresent()));
  }

  @Override
  public TablePlan plan() {
    return plan;
  }

  @Override
  public RowVersion.State absence() {
    return never.<RowVersion.State>map(Untold::new).orElseGet(() -> new Known(Optional.empty()));
  }

  @Override
  public RowVersion.State state(StreamedRow.Contents contents) {
    if (never.isPresent()) {
      return new Untold(never.get());
    }
    if (!contents.columns().equals(columns)) {
      columns = List.copyOf(contents.columns());
      places = places();
    }
    return places
        .map(found -> hashed(contents.texts(), found))
        .orElseGet(() -> new Untold(VersionGap.COLUMNS));
  }

  private Optional<int[]> places() {
    int[] found = plan.comparedColumns().stream().mapToInt(columns::indexOf).toArray();
    for (int place : found) {
      if (place < 0) {
        return Optional.empty();
      }
    }
    return Optional.of(found);
  }

  @SuppressWarnings("ReferenceEquality")
  private RowVersion.State hashed(byte[][] texts, int[] found) {
    try {
      hasher.begin();
      for (int c = 0; c < found.length; c++) {
        byte[] text = texts[found[c]];
        if (text == StreamedRow.notSent()) {
          return new Untold(VersionGap.UNCHANGED_TOAST);
        }
        hasher.add(c, text == null ? null : forms.get(c).canonical(fetched(c, text)));
      }
      return new Known(Optional.of(hasher.end()));
    } catch (ArithmeticException | MalformedValueException e) {
      return new Untold(VersionGap.TYPES);
    }
  }

  /** As a read has it, which gets bytea as bytes. */
  private byte[] fetched(int column, byte[] text) {
    return forms.get(column).rule() == ValueRule.BYTEA_BYTES
        ? HexFormat.of().parseHex(new String(text, StandardCharsets.US_ASCII), 2, text.length)
        : text;
  }
}
