package io.walproof.system;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Reads MBeans of a worker process that was started with {@link #arguments}. */
final class Jmx {

  private Jmx() {}

  /** What opens a JVM's beans to 127.0.0.1 on the port. */
  static Set<String> arguments(int port) {
    return Set.of(
        "-Dcom.sun.management.jmxremote.host=127.0.0.1",
        "-Djava.rmi.server.hostname=127.0.0.1",
        "-Dcom.sun.management.jmxremote.port=" + port,
        "-Dcom.sun.management.jmxremote.rmi.port=" + port,
        "-Dcom.sun.management.jmxremote.authenticate=false",
        "-Dcom.sun.management.jmxremote.ssl=false");
  }

  /** All attributes of all beans of the pattern, with their descriptions. */
  @SuppressWarnings("BanJNDI") // The address is that of a process which the test has started.
  static Map<String, String> described(int port, String pattern) throws IOException, JMException {
    JMXServiceURL url =
        new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi");
    try (JMXConnector connector = JMXConnectorFactory.connect(url)) {
      MBeanServerConnection server = connector.getMBeanServerConnection();
      Map<String, String> found = new TreeMap<>();
      for (ObjectName name : server.queryNames(new ObjectName(pattern), null)) {
        for (MBeanAttributeInfo attribute : server.getMBeanInfo(name).getAttributes()) {
          found.put(attribute.getName(), attribute.getDescription());
        }
      }
      return found;
    }
  }
}
