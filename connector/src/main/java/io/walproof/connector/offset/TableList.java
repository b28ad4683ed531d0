package io.walproof.connector.offset;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.walproof.contract.TableId;
import java.util.List;

/** Table names in one string: a JSON array of their display forms. */
final class TableList {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private TableList() {}

  static String text(List<TableId> tables) {
    try {
      return MAPPER.writeValueAsString(tables.stream().map(TableId::display).toList());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("strings can be written as JSON", e);
    }
  }

  /**
   * Reads {@link #text}'s form.
   *
   * @throws IllegalArgumentException if the text is anything else
   */
  static List<TableId> read(String text) {
    try {
      return List.of(MAPPER.readValue(text, String[].class)).stream().map(TableId::parse).toList();
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the list of unpublished tables is not JSON", e);
    }
  }
}
