package io.walproof.connector.connect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.walproof.cluster.TopicReader;
import io.walproof.connector.drift.DriftAction;
import io.walproof.connector.drift.DriftPolicy;
import io.walproof.connector.offset.Position;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import io.walproof.contract.topic.RecordHeaders;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A connector with one policy, its table {@code t} that changes its shape once per kill, and its
 * table {@code s} that never does. Knows what must have been delivered when.
 */
final class ChangingTable implements AutoCloseable {

  private static final TableId T = new TableId("public", "t");

  private final Deployment on;
  private final DriftPolicy policy;
  private final DriftAction action;
  private final boolean narrowing;
  private final TopicReader drift;
  private final TopicReader offsets;
  private final List<String> keysOfT = new ArrayList<>();
  private final List<String> keysOfS = new ArrayList<>();
  private ShapeHash before;
  private boolean durable;
  private final Map<Integer, Long> timesTold = new HashMap<>();

  /**
   * A connector that is not deployed yet.
   *
   * @param narrowing whether the changes remove columns; otherwise they add some
   */
  ChangingTable(
      Deployment on,
      String bootstrapServers,
      DriftPolicy policy,
      DriftAction action,
      boolean narrowing,
      int changes)
      throws SQLException {
    this.on = on.with("drift.policy", policy.text());
    this.policy = policy;
    this.action = action;
    this.narrowing = narrowing;
    drift = new TopicReader(bootstrapServers, on.name + ".drift");
    offsets = new TopicReader(bootstrapServers, "connect-offsets");
    StringBuilder columns = new StringBuilder("id int PRIMARY KEY");
    for (int i = 1; narrowing && i <= changes; i++) {
      columns.append(", ").append(column(i)).append(" int");
    }
    on.sql("CREATE TABLE t (" + columns + ")", "CREATE TABLE s (id int PRIMARY KEY)");
    on.rest().deploy(on.name, on.config);
  }

  /** Until it streams; then come the first rows. */
  void awaitStreaming() throws SQLException {
    on.awaitStreaming();
    insert("0");
  }

  /** Until the first rows are durably delivered. */
  void begin() throws SQLException {
    on.settle();
    before = newest(on.committed());
  }

  /** A row of the old shape, and the change of shape, which nothing has used yet. */
  void alter(int number) throws SQLException {
    insert(number + "1");
    on.sql("ALTER TABLE t " + (narrowing ? "DROP " : "ADD ") + column(number) + type());
  }

  /** The deciding change, and some behind it. */
  void change(int number) throws SQLException {
    insert(number + "2");
    insert(number + "3");
  }

  private void insert(String id) throws SQLException {
    on.sql("INSERT INTO t (id) VALUES (" + id + ")", "INSERT INTO s (id) VALUES (" + id + ")");
    keysOfT.add(id);
    keysOfS.add(id);
  }

  void awaitTold(int number) {
    on.until(() -> told(number) > 0);
  }

  /** Until the shape is in the committed offset; what halts has failed then, for good. */
  void awaitDurable() {
    on.until(() -> !newest(on.committed()).equals(before));
    if (halts()) {
      assertThat(on.rest().awaitFailed(on.name).tasks().get(0).trace())
          .contains("halted on drift of public.t");
    }
  }

  /** How often the change was told so far. */
  long told(int number) {
    return told().stream().filter(event -> concerns(event, number)).count();
  }

  /** Notes what the killed worker has left; nothing of it may be ahead of what was told. */
  void examine(int number) {
    on.until(() -> !"true".equals(on.slot("active::text")));
    long told = told(number);
    durable = !newest(Position.of(storedOffset())).equals(before);
    if (durable) {
      assertThat(told).as("told before it is durable").isPositive();
    }
    // What is durable is not told again; what is not, is.
    timesTold.put(number, durable ? told : told + 1);
    assertHeldBack(number);
  }

  /** Whether the shape was durable when the worker was killed. */
  boolean durable() {
    return durable;
  }

  /** The worker is there again: all is delivered, after an approval where one is needed. */
  void awaitRecovered(int number) {
    on.until(() -> told(number) >= timesTold.get(number));
    if (halts() && !durable) {
      assertThat(on.rest().awaitFailed(on.name).tasks().get(0).trace())
          .contains("halted on drift of public.t");
      assertHeldBack(number);
      on.rest().restart(on.name);
    }
    on.until(() -> deliveredOfT().containsAll(keysOfT) && delivered("s").containsAll(keysOfS));
    on.awaitStreaming();
    before = told().get(told().size() - 1).current().orElseThrow();
  }

