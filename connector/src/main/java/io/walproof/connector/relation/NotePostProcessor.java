package io.walproof.connector.relation;

import io.debezium.processors.spi.PostProcessor;
import java.util.Map;
import org.apache.kafka.connect.data.Struct;

/** Debezium's extension point that is called once per record, on the thread that made it. */
public final class NotePostProcessor implements PostProcessor {

  private Tap tap;

  /** For Debezium, which instantiates by class name. */
  public NotePostProcessor() {}

  @Override
  public void configure(Map<String, ?> properties) {
    tap = TapRegistry.require((String) properties.get(TapRegistry.ID));
  }

  @Override
  public void apply(Object key, Struct value) {
    tap.bind((Struct) key, value);
  }

  @Override
  public void close() {}
}
