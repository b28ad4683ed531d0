package io.walproof.metrics;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One MBean per set of tags, {@code io.walproof:<identity>,<tags>}, with an attribute a gauge. */
final class JmxRegistry implements Registry {

  private static final Logger LOG = LoggerFactory.getLogger(JmxRegistry.class);
  private static final String DOMAIN = "io.walproof";

  /** Who holds which name, so that a former life's late close leaves its successor's bean alone. */
  private static final Map<ObjectName, GaugeBean> HOLDERS = new ConcurrentHashMap<>();

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final Map<String, String> identity;
  private final Map<ObjectName, GaugeBean> beans = new LinkedHashMap<>();

  JmxRegistry(Map<String, String> identity) {
    this.identity = new LinkedHashMap<>(identity);
  }

  @Override
  public synchronized void add(Gauge gauge) {
    try {
      ObjectName name = name(gauge.tags());
      GaugeBean bean = beans.get(name);
      if (bean == null) {
        bean = new GaugeBean();
        register(name, bean);
        beans.put(name, bean);
      }
      bean.add(gauge);
    } catch (JMException e) {
      LOG.warn("The gauge {} is not registered", gauge.name(), e);
    }
  }

  @Override
  public synchronized void close() {
    beans.forEach(
        (name, bean) -> {
          if (HOLDERS.remove(name, bean)) {
            unregister(name);
          }
        });
    beans.clear();
  }

  private void register(ObjectName name, GaugeBean bean) throws JMException {
    if (HOLDERS.put(name, bean) != null) {
      LOG.warn("The gauges of {} belonged to a task that has not ended", name);
      unregister(name);
    }
    try {
      server.registerMBean(bean, name);
    } catch (InstanceAlreadyExistsException e) {
      // From another class loader's copy of this plugin, after a reload.
      unregister(name);
      server.registerMBean(bean, name);
    }
  }

  private void unregister(ObjectName name) {
    try {
      server.unregisterMBean(name);
    } catch (InstanceNotFoundException e) {
      LOG.debug("{} is gone already", name);
    } catch (JMException e) {
      LOG.warn("{} cannot be unregistered", name, e);
    }
  }

  private ObjectName name(Map<String, String> tags) throws JMException {
    Map<String, String> all = new LinkedHashMap<>(identity);
    all.putAll(tags);
    return new ObjectName(
        all.entrySet().stream()
            .map(tag -> tag.getKey() + "=" + quoted(tag.getValue()))
            .collect(Collectors.joining(",", DOMAIN + ":", "")));
  }

  /** Quotes what JMX would take for syntax; a connector may have any name. */
  private static String quoted(String value) {
    return value.matches("[\\w.-]+") ? value : ObjectName.quote(value);
  }
}
