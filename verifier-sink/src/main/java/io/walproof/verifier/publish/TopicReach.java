package io.walproof.verifier.publish;

import io.walproof.verifier.audit.AuditException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/** Whether the brokers of the verify topic answer; nothing is changed there. */
public final class TopicReach {

  private TopicReach() {}

  /**
   * Asks the brokers who they are.
   *
   * @throws AuditException if they do not answer in time, or the settings are refused
   */
  public static void check(VerifyTopic topic, Duration atMost) {
    Admin admin = null;
    try {
      admin = TopicClients.admin(topic, atMost);
      admin.describeCluster().nodes().get(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw unreachable(TopicSetup.plain(e.getCause()), e);
    } catch (TimeoutException e) {
      throw unreachable("no answer within " + atMost.toMillis() + " ms", e);
    } catch (KafkaException e) {
      throw unreachable(TopicSetup.plain(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unreachable("interrupted", e);
    } finally {
      if (admin != null) {
        // Calls that are under way may be dropped: nothing depends on them.
        admin.close(Duration.ZERO);
      }
    }
  }

  private static AuditException unreachable(String why, Exception cause) {
    return new AuditException(
        "The brokers of the verify topic cannot be used ("
            + why
            + "). Check verify.producer.bootstrap.servers and the other verify.producer.*"
            + " settings.",
        cause);
  }
}
