package io.walproof.verifier.range;

import io.walproof.contract.RowKey;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.row.KeyRange;
import io.walproof.verifier.row.RangeAccess.Content;
import io.walproof.verifier.row.RowsChunk;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * What lies on the target behind the end of a full page and has the key that the page ends with.
 * The next page begins behind that key, so without a unique index such rows would be in no page.
 */
final class PageEdge {

  /** So many rows of one key are counted; more change no verdict. */
  private static final int MOST = 1_000;

  private PageEdge() {}

  /**
   * What was found.
   *
   * @param more the key, once for each further row that has it
   * @param end why nobody knows
   */
  record Found(List<RowKey> more, Optional<WalkEnd> end) {
    static final Found NOTHING = new Found(List.of(), Optional.empty());
  }

  /** Looks behind a page of the target that holds as many rows as were asked for. */
  static Found behind(SideReader reader, RowsChunk page, Cancellation cancel)
      throws InterruptedException {
    if (reader.plan().isIndexed(Side.TARGET)) {
      return Found.NOTHING;
    }
    int last = page.size() - 1;
    List<String> texts = page.keyTexts(last);
    int seen = 1;
    while (seen <= last && page.keyTexts(last - seen).equals(texts)) {
      seen++;
    }
    KeyRange.Bound edge = new KeyRange.Bound(texts, true);
    SideReader.Result read =
        reader.read(
            Side.TARGET,
            new KeyRange(Optional.of(edge), Optional.of(edge)),
            MOST,
            Content.KEYS,
            cancel);
    if (read instanceof SideReader.Result.Ended ended) {
      return new Found(List.of(), Optional.of(ended.end()));
    }
    int all = ((SideReader.Result.Rows) read).chunk().size();
    return all <= seen
        ? Found.NOTHING
        : new Found(Collections.nCopies(all - seen, page.key(last)), Optional.empty());
  }
}
