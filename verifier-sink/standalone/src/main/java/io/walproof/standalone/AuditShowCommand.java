package io.walproof.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import io.walproof.contract.TableId;
import io.walproof.verifier.audit.AuditReader;
import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.VisibleText;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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
          "ignored_app",
          "incomplete");

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
      description = "Only keys with this value; repeat for more columns.")
  private Map<String, String> key = new LinkedHashMap<>();

  @Option(
      names = "--outcome",
      paramLabel = "OUTCOME",
      converter = Outcome.class,
      description =
          "Only this outcome: deferred, converged, advanced, unresolved, unresolved_missing,"
              + " unresolved_different, unresolved_target_stalled, ignored_app or incomplete.")
  private String outcome;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Predicate<AuditRecord> wanted = filter();
    long shown = 0;
    try (AuditReader reader = AuditReader.open(location.path())) {
      Optional<AuditRecord> next = reader.next();
      // The check ends the reading when a pager was closed.
      while (next.isPresent() && !out.checkError()) {
        if (wanted.test(next.get())) {
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
    if (outcome != null) {
      filter =
          filter.and(
              record ->
                  record.outcome().stream()
                      .anyMatch(o -> o.equals(outcome) || o.startsWith(outcome + "_")));
    }
    for (Map.Entry<String, String> column : key.entrySet()) {
      filter =
          filter.and(
              record ->
                  column
                      .getValue()
                      .equals(record.json().path("key").path(column.getKey()).textValue()));
    }
    return filter;
  }

  /** One line for people: what is in every record of its type, and the rest only with --json. */
  private static String line(AuditRecord record) {
    StringBuilder line = new StringBuilder();
    line.append(record.seq()).append("  ").append(record.at()).append("  ");
    line.append(record.type().text());
    record.table().ifPresent(t -> line.append("  ").append(t.display()));
    JsonNode json = record.json();
    if (json.path("key").isObject()) {
      line.append("  ")
          .append(
              json.path("key").properties().stream()
                  .map(column -> column.getKey() + "=" + column.getValue().textValue())
                  .collect(Collectors.joining(" ")));
    }
    record.outcome().ifPresent(o -> line.append("  ").append(o));
    if (record.outcome().isEmpty() && json.path("kind").isTextual()) {
      line.append("  ").append(json.path("kind").textValue());
    }
    record.reason().ifPresent(reason -> line.append(" (").append(reason).append(')'));
    if (!json.path("columns").isEmpty()) {
      line.append("  columns:");
      json.path("columns").forEach(column -> line.append(' ').append(column.textValue()));
    }
    if (json.path("source_changed").asBoolean()) {
      line.append("  source changed");
    }
    if (json.path("detail").isTextual()) {
      line.append("  ").append(json.path("detail").textValue());
    }
    return VisibleText.of(line.toString());
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
