package io.walproof.connector.relation;

import io.walproof.contract.ColumnShape;
import io.walproof.contract.StreamedRow;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The new row of an INSERT or UPDATE message, read when somebody asks. What an update left out
 * because it did not change is taken from the old row, where the message has that in full.
 */
final class TupleContents implements StreamedRow.Contents {

  private final Relation relation;
  private final ByteBuffer tuples;

  /**
   * Of one message.
   *
   * @param tuples the message behind the relation's OID, which nobody changes any more
   */
  TupleContents(Relation relation, ByteBuffer tuples) {
    this.relation = relation;
    this.tuples = tuples;
  }

  @Override
  public List<String> columns() {
    return relation.shape().columns().stream().map(ColumnShape::name).toList();
  }

  @Override
  @SuppressWarnings("ReferenceEquality")
  public byte[][] texts() {
    ByteBuffer in = tuples.duplicate();
    byte tuple = in.get();
    byte[][] before = null;
    if (tuple == 'K' || tuple == 'O') {
      byte[][] old = TupleReader.readAll(in);
      before = tuple == 'O' ? old : null;
      tuple = in.get();
    }
    if (tuple != 'N') {
      throw new TapException("a change message has no new tuple");
    }
    byte[][] texts = TupleReader.readAll(in);
    if (before != null) {
      for (int i = 0; i < texts.length; i++) {
        texts[i] = texts[i] == StreamedRow.notSent() ? before[i] : texts[i];
      }
    }
    return texts;
  }
}
