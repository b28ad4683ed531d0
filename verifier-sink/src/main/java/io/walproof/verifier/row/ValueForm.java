package io.walproof.verifier.row;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How a value's text is taken apart, so that {@link ValueRule}s apply to what it is made of: in an
 * array of numerics 1.0 is 1.00, as PostgreSQL's own operators have it. Bounds, nesting, NULLs and
 * the number of elements stay apart in the canonical bytes (invariant K).
 */
sealed interface ValueForm {

  /** What nesting is written with. */
  byte NULL = 0;

  byte VALUE = 1;
  byte OPEN = 2;
  byte CLOSE = 3;
  byte HEAD = 4;

  /** The rule of the whole. */
  ValueRule rule();

  /**
   * The canonical bytes; may be the array that was given.
   *
   * @throws MalformedValueException if the text does not have this form
   */
  byte[] canonical(byte[] text);

  /** Values without parts, or whose parts are compared as they are printed. */
  record Plain(ValueRule rule) implements ValueForm {
    @Override
    public byte[] canonical(byte[] text) {
      return rule.canonical(text);
    }
  }

  /**
   * What its type keeps sorted, between databases of two encodings.
   *
   * @param rule how the value is fetched
   * @param kind how it is written
   */
  record Members(ValueRule rule, Sorted kind) implements ValueForm {
    @Override
    public byte[] canonical(byte[] text) {
      return switch (kind) {
        case JSON -> SortedMembers.json(text);
        case HSTORE -> SortedMembers.hstore(text);
        case TSVECTOR -> SortedMembers.tsvector(text);
      };
    }
  }

  /** Values whose type sorts them by what the database's encoding makes of their texts. */
  enum Sorted {
    JSON,
    HSTORE,
    TSVECTOR;

    /** What values of this type are; empty if it sorts nothing. */
    static Optional<Sorted> of(TypeName type) {
      if (type.is("jsonb")) {
        return Optional.of(JSON);
      }
      if (type.is("tsvector")) {
        return Optional.of(TSVECTOR);
      }
      // An extension's type, in any schema.
      return !type.builtIn() && type.name().equals("hstore")
          ? Optional.of(HSTORE)
          : Optional.empty();
    }
  }

  /** {@code [0:1]={1,NULL,"a b"}}, of any dimension. */
  record Elements(ValueForm element) implements ValueForm {

    private static final byte[] NULL_WORD = "NULL".getBytes(StandardCharsets.US_ASCII);

    @Override
    public ValueRule rule() {
      return ValueRule.BY_PARTS;
    }

    @Override
    public byte[] canonical(byte[] text) {
      NestedText in = new NestedText(text);
      ByteArrayOutputStream out = new ByteArrayOutputStream(text.length + 16);
      if (in.peek() == '[') {
        put(out, HEAD, in.until('='));
      }
      int depth = 0;
      do {
        int next = in.peek();
        if (next == '{') {
          in.skip('{');
          out.write(OPEN);
          depth++;
        } else if (next == '}') {
          in.skip('}');
          out.write(CLOSE);
          depth--;
        } else if (next == ',') {
          in.skip(',');
        } else {
          boolean quoted = next == '"';
          byte[] one = in.item(',', '}');
          put(out, !quoted && Arrays.equals(one, NULL_WORD) ? null : one, element);
        }
      } while (depth > 0);
      in.requireEnd();
      return out.toByteArray();
    }
  }

  /** {@code (1,,"a b")}; an attribute that is not there is NULL. */
  record Attributes(List<ValueForm> attributes) implements ValueForm {

    public Attributes {
      attributes = List.copyOf(attributes);
    }

    @Override
    public ValueRule rule() {
      return ValueRule.BY_PARTS;
    }

    @Override
    public byte[] canonical(byte[] text) {
      NestedText in = new NestedText(text);
      ByteArrayOutputStream out = new ByteArrayOutputStream(text.length + 16);
      in.skip('(');
      for (int i = 0; i < attributes.size(); i++) {
        if (i > 0) {
          in.skip(',');
        }
        boolean absent = in.peek() == ',' || in.peek() == ')';
        put(out, absent ? null : in.item(',', ')'), attributes.get(i));
      }
      in.skip(')');
      in.requireEnd();
      return out.toByteArray();
    }
  }

  /** {@code [1,2)}, {@code (,"a b"]} or {@code empty}. */
  record Bounds(ValueForm bound) implements ValueForm {

    private static final byte[] EMPTY = "empty".getBytes(StandardCharsets.US_ASCII);

    @Override
    public ValueRule rule() {
      return ValueRule.BY_PARTS;
    }

    @Override
    public byte[] canonical(byte[] text) {
      if (Arrays.equals(text, EMPTY)) {
        return text;
      }
      NestedText in = new NestedText(text);
      ByteArrayOutputStream out = new ByteArrayOutputStream(text.length + 16);
      range(in, out, bound);
      in.requireEnd();
      return out.toByteArray();
    }

    private static void range(NestedText in, ByteArrayOutputStream out, ValueForm bound) {
      out.write(in.oneOf('[', '('));
      put(out, in.peek() == ',' ? null : in.item(',', ','), bound);
      in.skip(',');
      put(out, in.peek() == ']' || in.peek() == ')' ? null : in.item(']', ')'), bound);
      out.write(in.oneOf(']', ')'));
    }
  }

  /** {@code {[1,2),[4,)}}. */
  record Ranges(ValueForm bound) implements ValueForm {

    @Override
    public ValueRule rule() {
      return ValueRule.BY_PARTS;
    }

    @Override
    public byte[] canonical(byte[] text) {
      NestedText in = new NestedText(text);
      ByteArrayOutputStream out = new ByteArrayOutputStream(text.length + 16);
      in.skip('{');
      while (in.peek() != '}') {
        if (in.peek() == ',') {
          in.skip(',');
        }
        Bounds.range(in, out, bound);
      }
      in.skip('}');
      in.requireEnd();
      return out.toByteArray();
    }
  }

  private static void put(ByteArrayOutputStream out, byte[] value, ValueForm form) {
    if (value == null) {
      out.write(NULL);
    } else {
      put(out, VALUE, form.canonical(value));
    }
  }

  private static void put(ByteArrayOutputStream out, byte tag, byte[] bytes) {
    out.write(tag);
    for (int shift = 24; shift >= 0; shift -= 8) {
      out.write(bytes.length >>> shift);
    }
    out.write(bytes, 0, bytes.length);
  }
}