  /** Before the approval nothing of any table is behind the change that decided. */
  private void assertHeldBack(int number) {
    if (halts()) {
      assertThat(deliveredOfT()).doesNotContain(number + "2", number + "3");
      assertThat(delivered("s")).doesNotContain(number + "2", number + "3");
    }
  }

  /** Every key, every change of shape, and no other. */
  void assertEverythingArrived(int changes) throws SQLException {
    on.settle();
    assertThat(deliveredOfT()).isEqualTo(new HashSet<>(keysOfT));
    assertThat(delivered("s")).isEqualTo(new HashSet<>(keysOfS));
    if (policy == DriftPolicy.DLQ) {
      // The rows before the first change.
      assertThat(delivered("t")).containsExactlyInAnyOrder("0", "11");
      assertThat(diverted()).doesNotContain("0", "11");
    }
    Set<String> chain = new HashSet<>();
    for (DriftEvent event : told()) {
      assertThat(event.action()).isEqualTo(action.text());
      assertThat(event.policy()).isEqualTo(policy.text());
      assertThat(event.narrowing()).hasValue(narrowing);
      chain.add(event.previous().orElseThrow().hex() + event.current().orElseThrow().hex());
    }
    // A kill may repeat an event; it may not make one up.
    assertThat(chain).hasSize(changes);
    for (int i = 1; i <= changes; i++) {
      assertThat(told(i)).as(on.name + ": change " + i).isEqualTo(timesTold.get(i));
    }
  }

  private boolean halts() {
    return action == DriftAction.HALTED;
  }

  private String type() {
    return narrowing ? "" : " int";
  }

  private static String column(int number) {
    return "w" + number;
  }

  private boolean concerns(DriftEvent event, int number) {
    DriftEvent.ColumnChange.What what =
        narrowing ? DriftEvent.ColumnChange.What.REMOVED : DriftEvent.ColumnChange.What.ADDED;
    return event.changes().size() == 1
        && event.changes().get(0).column().equals(column(number))
        && event.changes().get(0).what() == what;
  }

  /** Everything told but the first shapes. */
  private List<DriftEvent> told() {
    List<DriftEvent> events =
        Deployment.drift(drift.readToEnd()).stream().filter(DriftEvent::isDrift).toList();
    assertThat(events)
        .allSatisfy(
            event -> {
              assertThat(event.kind()).isEqualTo(Kind.SHAPE_CHANGED);
              assertThat(event.table()).hasValue(T);
            });
    return events;
  }

  /** Where policy and shape send them. */
  private Set<String> deliveredOfT() {
    Set<String> keys = delivered("t");
    if (policy == DriftPolicy.DLQ) {
      keys.addAll(diverted());
    }
    return keys;
  }

  private Set<String> delivered(String table) {
    return new HashSet<>(on.texts(on.name + ".public." + table));
  }

  private Set<String> diverted() {
    Set<String> keys = new HashSet<>();
    for (ConsumerRecord<byte[], byte[]> record : on.records(on.name + ".dlq")) {
      assertThat(header(record, RecordHeaders.DLQ_REASON))
          .isEqualTo(RecordHeaders.SHAPE_NOT_ACCEPTED);
      if (record.headers().lastHeader(RecordHeaders.DLQ_MARK) == null) {
        assertThat(header(record, RecordHeaders.DLQ_TABLE)).isEqualTo(T.display());
        assertThat(header(record, RecordHeaders.DLQ_TOPIC)).isEqualTo(on.name + ".public.t");
        Deployment.keys(List.of(record)).forEach(key -> keys.add(key.key().texts().get(0)));
      }
    }
    return keys;
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
  }

  private static ShapeHash newest(Position position) {
    return position.history().table(T).orElseThrow().newest().hash();
  }

  /** The last committed offset, from the topic, since the worker is dead. */
  private Map<String, Object> storedOffset() {
    Map<String, Object> last = null;
    for (ConsumerRecord<byte[], byte[]> record : offsets.readToEnd()) {
      JsonNode key = Deployment.tree(record.key());
      if (key.path(0).asText().equals(on.name) && key.path(1).size() == 1) {
        last = Deployment.map(Deployment.tree(record.value()));
      }
    }
    return last;
  }

  @Override
  public void close() throws SQLException {
    drift.close();
    offsets.close();
    on.close();
  }
}
