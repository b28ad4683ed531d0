package io.walproof.verifier.row;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Puts the members of jsonb's and hstore's text in an order that all servers share: theirs is by
 * the keys' lengths in the database's encoding, in which "é" has one byte or two.
 */
final class SortedMembers {

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
    return joined(pairs);
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
    byte[] all = named ? joined(members) : inOrder(members);
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
  private static byte[] joined(List<byte[]> members) {
    members.sort(Arrays::compareUnsigned);
    return inOrder(members);
  }

  private static byte[] inOrder(List<byte[]> members) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < members.size(); i++) {
      if (i > 0) {
        out.write(',');
        out.write(' ');
      }
      out.write(members.get(i), 0, members.get(i).length);
    }
    return out.toByteArray();
  }
}
