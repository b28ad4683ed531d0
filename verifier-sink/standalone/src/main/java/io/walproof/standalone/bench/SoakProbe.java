package io.walproof.standalone.bench;

import com.sun.management.UnixOperatingSystemMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Objects;
import java.util.regex.Pattern;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Looks into another JVM of the same user. Not thread-safe. */
final class SoakProbe implements AutoCloseable {

  private static final double MEGABYTE = 1 << 20;

  /** The threads that serve this probe come and go as they like. */
  private static final Pattern OURS = Pattern.compile("(RMI|JMX) .*|Attach Listener");

  private final JMXConnector connector;
  private final MemoryMXBean memory;
  private final ThreadMXBean threads;
  private final UnixOperatingSystemMXBean system;

  private SoakProbe(JMXConnector connector) throws IOException {
    this.connector = connector;
    MBeanServerConnection beans = connector.getMBeanServerConnection();
    memory =
        ManagementFactory.newPlatformMXBeanProxy(
            beans, ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class);
    threads =
        ManagementFactory.newPlatformMXBeanProxy(
            beans, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
    system =
        ManagementFactory.newPlatformMXBeanProxy(
            beans, ManagementFactory.OPERATING_SYSTEM_MXBEAN_NAME, UnixOperatingSystemMXBean.class);
  }

  /** Attaches to the JVM; nobody but the same user can. */
  @SuppressWarnings("BanJNDI") // the address is what that JVM itself has just told
  static SoakProbe attach(long pid) throws IOException {
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
      try {
        return new SoakProbe(
            JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent())));
      } finally {
        machine.detach();
      }
    } catch (AttachNotSupportedException e) {
      throw new IOException("the run's JVM cannot be looked into: " + e.getMessage(), e);
    }
  }

  /** What is reachable, in megabytes: the heap after a full collection. */
  double heap() {
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed() / MEGABYTE;
  }

  double threads() {
    ThreadInfo[] infos = threads.getThreadInfo(threads.getAllThreadIds());
    return Arrays.stream(infos)
        .filter(Objects::nonNull)
        .filter(info -> !OURS.matcher(info.getThreadName()).matches())
        .count();
  }

  /** Open files and sockets. */
  double handles() {
    return system.getOpenFileDescriptorCount();
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
