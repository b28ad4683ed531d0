package io.walproof.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import io.walproof.contract.RowKey;
import io.walproof.contract.SqlIdentifier;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.audit.AuditReader;
import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.AuditType;
import io.walproof.verifier.audit.VisibleText;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code walproof audit show}. */
@Command(name = "show", description = "Prints records; with --json as they stand in the file.")
final class AuditShowCommand implements Callable<Integer> {

  private static final List<String> OUTCOMES =
      List.of(
          "deferred",
          "converged",
          "advanced",
          "unresolved",
          "unresolved_missing",
          "unresolved_different",
          "unresolved_target_stalled",
          "unresolved_stale",
          "ignored_app",
          "incomplete",
          "proved",
          "failed",
          "skipped");

  private static final Duration FOLLOW_PAUSE = Duration.ofMillis(300);

  @Spec private CommandSpec spec;
  @Mixin private AuditLocation location;

  @Option(
      names = "--table",
      paramLabel = "SCHEMA.TABLE",
      converter = TableName.class,
      description = "Only this table; quote parts as in SQL.")
  private TableId table;

  @Option(
      names = "--key",
      paramLabel = "COLUMN=VALUE",
      converter = KeyColumn.class,
      description =
          "Only keys with this value, the column as in the catalog or quoted as in SQL; repeat for"
              + " more columns.")
  private List<RowKey.Column> key = new ArrayList<>();

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      converter = Type.class,
      split = ",",
      description =
          "Only this type of record: run_start, observation, decision, drift, range_start,"
              + " range_end, summary, run_end or torn_line; several with commas between.")
  private Set<AuditType> types = EnumSet.noneOf(AuditType.class);

  @Option(
      names = "--outcome",
      paramLabel = "OUTCOME",
      converter = Outcome.class,
      description =
          "Only this outcome: deferred, converged, advanced, unresolved, unresolved_missing,"
              + " unresolved_different, unresolved_target_stalled, unresolved_stale, ignored_app or"
              + " incomplete; of range checks proved, failed, incomplete or skipped.")
  private String outcome;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      converter = MomentConverter.class,
      description =
          "Only records from then on: a time such as 2026-01-31T12:00:00Z, or a duration before now"
              + " such as 30m or 2h.")
  private Instant since;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      converter = MomentConverter.class,
      description = "Only records before then.")
  private Instant until;

  @Option(names = "--follow", description = "Go on with what is added, until stopped with Ctrl-C.")
  private boolean follow;

  @Option(
      names = "--story",
      description =
          "Everything about one key, put together: the shape, the first sight, the recheck, the"
              + " decision, and range checks of its table. Needs --table and --key.")
  private boolean story;

  private final Time time = Time.system();

  @Override
  public Integer call() throws InterruptedException {
    if (story && (table == null || key.isEmpty() || follow)) {
      throw new ParameterException(
          spec.commandLine(),
          "--story needs --table and --key, and goes without --follow: it is about one key so far");
    }
    if (story && (outcome != null || !types.isEmpty())) {
      throw new ParameterException(
          spec.commandLine(), "--story tells all of one key: it goes without --outcome and --type");
    }
    return story ? tell() : show();
  }

  private Integer tell() {
    PrintWriter out = spec.commandLine().getOut();
    KeyStory told = new KeyStory(table, this::isOfKey);
    try (AuditReader reader = AuditReader.open(location.path())) {
      Optional<AuditRecord> next = reader.next();
      while (next.isPresent()) {
        if (inTime(next.get())) {
          told.add(next.get());
        }
        next = reader.next();
      }
    }
    (location.json() ? told.records() : told.lines())
        .forEach(text -> out.println(VisibleText.of(text)));
    out.flush();
    if (told.isEmpty()) {
      spec.commandLine()
          .getErr()
          .println(
              "No record is about this key. Rows that were equal at the first read leave none.");
    }
    return ExitStatus.CLEAN.code();
  }

  private Integer show() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Predicate<AuditRecord> wanted = filter();
    long shown = 0;
    try (AuditReader reader = AuditReader.open(location.path())) {
      Optional<AuditRecord> next = reader.next();
      // The check ends the reading when a pager was closed.
      while ((next.isPresent() || follow) && !out.checkError()) {
        if (next.isEmpty()) {
          time.sleep(FOLLOW_PAUSE);
        } else if (wanted.test(next.get())) {
          out.println(location.json() ? VisibleText.of(next.get().text()) : line(next.get()));
          shown++;
        }
        next = reader.next();
      }
    } finally {
      out.flush();
    }
    if (shown == 0) {
      spec.commandLine().getErr().println("No record matches.");
    }
    return ExitStatus.CLEAN.code();
  }

  private Predicate<AuditRecord> filter() {
    Predicate<AuditRecord> filter = record -> true;
    if (table != null) {
      filter = filter.and(record -> record.table().filter(table::equals).isPresent());
    }
    if (!types.isEmpty()) {
      filter = filter.and(record -> types.contains(record.type()));
    }
    if (outcome != null) {
      filter =
          filter.and(
              record ->
                  record.outcome().stream()
                      .anyMatch(o -> o.equals(outcome) || o.startsWith(outcome + "_")));
    }
    if (!key.isEmpty()) {
      filter = filter.and(this::isOfKey);
    }
    filter = filter.and(this::inTime);
    return filter;
  }

  private boolean isOfKey(AuditRecord record) {
    return key.stream()
        .allMatch(
            column ->
                column.text().equals(record.json().path("key").path(column.name()).textValue()));
  }

  private boolean inTime(AuditRecord record) {
    return (since == null || !record.at().isBefore(since))
        && (until == null || record.at().isBefore(until));
  }

  /** One line for people: what is in every record of its type, and the rest only with --json. */
  private static String line(AuditRecord record) {
    StringBuilder line = new StringBuilder();
    line.append(record.seq()).append("  ").append(record.at()).append("  ");
    line.append(record.type().text());
    record.table().ifPresent(t -> line.append("  ").append(t.display()));
    JsonNode json = record.json();
    record.key().ifPresent(k -> line.append("  ").append(k.display()));
    record.outcome().ifPresent(o -> line.append("  ").append(o));
    if (record.outcome().isEmpty() && json.path("kind").isTextual()) {
      line.append("  ").append(json.path("kind").textValue());
    }
    record.reason().ifPresent(reason -> line.append(" (").append(reason).append(')'));
    if (!json.path("columns").isEmpty()) {
      line.append("  columns: ").append(SqlIdentifier.list(texts(json.path("columns"))));
    }
    if (json.path("source_changed").asBoolean()) {
      line.append("  source changed");
    }
    if (json.path("detail").isTextual()) {
      line.append("  ").append(json.path("detail").textValue());
    }
    return VisibleText.of(line.toString());
  }

  private static List<String> texts(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList();
  }

  private static final class Type implements ITypeConverter<AuditType> {
    @Override
    public AuditType convert(String text) {
      return AuditType.of(text)
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "expected one of "
                          + Arrays.stream(AuditType.values())
                              .map(AuditType::text)
                              .collect(Collectors.joining(", "))));
    }
  }

  private static final class Outcome implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      if (!OUTCOMES.contains(text)) {
        throw new TypeConversionException("expected one of " + String.join(", ", OUTCOMES));
      }
      return text;
    }
  }
}
