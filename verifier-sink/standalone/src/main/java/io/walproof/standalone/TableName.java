package io.walproof.standalone;

import io.walproof.contract.TableId;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a table's name as an option gives it. */
final class TableName implements ITypeConverter<TableId> {
  @Override
  public TableId convert(String text) {
    try {
      return TableId.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
