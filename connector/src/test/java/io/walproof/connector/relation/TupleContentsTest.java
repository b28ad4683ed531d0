package io.walproof.connector.relation;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.ColumnShape;
import io.walproof.contract.ReplicaIdentity;
import io.walproof.contract.Shape;
import io.walproof.contract.StreamedRow;
import io.walproof.contract.TableId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The new row of a message, whatever stands before it. */
class TupleContentsTest {

  private static final Relation RELATION =
      new Relation(
          new Shape(
              new TableId("public", "t"),
              7,
              ReplicaIdentity.FULL,
              List.of(
                  new ColumnShape("id", 23, null, -1, true),
                  new ColumnShape("v", 25, null, -1, false),
                  new ColumnShape("w", 25, null, -1, false))),
          true);

  @Test
  void anInsertsRow() {
    assertThat(texts(Messages.insert(7, "1", null, ""))).containsExactly("1", null, "");
    assertThat(contents(Messages.insert(7, "1", "a", "b")).columns())
        .containsExactly("id", "v", "w");
  }

  @Test
  void anUpdatesRowStandsBehindTheOldOne() {
    String[] before = {"1", "a", "b"};
    assertThat(texts(Messages.update(7, "1", "ü", "d"))).containsExactly("1", "ü", "d");
    assertThat(texts(Messages.update(7, 'K', new String[] {"1", null, null}, "2", "c", "d")))
        .containsExactly("2", "c", "d");
    assertThat(texts(Messages.update(7, 'O', before, "2", "c", null)))
        .containsExactly("2", "c", null);
  }

  /** Only a full old row has what was left out; in a key's it would be NULL for another reason. */
  @Test
  void whatWasNotSentIsTakenFromAFullOldRowOnly() {
    String[] before = {"1", "a", "b"};
    String[] after = {"1", Messages.UNCHANGED, "d"};
    assertThat(texts(Messages.update(7, 'O', before, after))).containsExactly("1", "a", "d");
    assertThat(texts(Messages.update(7, 'K', new String[] {"0", null, null}, after)))
        .containsExactly("1", "not sent", "d");
    assertThat(texts(Messages.update(7, after))).containsExactly("1", "not sent", "d");
  }

  @Test
  void readsAsOftenAsItIsAsked() {
    TupleContents contents = contents(Messages.insert(7, "1", "a", "b"));
    assertThat(contents.texts()[1]).isEqualTo(contents.texts()[1]);
  }

  private static TupleContents contents(ByteBuffer message) {
    message.get();
    message.getInt();
    return new TupleContents(RELATION, message);
  }

  @SuppressWarnings("ReferenceEquality")
  private static List<String> texts(ByteBuffer message) {
    List<String> texts = new ArrayList<>();
    for (byte[] text : contents(message).texts()) {
      texts.add(
          text == null
              ? null
              : text == StreamedRow.notSent()
                  ? "not sent"
                  : new String(text, StandardCharsets.UTF_8));
    }
    return texts;
  }
}
