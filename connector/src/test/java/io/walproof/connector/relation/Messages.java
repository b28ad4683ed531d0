package io.walproof.connector.relation;

import io.walproof.contract.ColumnShape;
import io.walproof.contract.Shape;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Builds pgoutput messages by the protocol's documentation. */
final class Messages {

  /** An out-of-line value that was not sent. */
  static final String UNCHANGED = "\0unchanged";

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);

  private interface Writer {
    void write(Messages to) throws IOException;
  }

  static ByteBuffer begin(long commit, long micros, int transaction) {
    return message(
        'B',
        to -> {
          to.out.writeLong(commit);
          to.out.writeLong(micros);
          to.out.writeInt(transaction);
        });
  }

  static ByteBuffer commit() {
    return message('C', to -> to.out.write(new byte[25]));
  }

  static ByteBuffer type(int oid, String schema, String name) {
    return message(
        'Y',
        to -> {
          to.out.writeInt(oid);
          to.string(schema);
          to.string(name);
        });
  }

  static ByteBuffer relation(Shape shape) {
    return message(
        'R',
        to -> {
          to.out.writeInt((int) shape.relationOid());
          to.string(shape.table().schema());
          to.string(shape.table().name());
          to.out.writeByte(shape.replicaIdentity().code());
          to.out.writeShort(shape.columns().size());
          for (ColumnShape column : shape.columns()) {
            to.out.writeByte(column.key() ? 1 : 0);
            to.string(column.name());
            to.out.writeInt((int) column.typeOid());
            to.out.writeInt(column.typeModifier());
          }
        });
  }

  static ByteBuffer insert(int oid, String... values) {
    return message('I', to -> to.out.writeInt(oid), to -> to.tuple('N', values));
  }

  static ByteBuffer update(int oid, String... values) {
    return message('U', to -> to.out.writeInt(oid), to -> to.tuple('N', values));
  }

  static ByteBuffer update(int oid, char kind, String[] before, String... after) {
    return message(
        'U', to -> to.out.writeInt(oid), to -> to.tuple(kind, before), to -> to.tuple('N', after));
  }

  static ByteBuffer delete(int oid, char kind, String... values) {
    return message('D', to -> to.out.writeInt(oid), to -> to.tuple(kind, values));
  }

  static ByteBuffer truncate(int... oids) {
    return message(
        'T',
        to -> {
          to.out.writeInt(oids.length);
          to.out.writeByte(0);
          for (int oid : oids) {
            to.out.writeInt(oid);
          }
        });
  }

  static ByteBuffer of(char type) {
    return message(type);
  }

  private void tuple(char kind, String... values) throws IOException {
    out.writeByte(kind);
    out.writeShort(values.length);
    for (String value : values) {
      if (value == null) {
        out.writeByte('n');
      } else if (value.equals(UNCHANGED)) {
        out.writeByte('u');
      } else {
        byte[] text = value.getBytes(StandardCharsets.UTF_8);
        out.writeByte('t');
        out.writeInt(text.length);
        out.write(text);
      }
    }
  }

  private void string(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.writeByte(0);
  }

  private static ByteBuffer message(char type, Writer... parts) {
    Messages message = new Messages();
    try {
      message.out.writeByte(type);
      for (Writer part : parts) {
        part.write(message);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ByteBuffer.wrap(message.bytes.toByteArray());
  }
}
