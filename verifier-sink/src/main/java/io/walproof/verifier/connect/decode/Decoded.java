package io.walproof.verifier.connect.decode;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.TableId;

/** What a record of a topic amounts to. */
public sealed interface Decoded {

  /**
   * A change of a row.
   *
   * @param key the change
   */
  record Change(ChangedKey key) implements Decoded {}

  /**
   * A drift event, where they are read.
   *
   * @param event the event
   */
  record Drift(DriftEvent event) implements Decoded {}

  /**
   * A change of a table whose shape nobody has accepted yet.
   *
   * @param key the change
   */
  record Diverted(ChangedKey key) implements Decoded {}

  /**
   * Where a table's diverted records begin, or where they end because its shape was accepted, or is
   * its first to a source connector that knows nothing of before.
   *
   * @param event the drift event, which names the table
   * @param begins whether no record of the table was diverted before it
   */
  record Diversion(DriftEvent event, boolean begins) implements Decoded {}

  /**
   * A change that names no row that could be checked: counted for its table.
   *
   * @param table the table
   * @param reason a word for the counts
   * @param detail a sentence for people, with the way out; no row values
   */
  record Skipped(TableId table, String reason, String detail) implements Decoded {}

  /**
   * A record that concerns no row.
   *
   * @param reason a word for the counts
   */
  record Ignored(String reason) implements Decoded {}
}
