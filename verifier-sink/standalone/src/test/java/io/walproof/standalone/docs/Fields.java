package io.walproof.standalone.docs;

import static io.walproof.standalone.docs.Markdown.code;
import static io.walproof.standalone.docs.Markdown.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The fields of one kind of record, as samples of it have them, in their order. */
final class Fields {

  private static final class Seen {
    private String type;
    private int present;
  }

  private final List<String> order = new ArrayList<>();
  private final Map<String, Seen> fields = new LinkedHashMap<>();
  private final boolean json;
  private int samples;

  /**
   * @param json whether the records are JSON text, in which a number has no width
   */
  Fields(boolean json) {
    this.json = json;
  }

  /** Takes in a sample; a field that is absent or null in any of them is optional. */
  void add(JsonNode sample) {
    samples++;
    int at = 0;
    for (Map.Entry<String, JsonNode> field : sample.properties()) {
      String name = field.getKey();
      Seen seen = fields.computeIfAbsent(name, any -> new Seen());
      if (!order.contains(name)) {
        order.add(at, name);
      }
      at = order.indexOf(name) + 1;
      if (!field.getValue().isNull()) {
        seen.present++;
        seen.type = type(name, field.getValue());
      }
    }
  }

  /** Rows of a table; what the fields mean is taken from {@code meanings}. */
  List<List<String>> rows(String record, Meanings meanings) {
    return order.stream()
        .map(
            name ->
                List.of(
                    code(name),
                    fields.get(name).type
                        + (fields.get(name).present < samples ? ", optional" : ""),
                    text(meanings.of(record, name))))
        .toList();
  }

  private String type(String name, JsonNode value) {
    if (value.isArray()) {
      return "array of " + (value.isEmpty() ? "nothing" : type(name, value.get(0)));
    } else if (value.isObject()) {
      return Part.of(name, value).word();
    } else if (value.isInt() || value.isLong()) {
      return json ? "number" : value.isInt() ? "int32" : "int64";
    }
    return value.isBoolean() ? "boolean" : "string";
  }
}
