package io.walproof.standalone.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.contract.ChangedKey;
import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.contract.topic.ChangedKeyRecord;
import io.walproof.contract.topic.TopicFormatException;
import io.walproof.verifier.audit.PrivateFiles;
import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of diverted tables that wait to be checked, one JSON object a line in a file of mode
 * 0600: a changed key in the form that it has on topics. A later line of the same key replaces the
 * earlier one. What is kept is synced before {@link #keep} returns; a line that a crash tore was
 * not, and is cut off. At most so many keys are kept; of a table of which one was not, that is kept
 * instead, in a line of its own. One process at a time; the state folder's lock sees to that.
 * Thread-safe.
 */
final class DivertedStore {

  private static final Logger LOG = LoggerFactory.getLogger(DivertedStore.class);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** In place of a key: keys of the table were not kept. */
  private static final String FULL = "full";

  /** Replaced lines that a file may hold before it is written anew. */
  private static final int SLACK = 1_000;

  private record Identity(TableId table, RowKey key) {}

  private final Path file;
  private final int most;
  private final Map<Identity, ChangedKey> keys = new LinkedHashMap<>();
  private final Set<TableId> full = new TreeSet<>();

  /** Those of which a key was not kept since the file was opened; of that nobody was told yet. */
  private final Set<TableId> fullAgain = new TreeSet<>();

  private long lines;

  private DivertedStore(Path file, int most) {
    this.file = file;
    this.most = most;
  }

  /**
   * Opens the file, which need not exist; its folder must.
   *
   * @param most how many keys to keep ({@code verify.diverted.max})
   * @throws DivertedStoreException if it is damaged or cannot be read
   */
  static DivertedStore open(Path file, int most) {
    DivertedStore store = new DivertedStore(file.toAbsolutePath(), most);
    try {
      store.read();
    } catch (IOException e) {
      throw store.failed("cannot be read", e);
    }
    return store;
  }

  private void read() throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    PrivateFiles.file(file);
    byte[] bytes = Files.readAllBytes(file);
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    if (end < bytes.length) {
      LOG.warn(
          "{}: the last line was torn by a crash and is dropped; its change comes again", file);
    }
    String text = new String(bytes, 0, end, StandardCharsets.UTF_8);
    for (String line : text.split("\n", -1)) {
      if (!line.isEmpty()) {
        lines++;
        readLine(line);
      }
    }
    if (end < bytes.length) {
      rewrite();
    }
  }

  private void readLine(String line) {
    try {
      Map<String, Object> value = JSON.readValue(line, new TypeReference<Map<String, Object>>() {});
      if (value.containsKey(FULL)) {
        full.add(
            new TableId(
                (String) value.get(ChangedKeyRecord.SCHEMA),
                (String) value.get(ChangedKeyRecord.TABLE)));
      } else {
        put(ChangedKeyRecord.of(value));
      }
    } catch (JsonProcessingException
        | TopicFormatException
        | ClassCastException
        | NullPointerException e) {
      throw new DivertedStoreException(
          "the file of diverted keys "
              + file
              + " is damaged in line "
              + lines
              + "; it is left as it is. Restore it from a copy, or move it away and check the"
              + " diverted tables with verify-range",
          e);
    }
  }

  /**
   * Keeps keys.
   *
   * @return those that there was no room for
   * @throws DivertedStoreException if they could not be made durable
   */
  synchronized List<ChangedKey> keep(List<ChangedKey> more) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    List<ChangedKey> kept = new ArrayList<>();
    Set<Identity> added = new HashSet<>();
    List<ChangedKey> left = new ArrayList<>();
    Set<TableId> filled = new TreeSet<>();
    for (ChangedKey key : more) {
      Identity identity = identity(key);
      if (keys.containsKey(identity)
          || added.contains(identity)
          || keys.size() + added.size() < most) {
        if (!keys.containsKey(identity)) {
          added.add(identity);
        }
        kept.add(key);
        text.writeBytes(line(ChangedKeyRecord.value(key)));
      } else {
        left.add(key);
        fullAgain.add(key.table());
        if (!full.contains(key.table()) && filled.add(key.table())) {
          text.writeBytes(fullLine(key.table()));
        }
      }
    }
    append(text.toByteArray());
    kept.forEach(this::put);
    lines += kept.size() + filled.size();
    full.addAll(filled);
    if (lines > 2L * (keys.size() + full.size()) + SLACK) {
      rewriteOrFail();
    }
    return left;
  }

  /** The kept keys of all tables but these, in the order in which they were kept. */
  synchronized List<ChangedKey> except(Collection<TableId> tables) {
    return keys.values().stream().filter(key -> !tables.contains(key.table())).toList();
  }

  /** The tables of which keys were not kept, but for these. */
  synchronized List<TableId> fullExcept(Collection<TableId> tables) {
    return full.stream().filter(table -> !tables.contains(table)).toList();
  }

  /**
   * Forgets keys that are checked, unless they were kept once more meanwhile, be it for the same
   * change: that came again and waits anew.
   *
   * @param checked as {@link #except} gave them
   * @param tables of which it is told by now that keys were not kept when the file was opened
   * @throws DivertedStoreException if that could not be made durable; then they are checked again
   */
  synchronized void forget(List<ChangedKey> checked, Collection<TableId> tables) {
    boolean changed = full.removeIf(table -> tables.contains(table) && !fullAgain.contains(table));
    for (ChangedKey key : checked) {
      if (isHeld(key)) {
        keys.remove(identity(key));
        changed = true;
      }
    }
    if (changed) {
      rewriteOrFail();
    }
  }

  /** How many of the keys that {@link #except} gave are kept still and were not kept once more. */
  synchronized int held(List<ChangedKey> given) {
    return (int) given.stream().filter(this::isHeld).count();
  }

  /** The very object: a key that is kept once more for the same change is an equal one. */
  @SuppressWarnings("ReferenceEquality")
  private boolean isHeld(ChangedKey key) {
    return keys.get(identity(key)) == key;
  }

  /** Kept keys, and tables of which keys were not kept. */
  synchronized int size() {
    return keys.size() + full.size();
  }

  private void put(ChangedKey key) {
    keys.put(identity(key), key);
  }

  private static Identity identity(ChangedKey key) {
    return new Identity(key.table(), key.key());
  }

  /** A stream, because an interrupt (a capture being closed) would close a channel. */
  private void append(byte[] text) {
    if (text.length == 0) {
      return;
    }
    try {
      PrivateFiles.file(file);
      try (FileOutputStream out = new FileOutputStream(file.toFile(), true)) {
        out.write(text);
        out.getFD().sync();
      }
    } catch (IOException e) {
      throw failed("cannot be written", e);
    }
  }

  private void rewriteOrFail() {
    try {
      rewrite();
    } catch (IOException e) {
      throw failed("cannot be written", e);
    }
  }

  /** A crash leaves the old file or the new one; both say the same of what waits. */
  private void rewrite() throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    Files.deleteIfExists(temporary);
    PrivateFiles.file(temporary);
    try (FileOutputStream out = new FileOutputStream(temporary.toFile())) {
      for (ChangedKey key : keys.values()) {
        out.write(line(ChangedKeyRecord.value(key)));
      }
      for (TableId table : full) {
        out.write(fullLine(table));
      }
      out.getFD().sync();
    }
    Files.move(
        temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    PrivateFiles.file(file);
    lines = (long) keys.size() + full.size();
  }

  private static byte[] fullLine(TableId table) {
    Map<String, Object> value = new TreeMap<>();
    value.put(ChangedKeyRecord.V, ChangedKeyRecord.VERSION);
    value.put(ChangedKeyRecord.SCHEMA, table.schema());
    value.put(ChangedKeyRecord.TABLE, table.name());
    value.put(FULL, true);
    return line(value);
  }

  private static byte[] line(Map<String, Object> value) {
    try {
      return (JSON.writeValueAsString(value) + '\n').getBytes(StandardCharsets.UTF_8);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a map of texts and numbers can always be written", e);
    }
  }

  private DivertedStoreException failed(String how, IOException e) {
    return new DivertedStoreException(
        "the file of diverted keys "
            + file
            + " "
            + how
            + " ("
            + e.getClass().getSimpleName()
            + "); free space or permissions on its folder are missing",
        e);
  }
}
