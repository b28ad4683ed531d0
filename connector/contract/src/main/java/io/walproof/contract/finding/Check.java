package io.walproof.contract.finding;

/** What is looked at, and why it matters. */
public enum Check {
  STATE("state.dir", "a run resumes from the position that it keeps"),
  SOURCE_CONNECTION(
      "source connection", "changes are streamed from the source, and rows read there"),
  SOURCE_SERVER("source server", "logical decoding needs this of the server and of the role"),
  SOURCE_CAPACITY("source capacity", "the capture holds one slot and one WAL sender for good"),
  SOURCE_TABLES("source tables", "only tables that the settings include are verified"),
  PUBLICATION("publication", "changes of what is not published are never seen"),
  SLOT("slot", "the slot keeps the WAL since the last decided change"),
  WAL_RETENTION("WAL kept by slots", "WAL that no slot releases fills the source's disk"),
  TARGET_CONNECTION("target connection", "every changed row is read there too"),
  DISTINCT("two databases", "a database always equals itself"),
  ENCODING("encodings", "characters that one side cannot hold arrive changed or not at all"),
  COLLATION("collations", "two servers that order texts differently cannot be read side by side"),
  SYNCHRONOUS(
      "synchronous standbys",
      "a commit that waits for one may be on the target and is hidden on the source"),
  CLOCKS("clocks", "times in records come from three clocks"),
  POOLER("poolers", "which server answers, and whose session it is, is the pooler's choice"),
  KEYS("keys", "a changed row is found on both sides by its key"),
  TABLE("table comparison", "a row is judged only if both sides' columns can be read and compared"),
  TARGET_INDEX("key lookups", "without an index over the key each read scans the target's table"),
  REPLAY("replay confirmation", "a row is accused only after the target has provably replayed"),
  SETTINGS("settings", "limits that contradict each other leave keys undecided");

  private final String text;
  private final String why;

  Check(String text, String why) {
    this.text = text;
    this.why = why;
  }

  /** Its name for people. */
  public String text() {
    return text;
  }

  /** Why it matters. */
  public String why() {
    return why;
  }
}
