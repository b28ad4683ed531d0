package io.walproof.connector.catalog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * A reading of the catalog as one bounded text, for a place that holds little: the facts by table
 * as JSON, compressed, in Base64. Where there is no room, the tables with the longest facts keep
 * only a digest, which tells that something changed and not what; then the last tables by name are
 * left out. Pure.
 */
public final class CatalogText {

  /** What a compressed text may grow to when it is read: no honest one does. */
  private static final int MOST_BYTES = 256 * 1024 * 1024;

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private CatalogText() {}

  /**
   * A reading that fits.
   *
   * @param text the text
   * @param digests tables of which only a digest is kept
   * @param leftOut tables of which nothing is kept
   */
  public record Fitting(String text, int digests, int leftOut) {}

  /**
   * Writes.
   *
   * @param facts each table's facts by its display name
   * @param maxBytes how long the text may be
   */
  public static Fitting write(Map<String, String> facts, int maxBytes) {
    String whole = text(new TreeMap<>(facts));
    if (whole.length() <= maxBytes) {
      return new Fitting(whole, 0, 0);
    }
    List<String> longestFirst = new ArrayList<>(facts.keySet());
    longestFirst.sort(
        Comparator.comparingInt((String name) -> facts.get(name).length())
            .reversed()
            .thenComparing(Comparator.naturalOrder()));
    int digests = least(facts.size(), n -> fits(shortened(facts, longestFirst, n), maxBytes));
    Map<String, String> kept = shortened(facts, longestFirst, digests);
    List<String> names = new ArrayList<>(kept.keySet());
    int leftOut = least(names.size(), n -> fits(without(kept, names, n), maxBytes));
    Map<String, String> all = without(kept, names, leftOut);
    return new Fitting(text(all), Math.min(digests, all.size()), leftOut);
  }

  /**
   * Reads {@link #write}'s text.
   *
   * @throws CatalogStoreException if it is damaged
   */
  public static Map<String, String> read(String text) {
    try (GZIPInputStream in =
        new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(text)))) {
      byte[] json = in.readNBytes(MOST_BYTES);
      return MAPPER.readValue(json, new TypeReference<TreeMap<String, String>>() {});
    } catch (IOException | IllegalArgumentException e) {
      throw new CatalogStoreException("the catalog reading is damaged", e);
    }
  }

  private interface Fits {
    boolean with(int number);
  }

  /**
   * A small number that fits; the largest if none does. What is much alike takes less room whole
   * than as digests, so that a larger number need not be better: small ones are tried first.
   */
  private static int least(int most, Fits fits) {
    if (fits.with(0)) {
      return 0;
    }
    int low = 0;
    int high = Math.min(1, most);
    while (high < most && !fits.with(high)) {
      low = high;
      high = Math.min(most, high * 2);
    }
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (fits.with(middle)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }

  private static Map<String, String> shortened(
      Map<String, String> facts, List<String> longestFirst, int digests) {
    Map<String, String> all = new TreeMap<>(facts);
    for (String name : longestFirst.subList(0, digests)) {
      all.put(name, FactsDigest.of(facts.get(name)));
    }
    return all;
  }

  private static Map<String, String> without(
      Map<String, String> facts, List<String> names, int leftOut) {
    Map<String, String> all = new TreeMap<>(facts);
    names.subList(names.size() - leftOut, names.size()).forEach(all::remove);
    return all;
  }

  private static boolean fits(Map<String, String> facts, int maxBytes) {
    return text(facts).length() <= maxBytes;
  }

  private static String text(Map<String, String> facts) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(MAPPER.writeValueAsString(facts).getBytes(StandardCharsets.UTF_8));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("texts can be written as JSON", e);
    } catch (IOException e) {
      throw new UncheckedIOException("bytes in memory can be written", e);
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }
}
