package io.walproof.verifier.model;

import java.util.Locale;

/** Why the versions of a row that the stream showed cannot decide. */
public enum VersionGap {
  /** Nobody kept this key's versions: a range check named it, or its table changed meanwhile. */
  NOT_KEPT("no versions of this key were kept since it was named"),
  /** {@code verify.versions.max.bytes} is reached. */
  MEMORY("verify.versions.max.bytes left no room for its versions"),
  /** The stream did not come far enough in time. */
  STREAM_BEHIND(
      "the stream of changes did not pass the target's read within verify.versions.timeout.ms"),
  /** Changes of the table came that name no key, or went elsewhere, or may be missing. */
  CHANGES_MISSED(
      "changes of the table that name no key, or that were lost, repeated or diverted, came"
          + " meanwhile"),
  /** What the stream carries was altered, or carries only some rows, or cannot be asked. */
  PUBLICATION("the publication was altered meanwhile, filters rows of the table, or was not read"),
  /** The table's columns changed among the versions. */
  SHAPE("the table's columns changed among the versions"),
  /** The stream leaves a compared column out: a column list, or a generated column. */
  COLUMNS("the stream does not carry every compared column"),
  /** A value that did not change and is stored out of line was not sent. */
  UNCHANGED_TOAST("a value that is stored out of line and did not change was not sent"),
  /** A version is longer than what is kept of a change. */
  TOO_LONG("a version is too long to be kept"),
  /** A rule has the server cast the value, or the key's text is not its identity. */
  TYPES("a column's type needs the server to compare it, or a key has several texts"),
  /** The source's own reads are not among the versions. */
  UNEXPLAINED("the versions do not explain what was read on the source"),
  /** The target shows what a transaction passed through and never committed. */
  UNCOMMITTED("the target shows what a transaction held in between and did not commit");

  private final String sentence;

  VersionGap(String sentence) {
    this.sentence = sentence;
  }

  /** Lower case with underscores, for records. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** A sentence for people. */
  public String sentence() {
    return sentence;
  }
}
