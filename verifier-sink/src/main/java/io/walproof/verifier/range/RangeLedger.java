package io.walproof.verifier.range;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.walproof.verifier.audit.PrivateFiles;
import io.walproof.verifier.row.KeyRange;
import io.walproof.verifier.row.RowAccesses;
import io.walproof.verifier.row.RowDigest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * What is proved of one claim so far, on disk, so that a run that ends early, however it ends, is
 * continued by the next. For one thread.
 *
 * <p>Format 1, one JSON object a line: the claim and its scope; {@code began}, when it was first
 * checked; then, as they happen, {@code source} (a source chunk is compared; {@code to} is its last
 * key, absent at the range's end; {@code suspects} are the keys that it did not prove), {@code
 * target} (the target was looked through up to a key) and {@code extra} (keys that may be only on
 * the target). A line is on disk before anything is done about it. What a crash cut off is dropped,
 * and {@code extra} lines whose chunk was not ended too: the chunk is compared again and finds them
 * again. Keys are in it, so its mode is 0600.
 */
final class RangeLedger implements AutoCloseable {

  private static final int VERSION = 1;

  /** In ASCII, so that no line can be cut within a character. */
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  /** How a line begins that says nothing until its chunk is ended. */
  private static final String EXTRA = "{\"extra\"";

  private final Path file;
  private final FileChannel channel;
  private final State state = new State();

