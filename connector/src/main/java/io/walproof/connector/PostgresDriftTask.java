package io.walproof.connector;

import io.walproof.connector.connect.BuildVersion;
import io.walproof.connector.connect.SourceCapture;
import io.walproof.contract.Time;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;

/** The connector's task: translates Connect's calls to the capture that it hosts. */
public final class PostgresDriftTask extends SourceTask {

  private volatile SourceCapture capture;

  /** For Connect, which instantiates by class name. */
  public PostgresDriftTask() {}

  @Override
  public String version() {
    return BuildVersion.text();
  }

  @Override
  public void start(Map<String, String> props) {
    capture = SourceCapture.start(props, context, Time.system());
  }

  @Override
  public List<SourceRecord> poll() throws InterruptedException {
    return capture.poll();
  }

  @Override
  public void stop() {
    SourceCapture hosted = capture;
    if (hosted != null) {
      hosted.stop();
    }
  }
}
