package io.walproof.standalone.status;

import io.walproof.contract.Time;
import io.walproof.verifier.audit.AuditException;
import io.walproof.verifier.audit.AuditReader;
import io.walproof.verifier.audit.AuditRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows an audit file into a model, checking its chain, on a thread of its own. */
public final class FileFeed implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FileFeed.class);
  private static final Duration PAUSE = Duration.ofMillis(300);
  private static final Duration END = Duration.ofSeconds(5);

  private final Path file;
  private final StatusModel model;
  private final Time time;
  private final Thread thread = new Thread(this::run, "walproof-status-feed");

  private FileFeed(Path file, StatusModel model, Time time) {
    this.file = file;
    this.model = model;
    this.time = time;
    thread.setDaemon(true);
  }

  /** Starts; trouble is told to the model, where the page shows it. */
  public static FileFeed start(Path file, StatusModel model, Time time) {
    FileFeed feed = new FileFeed(file, model, time);
    feed.thread.start();
    return feed;
  }

  private void run() {
    try (AuditReader reader = AuditReader.open(file)) {
      while (!Thread.currentThread().isInterrupted()) {
        Optional<AuditRecord> next = reader.next();
        if (next.isPresent()) {
          model.add(next.get());
        } else {
          model.caughtUp();
          time.sleep(PAUSE);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (AuditException e) {
      LOG.warn("The status is not up to date any more: {}", e.getMessage());
      model.trouble("the evidence cannot be read any more: " + e.getMessage());
    } catch (RuntimeException e) {
      LOG.warn("The status is not up to date any more", e);
      model.trouble("the evidence cannot be read any more; the log says why");
    }
  }

  /** Stops following. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(END.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
