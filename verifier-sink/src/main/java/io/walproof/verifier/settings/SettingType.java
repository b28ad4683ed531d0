package io.walproof.verifier.settings;

import io.walproof.contract.TableId;
import io.walproof.verifier.decide.IgnoredApps;
import io.walproof.verifier.row.ColumnSettings;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * How a setting's text is read.
 *
 * @param bounds what is accepted, for the reference and for messages
 * @param secret whether the value may be a secret, which is then read exactly as it stands
 * @param parser reads the text; its errors say what is expected and never quote the text
 * @param form what the text looks like
 * @param choices the only texts that are accepted; empty where others are
 * @param <T> the value's type
 */
public record SettingType<T>(
    String bounds, boolean secret, Function<String, T> parser, Form form, List<String> choices) {

  /** What the text looks like, for those who show settings in a form. */
  public enum Form {
    TEXT,
    NUMBER,
    FLAG,
    CHOICE
  }

  private static final String JDBC_SCHEME = "jdbc:postgresql:";

  /** Values of the driver's {@code targetServerType}; the second is an older name. */
  private static final Set<String> ONE_AT_A_TIME = Set.of("primary", "master");

  /** Copies. */
  public SettingType {
    choices = List.copyOf(choices);
  }

  /** A text. */
  public SettingType(String bounds, boolean secret, Function<String, T> parser) {
    this(bounds, secret, parser, Form.TEXT, List.of());
  }

  private static <T> SettingType<T> number(String bounds, Function<String, T> parser) {
    return new SettingType<>(bounds, false, parser, Form.NUMBER, List.of());
  }

  /**
   * Reads a text.
   *
   * @throws IllegalArgumentException if it is not accepted; without the text
   */
  public T parse(String text) {
    return parser.apply(secret ? text : text.strip());
  }

  /** A duration in whole milliseconds. */
  public static SettingType<Duration> millis(long least, long most) {
    String bounds = "milliseconds, " + least + " to " + most;
    return number(bounds, text -> Duration.ofMillis(wholeNumber(text, bounds, least, most)));
  }

  /** A whole number. */
  public static SettingType<Integer> count(int least, int most) {
    String bounds = "a whole number, " + least + " to " + most;
    return number(bounds, text -> (int) wholeNumber(text, bounds, least, most));
  }

  /** A number of bytes. */
  public static SettingType<Integer> bytes(int least, int most) {
    String bounds = "bytes, " + least + " to " + most;
    return number(bounds, text -> (int) wholeNumber(text, bounds, least, most));
  }

  /** A part of a whole, such as {@code 0.5}. */
  static SettingType<Double> part(double least) {
    String bounds = "a number, " + least + " to 1";
    return new SettingType<>(
        bounds,
        false,
        text -> {
          if (text.matches("[01](\\.[0-9]{1,6})?")) {
            double value = Double.parseDouble(text);
            if (value >= least && value <= 1) {
              return value;
            }
          }
          throw new IllegalArgumentException("must be " + bounds);
        });
  }

  /** A non-empty text. */
  public static SettingType<String> text() {
    return new SettingType<>("a text", false, text -> nonEmpty(text, "a text"));
  }

  /** A secret, which may be empty. */
  public static SettingType<String> secretText() {
    return new SettingType<>("a text, never printed", true, text -> text);
  }

  /** {@code true} or {@code false}. */
  public static SettingType<Boolean> flag() {
    List<String> words = List.of("true", "false");
    return new SettingType<>(
        "true or false", false, text -> oneOf(text, words).equals("true"), Form.FLAG, words);
  }

  /** One of a few words. */
  public static SettingType<String> choice(List<String> words) {
    return new SettingType<>(
        "one of " + String.join(", ", words), false, t -> oneOf(t, words), Form.CHOICE, words);
  }

  /** {@link IgnoredApps}. */
  public static SettingType<SortedSet<Long>> ignoredApps() {
    return new SettingType<>(
        "positive bigints with commas between, such as 7,42", false, IgnoredApps::parse);
  }

  /** A table's name as people write it. */
  public static SettingType<TableId> table() {
    String bounds = "schema.table, with double quotes around parts that need them";
    return new SettingType<>(
        bounds,
        false,
        text -> {
          try {
            return TableId.parse(text);
          } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("must be " + bounds, e);
          }
        });
  }

  /** Names as PostgreSQL holds them. */
  static SettingType<List<String>> names() {
    String bounds = "names as the catalog has them, with commas between";
    return new SettingType<>(
        bounds,
        false,
        text -> {
          List<String> names = Stream.of(text.split(",", -1)).map(String::strip).toList();
          if (names.stream().anyMatch(String::isEmpty)) {
            throw new IllegalArgumentException("must be " + bounds);
          }
          return names;
        });
  }

  /** Columns' names. */
  public static SettingType<Map<TableId, Set<String>>> excludedColumns() {
    return new SettingType<>(
        "schema.table.column, with commas between", false, ColumnSettings::parseExcluded);
  }

  /** Columns' names with rules. */
  public static SettingType<Map<TableId, Map<String, String>>> columnRules() {
    return new SettingType<>(
        "schema.table.column=rule, with commas between; rules: "
            + String.join(", ", ColumnSettings.ruleNames()),
        false,
        ColumnSettings::parseRules);
  }

  /** Names that differ on the target. */
  static <T> SettingType<T> mapping(String form, Function<String, T> parser) {
    return new SettingType<>(
        form + ", the source's name first, with commas between", false, parser);
  }

  /** A directory or file. */
  public static SettingType<Path> path() {
    return new SettingType<>(
        "a path",
        false,
        text -> {
          try {
            return Path.of(nonEmpty(text, "a path"));
          } catch (InvalidPathException e) {
            throw new IllegalArgumentException("must be a path", e);
          }
        });
  }

  /** A JDBC URL; its parameters may hold a password. */
  public static SettingType<String> jdbcUrl() {
    String bounds = "a URL that starts with " + JDBC_SCHEME + "//, never printed";
    return new SettingType<>(
        bounds,
        true,
        text -> {
          if (!text.strip().startsWith(JDBC_SCHEME)) {
            throw new IllegalArgumentException(
                "must be a URL such as " + JDBC_SCHEME + "//host:5432/database");
          }
          // The driver's own refusal comes later and says nothing.
          if (!isUnderstood(text.strip())) {
            throw new IllegalArgumentException(
                "is not understood by the driver: check host, port (a number), database, and that"
                    + " special characters are percent-encoded");
          }
          if (mayLeadToSeveral(text.strip())) {
            throw new IllegalArgumentException(
                "names several servers, so that rows may be read on one that is behind the one that"
                    + " replay was confirmed on; name one server, or add targetServerType=primary,"
                    + " which leads to the one that takes writes");
          }
          return text.strip();
        });
  }

  /** An address of a REST interface, without credentials in it. */
  public static SettingType<URI> httpUrl() {
    return new SettingType<>(
        "a URL that starts with http:// or https://",
        false,
        text -> {
          if (!text.matches("https?://[^/\\s@]+(/\\S*)?")) {
            throw new IllegalArgumentException(
                "must be a URL such as http://host:8083, with user and password in their own"
                    + " settings");
          }
          try {
            return URI.create(text);
          } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("must be a URL such as http://host:8083", e);
          }
        });
  }

  /** Of several servers only one takes writes at a time. */
  private static boolean mayLeadToSeveral(String url) {
    Properties parsed = Objects.requireNonNull(Driver.parseURL(url, new Properties()));
    String wanted = parsed.getProperty(PGProperty.TARGET_SERVER_TYPE.getName(), "any");
    return parsed.getProperty(PGProperty.PG_HOST.getName(), "").contains(",")
        && !ONE_AT_A_TIME.contains(wanted);
  }

  private static boolean isUnderstood(String url) {
    try {
      return DriverManager.getDriver(url) != null;
    } catch (SQLException e) {
      // Its message may quote the URL.
      return false;
    }
  }

  private static long wholeNumber(String text, String bounds, long least, long most) {
    if (text.matches("-?[0-9]{1,18}")) {
      long value = Long.parseLong(text);
      if (value >= least && value <= most) {
        return value;
      }
    }
    throw new IllegalArgumentException("must be " + bounds);
  }

  private static String nonEmpty(String text, String what) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("must be " + what + "; remove the line to leave it unset");
    }
    return text;
  }

  private static String oneOf(String text, List<String> words) {
    if (!words.contains(text)) {
      throw new IllegalArgumentException("must be one of " + String.join(", ", words));
    }
    return text;
  }
}
