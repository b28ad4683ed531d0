package io.walproof.verifier.core;

import io.walproof.contract.StreamedRow;
import io.walproof.verifier.model.RowHash;
import io.walproof.verifier.model.RowVersion;
import io.walproof.verifier.row.StreamedRows;
import io.walproof.verifier.row.TablePlan;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Rows of a {@link OneColumnPlan} in a stream: the value's number is its hash. */
record OneColumnStream(TablePlan plan) implements StreamedRows {

  /** A row with this value. */
  static StreamedRow.Contents row(long value) {
    byte[] text = Long.toString(value).getBytes(StandardCharsets.US_ASCII);
    return new StreamedRow.Contents() {
      @Override
      public List<String> columns() {
        return List.of("value");
      }

      @Override
      public byte[][] texts() {
        return new byte[][] {text};
      }
    };
  }

  @Override
  public RowVersion.State state(StreamedRow.Contents contents) {
    String text = new String(contents.texts()[0], StandardCharsets.US_ASCII);
    return new RowVersion.Known(Optional.of(new RowHash(0, Long.parseLong(text))));
  }

  @Override
  public RowVersion.State absence() {
    return new RowVersion.Known(Optional.empty());
  }
}
