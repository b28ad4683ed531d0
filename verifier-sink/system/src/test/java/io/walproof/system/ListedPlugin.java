package io.walproof.system;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.tools.ConnectPluginPath;

/**
 * A line of the table that Kafka's {@code connect-plugin-path list} prints.
 *
 * @param folder the plugin's folder below the plugin path
 */
record ListedPlugin(
    String name,
    String version,
    String type,
    boolean isLoadable,
    boolean hasManifest,
    String folder) {

  /** Name, two aliases, version, type, loadable, has a manifest, location. */
  private static final int COLUMNS = 8;

  /** What the tool finds in a plugin path. */
  static List<ListedPlugin> in(Path pluginPath) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        ConnectPluginPath.mainNoExit(
            new String[] {"list", "--plugin-path", pluginPath.toString()},
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    if (status != 0) {
      throw new IllegalStateException(
          "the tool ended with " + status + ": " + err.toString(StandardCharsets.UTF_8));
    }
    return out.toString(StandardCharsets.UTF_8)
        .lines()
        .map(line -> line.split("\t"))
        .filter(columns -> columns.length == COLUMNS)
        .filter(columns -> columns[7].startsWith(pluginPath.toString()))
        .map(ListedPlugin::of)
        .toList();
  }

  private static ListedPlugin of(String[] columns) {
    return new ListedPlugin(
        columns[0],
        columns[3],
        columns[4],
        Boolean.parseBoolean(columns[5]),
        Boolean.parseBoolean(columns[6]),
        Path.of(columns[7]).getFileName().toString());
  }
}
