package io.walproof.standalone;

import io.walproof.contract.RowKey;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads one column of a key as an option gives it: the name may be quoted as in SQL. */
final class KeyColumn implements ITypeConverter<RowKey.Column> {

  private static final Pattern FORM =
      Pattern.compile("(?:\"((?:[^\"]|\"\")+)\"|([^\"=][^=]*))=(.*)", Pattern.DOTALL);

  @Override
  public RowKey.Column convert(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      // The text may be a key's value, so it is not repeated.
      throw new TypeConversionException(
          "expected COLUMN=VALUE, the column in double quotes where its name has '=' or a quote");
    }
    String quoted = matcher.group(1);
    return new RowKey.Column(
        quoted == null ? matcher.group(2) : quoted.replace("\"\"", "\""), matcher.group(3));
  }
}
