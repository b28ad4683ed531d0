package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** In the one jar each class is there once, so two libraries must not bring the same one. */
class DuplicateClassesTest {

  /** The build picks one of these by name. */
  private static final Set<String> DECIDED = Set.of("io/debezium/Module.class");

  @Test
  void noClassComesFromTwoLibraries() throws IOException {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    Map<String, List<String>> places = new TreeMap<>();
    int jars = 0;
    for (String element : classPath.split(File.pathSeparator, -1)) {
      if (element.endsWith(".jar")) {
        jars++;
        try (JarFile jar = new JarFile(element)) {
          for (JarEntry entry : jar.stream().toList()) {
            if (isSharedClass(entry.getName())) {
              places
                  .computeIfAbsent(entry.getName(), any -> new ArrayList<>())
                  .add(new File(element).getName());
            }
          }
        }
      }
    }
    assertThat(jars).isGreaterThan(20);
    Map<String, List<String>> twice =
        places.entrySet().stream()
            .filter(place -> place.getValue().size() > 1 && !DECIDED.contains(place.getKey()))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    assertThat(twice).isEmpty();
  }

  private static boolean isSharedClass(String name) {
    return name.endsWith(".class")
        && !name.startsWith("META-INF/")
        && !name.endsWith("module-info.class");
  }
}
