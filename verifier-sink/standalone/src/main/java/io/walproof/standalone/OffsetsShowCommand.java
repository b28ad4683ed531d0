package io.walproof.standalone;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.walproof.connector.drift.AcceptedShapes;
import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.PositionStoreException;
import io.walproof.connector.offset.TimelineHistory;
import io.walproof.connector.schema.ShapeVersion;
import io.walproof.connector.schema.StoredColumn;
import io.walproof.connector.schema.TableHistory;
import io.walproof.contract.SqlIdentifier;
import io.walproof.contract.TableId;
import io.walproof.standalone.run.RunSession;
import io.walproof.verifier.audit.VisibleText;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.schedule.RestOffsets;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code walproof offsets show}: the position and the schema history in it. */
@Command(
    name = "show",
    description = "Shows the position that a restart resumes from, and each table's known shapes.")
final class OffsetsShowCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @ArgGroup private Choice choice = new Choice();

  @Option(
      names = "--user",
      paramLabel = "NAME",
      description = "With --url: for basic authentication.")
  private String user;

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description = "With --user: its password is the file's first line.")
  private Path passwordFile;

  @Option(
      names = "--timeout-ms",
      defaultValue = "30000",
      description = "With --url: how long the answer may take (default: ${DEFAULT-VALUE}).")
  private long timeoutMillis = 30_000;

  @Option(names = "--json", description = "Print JSON for machines.")
  private boolean json;

  private static final class Choice {
    @Option(
        names = "--state-dir",
        paramLabel = "DIR",
        defaultValue = "walproof-state",
        description = "The run's state.dir (default: ${DEFAULT-VALUE}).")
    private Path stateDirectory = Path.of("walproof-state");

    @Option(
        names = "--file",
        paramLabel = "FILE",
        description =
            "An offsets file elsewhere, or the JSON that Kafka Connect gives at"
                + " /connectors/NAME/offsets; - for standard input.")
    private Path file;

    @Option(
        names = "--url",
        paramLabel = "URL",
        description = "Kafka Connect's address of a connector, http://HOST:8083/connectors/NAME.")
    private String url;

    Path path() {
      return file != null ? file : RunSession.offsetsFile(stateDirectory);
    }

    boolean isStandardInput() {
      return file != null && file.toString().equals("-");
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    List<StoredPosition> positions = positions();
    for (StoredPosition stored : positions) {
      if (json) {
        out.println(VisibleText.of(toJson(stored)));
      } else {
        if (!stored.partition().isEmpty()) {
          out.println("partition      " + VisibleText.of(stored.partition()));
        }
        print(stored.position(), out);
      }
    }
    out.flush();
    return ExitStatus.CLEAN.code();
  }

  private List<StoredPosition> positions() throws IOException, InterruptedException {
    if (choice.url != null) {
      URI connector = connector(choice.url);
      RestOffsets rest =
          new RestOffsets(
              connector, Optional.ofNullable(user), password(), Duration.ofMillis(timeoutMillis));
      return StoredPosition.read(
          "the connector at " + connector.getHost(), rest.answer(new Cancellation()).toString());
    }
    // Bytes that are no UTF-8 become characters that no checksum fits.
    if (choice.isStandardInput()) {
      return StoredPosition.read("standard input", text(System.in.readAllBytes()));
    }
    Path path = choice.path();
    if (!Files.exists(path)) {
      throw new PositionStoreException(
          "There is no offsets file "
              + path
              + ". Name the state directory of a run with --state-dir, or the file with --file.");
    }
    return StoredPosition.read(path.toString(), text(Files.readAllBytes(path)));
  }

  /** Never shown: people write passwords into URLs. */
  private static URI connector(String url) {
    try {
      URI connector = URI.create(url);
      if (List.of("http", "https").contains(connector.getScheme())
          && connector.getHost() != null
          && connector.getUserInfo() == null) {
        return connector;
      }
    } catch (IllegalArgumentException e) {
      // Its message has the URL.
    }
    throw new PositionStoreException(
        "--url must be like http://HOST:8083/connectors/NAME, other characters with %; a user goes"
            + " to --user and a password to --password-file");
  }

  private Optional<String> password() {
    if (passwordFile == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Files.readString(passwordFile).lines().findFirst().orElse(""));
    } catch (IOException e) {
      throw new PositionStoreException("--password-file " + passwordFile + " cannot be read", e);
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static void print(Position position, PrintWriter out) {
    out.println("resumes from   " + position.resume());
    out.println("cluster        " + VisibleText.of(position.systemIdentifier()));
    position
        .origin()
        .timelines()
        .ifPresent(timelines -> out.println("timeline       " + inWords(timelines)));
    out.println();
    TextTable table = new TextTable("table", "shape", "since", "older", "columns");
    for (Map.Entry<String, TableHistory> entry : position.history().tables().entrySet()) {
      TableHistory history = entry.getValue();
      table.row(
          VisibleText.of(entry.getKey()),
          history.newest().hash().hex(),
          history.newest().lsn().toString(),
          Integer.toString(history.versions().size() - 1),
          history.columns().map(OffsetsShowCommand::inWords).orElse("not kept"));
    }
    table.print(out);
    position
        .history()
        .diversions()
        .forEach(
            (name, diversion) ->
                out.println(
                    "diverted until drift.accept has "
                        + VisibleText.of(AcceptedShapes.text(TableId.parse(name), diversion))));
  }

  private static String inWords(TimelineHistory timelines) {
    String left =
        timelines.ancestors().stream()
            .map(ancestor -> ancestor.timeline() + " until " + ancestor.at())
            .collect(Collectors.joining(", "));
    return timelines.current() + (left.isEmpty() ? "" : " (" + left + ")");
  }

  private static String inWords(List<StoredColumn> columns) {
    return columns.stream()
        .map(
            column ->
                VisibleText.of(SqlIdentifier.display(column.name()))
                    + " "
                    + VisibleText.of(column.typeText())
                    + (column.key() ? " key" : ""))
        .collect(Collectors.joining(", "));
  }

  private static String toJson(StoredPosition stored) {
    Position position = stored.position();
    ObjectNode json = JsonMapper.builder().build().createObjectNode();
    if (!stored.partition().isEmpty()) {
      json.put("partition", stored.partition());
    }
    json.put("resume", position.resume().toString());
    json.put("system_identifier", position.systemIdentifier());
    position
        .origin()
        .timelines()
        .ifPresent(timelines -> json.put("timelines", timelines.toString()));
    ObjectNode tables = json.putObject("tables");
    position
        .history()
        .tables()
        .forEach(
            (name, history) -> {
              ObjectNode table = tables.putObject(name);
              ArrayNode versions = table.putArray("versions");
              for (ShapeVersion version : history.versions()) {
                versions
                    .addObject()
                    .put("shape", version.hash().hex())
                    .put("lsn", version.lsn().toString());
              }
              history
                  .diversion()
                  .ifPresent(
                      diversion ->
                          table
                              .putObject("diverted")
                              .put("awaited", diversion.awaited().hex())
                              .put("lsn", diversion.since().toString())
                              .put("previous", diversion.previous().hex()));
              history.relationOid().ifPresent(oid -> table.put("oid", oid));
              history
                  .replicaIdentity()
                  .ifPresent(identity -> table.put("replica_identity", identity.code() + ""));
              history
                  .columns()
                  .ifPresent(
                      columns -> {
                        ArrayNode list = table.putArray("columns");
                        for (StoredColumn column : columns) {
                          list.addObject()
                              .put("name", column.name())
                              .put("type", column.typeText())
                              .put("type_modifier", column.typeModifier())
                              .put("key", column.key());
                        }
                      });
            });
    return json.toString();
  }
}