  private RangeLedger(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** What the lines say. */
  static final class State {
    private Optional<List<String>> sourceTo = Optional.empty();
    private boolean sourceEnded;
    private Optional<List<String>> targetTo = Optional.empty();
    private boolean targetEnded;
    private long rows;
    private long bytes;
    private long chunksEqual;
    private long chunksDiffering;
    private long lines;
    private Optional<Instant> began = Optional.empty();

    private void forget() {
      sourceTo = Optional.empty();
      sourceEnded = false;
      targetTo = Optional.empty();
      targetEnded = false;
      rows = 0;
      bytes = 0;
      chunksEqual = 0;
      chunksDiffering = 0;
      lines = 0;
      began = Optional.empty();
    }

    /** When the claim was first checked. */
    Optional<Instant> began() {
      return began;
    }

    Optional<List<String>> sourceTo() {
      return sourceTo;
    }

    boolean sourceEnded() {
      return sourceEnded;
    }

    Optional<List<String>> targetTo() {
      return targetTo;
    }

    boolean targetEnded() {
      return targetEnded;
    }

    long rows() {
      return rows;
    }

    long bytes() {
      return bytes;
    }

    long chunksEqual() {
      return chunksEqual;
    }

    long chunksDiffering() {
      return chunksDiffering;
    }
  }

  /**
   * Opens a claim's ledger, which is empty unless an earlier run left it.
   *
   * @param directory where ledgers are
   * @param scope what the proofs depend on beside the claim: the databases, and how their tables
   *     are read and compared
   * @param oldest forgets what an earlier run left that began before
   * @param now when this one begins
   * @throws RangeException if the file cannot be used
   */
  static RangeLedger open(
      Path directory,
      Claim claim,
      List<String> keyColumns,
      String scope,
      Instant oldest,
      Instant now) {
    String header = header(claim, keyColumns, scope);
    Path file = directory.resolve(name(header));
    try {
      PrivateFiles.directory(directory);
      PrivateFiles.file(file);
      RangeLedger ledger =
          new RangeLedger(
              file, FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE));
      ledger.load(header);
      if (ledger.state.began.filter(at -> !at.isBefore(oldest)).isEmpty()) {
        ledger.begin(header, now);
      }
      return ledger;
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  private static RangeException failed(Path file, IOException e) {
    return new RangeException(
        "The range ledger " + file + " cannot be used (" + e + "); check state.dir and its disk.",
        e);
  }

  private static String header(Claim claim, List<String> keyColumns, String scope) {
    ObjectNode json = JSON.createObjectNode();
    json.put("v", VERSION);
    json.put("rules", RowAccesses.RULES_VERSION);
    json.put("digest", RowDigest.VERSION);
    json.putObject("table").put("schema", claim.table().schema()).put("name", claim.table().name());
    texts(json.putArray("key"), keyColumns);
    json.put("scope", scope);
    claim.range().from().ifPresent(from -> bound(json.putObject("from"), from));
    claim.range().to().ifPresent(to -> bound(json.putObject("to"), to));
    return json.toString();
  }

  private static void bound(ObjectNode json, KeyRange.Bound bound) {
    texts(json.putArray("key"), bound.key());
    json.put("inclusive", bound.inclusive());
  }

  private static String name(String header) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(header.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 16) + ".jsonl";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private void load(String header) throws IOException {
    long read = 0;
    long whole = 0;
    boolean valid = true;
    // Unlike a file's own reader this one does not fail for what a crash left behind.
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8))) {
      String line = reader.readLine();
      while (line != null && valid) {
        valid = state.lines == 0 ? line.equals(header) : apply(line);
        if (valid) {
          read += line.getBytes(StandardCharsets.UTF_8).length + 1L;
          state.lines++;
          if (!line.startsWith(EXTRA)) {
            whole = read;
          }
        }
        line = reader.readLine();
      }
    }
    channel.truncate(whole);
    channel.position(channel.size());
    if (whole > channel.size()) {
      // A crash cut off the newline alone.
      channel.write(ByteBuffer.wrap(new byte[] {'\n'}));
    }
  }

  private void begin(String header, Instant now) throws IOException {
    channel.truncate(0);
    channel.position(0);
    state.forget();
    append(header);
    ObjectNode json = JSON.createObjectNode();
    json.put("began", now.toString());
    write(json);
  }

  private boolean apply(String line) {
    JsonNode json = parse(line);
    if (json == null) {
      return false;
    }
    JsonNode source = json.path("source");
    if (source.isObject()) {
      state.rows += source.path("rows").asLong();
      state.bytes += source.path("bytes").asLong();
      if (source.path("equal").asBoolean()) {
        state.chunksEqual++;
      } else {
        state.chunksDiffering++;
      }
      state.sourceEnded = !source.has("to");
      state.sourceTo = source.has("to") ? Optional.of(texts(source.path("to"))) : state.sourceTo;
      return true;
    }
    JsonNode target = json.path("target");
    if (target.isObject()) {
      state.targetEnded = !target.has("to");
      state.targetTo = target.has("to") ? Optional.of(texts(target.path("to"))) : state.targetTo;
      return true;
    }
    JsonNode began = json.path("began");
    if (began.isTextual()) {
      state.began = instant(began.textValue());
      return state.began.isPresent();
    }
    return json.path("extra").isArray();
  }

  private static Optional<Instant> instant(String text) {
    try {
      return Optional.of(Instant.parse(text));
    } catch (java.time.format.DateTimeParseException e) {
      // Not ours; the ledger is begun anew.
      org.slf4j.LoggerFactory.getLogger(RangeLedger.class).debug("a ledger has no beginning", e);
      return Optional.empty();
    }
  }

  private static JsonNode parse(String line) {
    try {
      return JSON.readTree(line);
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      // Cut off by a crash; what it said is found out again.
      org.slf4j.LoggerFactory.getLogger(RangeLedger.class)
          .debug("a ledger line was cut off: {}", e.getClass().getSimpleName());
      return null;
    }
  }

  /** Where it stands. */
  State state() {
    return state;
  }

  /** Whether an earlier run got somewhere. */
  boolean isResumed() {
    return state.sourceTo.isPresent() || state.sourceEnded;
  }

  /**
   * A source chunk was compared.
   *
   * @param to its last key; empty at the range's end
   * @param suspects keys that it did not prove
   */
  void source(
      Optional<List<String>> to,
      long rows,
      long bytes,
      boolean equal,
      List<List<String>> suspects) {
    ObjectNode json = JSON.createObjectNode();
    ObjectNode chunk = json.putObject("source");
    to.ifPresent(key -> texts(chunk.putArray("to"), key));
    chunk.put("rows", rows).put("bytes", bytes).put("equal", equal);
    if (!suspects.isEmpty()) {
      ArrayNode keys = json.putArray("suspects");
      suspects.forEach(key -> texts(keys.addArray(), key));
    }
    write(json);
  }

  /** The target was looked through up to a key; empty at its end. */
  void target(Optional<List<String>> to) {
    ObjectNode json = JSON.createObjectNode();
    ObjectNode part = json.putObject("target");
    to.ifPresent(key -> texts(part.putArray("to"), key));
    write(json);
  }

  /** Keys that may be only on the target. */
  void extra(List<List<String>> keys) {
    ObjectNode json = JSON.createObjectNode();
    ArrayNode all = json.putArray("extra");
    keys.forEach(key -> texts(all.addArray(), key));
    write(json);
  }

  private void write(ObjectNode json) {
    String line = json.toString();
    try {
      append(line);
    } catch (IOException e) {
      throw failed(file, e);
    }
    apply(line);
  }

  private void append(String line) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap((line + '\n').getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
    channel.force(false);
    state.lines++;
  }

  /**
   * Reads the keys of a kind again, a line at a time.
   *
   * @param kind {@code suspects} or {@code extra}
   * @return false if the taker had enough
   */
  boolean forEach(String kind, Taker taker) throws InterruptedException {
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      String line = reader.readLine();
      while (line != null) {
        JsonNode keys = JSON.readTree(line).path(kind);
        if (keys.isArray() && !keys.isEmpty()) {
          List<List<String>> read = new ArrayList<>(keys.size());
          keys.forEach(key -> read.add(texts(key)));
          if (!taker.take(read)) {
            return false;
          }
        }
        line = reader.readLine();
      }
      return true;
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  /** Takes one line's keys. */
  @FunctionalInterface
  interface Taker {
    /** Takes them; false if no more are wanted. */
    boolean take(List<List<String>> keys) throws InterruptedException;
  }

  private static void texts(ArrayNode array, List<String> texts) {
    texts.forEach(array::add);
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>(array.size());
    array.forEach(text -> texts.add(text.asText()));
    return texts;
  }

  /** There is nothing left to continue. */
  void delete() {
    close();
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw failed(file, e);
    }
  }
}
