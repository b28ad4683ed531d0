package io.walproof.verifier.row;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Puts the members of jsonb's, hstore's and tsvector's text in an order that all servers share:
 * theirs is by lengths or bytes in the database's encoding, in which "é" has one byte or two, and
 * "€" comes before it or after it.
 */
final class SortedMembers {

  private static final String COMMA = ", ";

  private final byte[] text;
  private int at;

  private SortedMembers(byte[] text) {
    this.text = text;
  }

  /** Of jsonb's text, at every depth. */
  static byte[] json(byte[] text) {
    SortedMembers in = new SortedMembers(text);
    byte[] sorted = in.value();
    if (in.at != text.length) {
      throw new MalformedValueException();
    }
    return sorted;
  }

  /** Of hstore's text. */
  static byte[] hstore(byte[] text) {
    SortedMembers in = new SortedMembers(text);
    List<byte[]> pairs = new ArrayList<>();
    while (in.at < text.length) {
      int from = in.at;
      while (in.at < text.length && text[in.at] != ',') {
        in.token();
      }
      pairs.add(Arrays.copyOfRange(text, from, in.at));
      in.separator();
    }
    return sorted(pairs, COMMA);
  }

  /** Of tsvector's text, {@code 'a':1A,2 'it''s'}. */
  static byte[] tsvector(byte[] text) {
    SortedMembers in = new SortedMembers(text);
    List<byte[]> lexemes = new ArrayList<>();
    while (in.at < text.length) {
      int from = in.at;
      in.lexeme();
      while (in.at < text.length && text[in.at] != ' ') {
        in.at++;
      }
      lexemes.add(Arrays.copyOfRange(text, from, in.at));
      in.at++;
    }
    return sorted(lexemes, " ");
  }

  /** In quotes; one within is doubled. */
  private void lexeme() {
    if (peek() != '\'') {
      throw new MalformedValueException();
    }
    do {
      at++;
      while (peek() != '\'') {
        at++;
      }
      at++;
    } while (at < text.length && text[at] == '\'');
  }

  private byte[] value() {
    int first = peek();
    if (first == '{') {
      return members('}', true);
    }
    if (first == '[') {
      return members(']', false);
    }
    int from = at;
    while (at < text.length && ",}]".indexOf(text[at]) < 0) {
      token();
    }
    return Arrays.copyOfRange(text, from, at);
  }

  private byte[] members(char end, boolean named) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(text[at++]);
    List<byte[]> members = new ArrayList<>();
    while (peek() != end) {
      ByteArrayOutputStream member = new ByteArrayOutputStream();
      if (named) {
        int from = at;
        token();
        // A colon and a blank follow the name.
        at += 2;
        member.write(text, from, at - from);
      }
      byte[] value = value();
      member.write(value, 0, value.length);
      members.add(member.toByteArray());
      separator();
    }
    at++;
    byte[] all = named ? sorted(members, COMMA) : inOrder(members, COMMA);
    out.write(all, 0, all.length);
    out.write(end);
    return out.toByteArray();
  }

  /** A string in quotes, or one byte. */
  private void token() {
    if (peek() != '"') {
      at++;
      return;
    }
    at++;
    while (peek() != '"') {
      at += text[at] == '\\' ? 2 : 1;
    }
    at++;
  }

  /** A comma and a blank, if there is more. */
  private void separator() {
    if (at < text.length && text[at] == ',') {
      at += 2;
    }
  }

  private int peek() {
    if (at >= text.length) {
      throw new MalformedValueException();
    }
    return text[at];
  }

  /** No member is the beginning of another one's, because each one's name ends with a quote. */
  private static byte[] sorted(List<byte[]> members, String separator) {
    members.sort(Arrays::compareUnsigned);
    return inOrder(members, separator);
  }

  private static byte[] inOrder(List<byte[]> members, String separator) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < members.size(); i++) {
      if (i > 0) {
        out.writeBytes(separator.getBytes(StandardCharsets.US_ASCII));
      }
      out.writeBytes(members.get(i));
    }
    return out.toByteArray();
  }
}
