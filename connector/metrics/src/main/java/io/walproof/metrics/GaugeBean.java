package io.walproof.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.ReflectionException;

/** Gauges as read-only attributes with their descriptions. Thread-safe. */
final class GaugeBean implements DynamicMBean {

  private final Map<String, Gauge> gauges = new ConcurrentSkipListMap<>();

  void add(Gauge gauge) {
    gauges.put(gauge.name(), gauge);
  }

  @Override
  public Object getAttribute(String name) throws AttributeNotFoundException {
    Gauge gauge = gauges.get(name);
    if (gauge == null) {
      throw new AttributeNotFoundException(name);
    }
    return gauge.value().get();
  }

  @Override
  public AttributeList getAttributes(String[] names) {
    AttributeList found = new AttributeList();
    for (String name : names) {
      Gauge gauge = gauges.get(name);
      if (gauge != null) {
        found.add(new Attribute(name, gauge.value().get()));
      }
    }
    return found;
  }

  @Override
  public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
    throw new AttributeNotFoundException(attribute.getName() + " is read-only");
  }

  @Override
  public AttributeList setAttributes(AttributeList attributes) {
    return new AttributeList();
  }

  @Override
  public Object invoke(String action, Object[] arguments, String[] signature)
      throws ReflectionException {
    throw new ReflectionException(new NoSuchMethodException(action));
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    MBeanAttributeInfo[] attributes =
        gauges.values().stream()
            .map(
                gauge ->
                    new MBeanAttributeInfo(
                        gauge.name(),
                        gauge.type().getName(),
                        gauge.description(),
                        true,
                        false,
                        false))
            .toArray(MBeanAttributeInfo[]::new);
    return new MBeanInfo(
        GaugeBean.class.getName(), "Gauges of a Walproof task", attributes, null, null, null);
  }
}
