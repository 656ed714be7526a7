import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.pipelines.graph.AllTables$;
import org.apache.spark.sql.pipelines.graph.GraphRegistrationContext;
import org.apache.spark.sql.pipelines.graph.NoTables$;
import org.apache.spark.sql.pipelines.graph.PipelineUpdateContextImpl;
import org.apache.spark.sql.pipelines.graph.SqlGraphRegistrationContext;
import org.apache.spark.sql.pipelines.logging.RunProgress;
import scala.collection.immutable.Map$;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;

/**
 * Spark for tests: reads one JSON command a line from standard input, writes one JSON answer a line to standard
 * output, and ends with its input. Spark's settings come as `spark.*` system properties; see spark.ts for both ends.
 *
 *   {"sql": text}                                          -> {"columns": [{"name","type"}], "rows": [[value]]}
 *   {"scripts": [[text]]}                                  -> {"answers": [the last statement's, or the first error]}
 *   {"pipeline": {file: text}, schema, storage, fullRefresh} -> {"events": [message]}
 *   whatever fails                                         -> {"error": {"condition","sqlState","message","phase"}}
 */
public final class SparkDriver {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** As Spark's cast to STRING writes it: no zeros at the end of the fraction. */
  private static final DateTimeFormatter TIMESTAMP = new DateTimeFormatterBuilder()
      .appendPattern("uuuu-MM-dd HH:mm:ss")
      .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
      .toFormatter();

  public static void main(String[] arguments) throws Exception {
    // Answers own the real standard output; whatever a library prints goes to the log.
    PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    System.setOut(System.err);
    SparkSession spark = SparkSession.builder().getOrCreate();
    answers.println(JSON.writeValueAsString(Map.of("ready", spark.version())));
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      answers.println(JSON.writeValueAsString(answer(spark, JSON.readTree(line))));
    }
    spark.stop();
    System.exit(0);
  }

  private static Map<String, Object> answer(SparkSession spark, JsonNode command) {
    try {
      if (command.has("sql")) return query(spark, command.get("sql").asText());
      return command.has("scripts") ? runScripts(spark, command.get("scripts")) : runPipeline(spark, command);
    } catch (Throwable error) {
      return Map.of("error", describe(error));
    }
  }

  private static Map<String, Object> query(SparkSession spark, String text) {
    var result = spark.sql(text);
    List<Object> columns = new ArrayList<>();
    for (var field : result.schema().fields()) {
      columns.add(Map.of("name", field.name(), "type", field.dataType().catalogString()));
    }
    List<Object> rows = new ArrayList<>();
    for (Row row : result.collectAsList()) rows.add(values(row));
    return Map.of("columns", columns, "rows", rows);
  }

  /** As many scripts at once as the machine has processors, all in one session: a session costs as much as a query. */
  private static Map<String, Object> runScripts(SparkSession spark, JsonNode scripts) throws Exception {
    List<Callable<Map<String, Object>>> tasks = new ArrayList<>();
    for (JsonNode script : scripts) tasks.add(() -> runScript(spark, script));
    var pool = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      List<Object> answers = new ArrayList<>();
      for (var task : pool.invokeAll(tasks)) answers.add(task.get());
      return Map.of("answers", answers);
    } finally {
      pool.shutdown();
    }
  }

  private static Map<String, Object> runScript(SparkSession spark, JsonNode script) {
    SparkSession.setActiveSession(spark);
    Map<String, Object> answer = Map.of();
    for (JsonNode text : script) {
      try {
        answer = query(spark, text.asText());
      } catch (Throwable error) {
        return Map.of("error", describe(error));
      }
    }
    return answer;
  }

  /** Runs `.sql` definitions by Spark's own declarative pipelines, as its Connect server does for `spark-pipelines run`. */
  private static Map<String, Object> runPipeline(SparkSession spark, JsonNode command) throws Throwable {
    var registration = new GraphRegistrationContext("spark_catalog", command.get("schema").asText(), Map$.MODULE$.empty());
    var definitions = new SqlGraphRegistrationContext(registration);
    for (var file : command.get("pipeline").properties()) {
      definitions.processSqlFile(file.getValue().asText(), file.getKey(), spark);
    }
    boolean fullRefresh = command.get("fullRefresh").asBoolean();
    List<String> events = new ArrayList<>();
    var failure = new AtomicReference<Throwable>();
    var update = new PipelineUpdateContextImpl(
        registration.toDataflowGraph(),
        event -> {
          synchronized (events) {
            events.add(event.message());
          }
          if (event.details() instanceof RunProgress && event.error().isDefined()) failure.set(event.error().get());
          return BoxedUnit.UNIT;
        },
        fullRefresh ? NoTables$.MODULE$ : AllTables$.MODULE$,
        fullRefresh ? AllTables$.MODULE$ : NoTables$.MODULE$,
        command.get("storage").asText());
    update.pipelineExecution().runPipeline();
    if (failure.get() != null) throw failure.get();
    return Map.of("events", events);
  }

  private static List<Object> values(Row row) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) values.add(render(row.get(i)));
    return values;
  }

  /** The JSON form of a value: exact, so what a JavaScript number cannot hold is text. */
  private static Object render(Object value) {
    if (value == null || value instanceof Boolean || value instanceof String) return value;
    if (value instanceof Byte || value instanceof Short || value instanceof Integer) return value;
    if (value instanceof Long || value instanceof LocalDate) return value.toString();
    if (value instanceof BigDecimal decimal) return decimal.toPlainString();
    if (value instanceof Float || value instanceof Double) {
      double number = ((Number) value).doubleValue();
      return Double.isFinite(number) ? (Object) number : Double.toString(number);
    }
    if (value instanceof Instant instant) return TIMESTAMP.format(instant.atOffset(ZoneOffset.UTC));
    if (value instanceof LocalDateTime dateTime) return TIMESTAMP.format(dateTime);
    if (value instanceof Duration time) return "us:" + (time.getSeconds() * 1_000_000 + time.getNano() / 1_000);
    if (value instanceof Period months) return "mo:" + months.toTotalMonths();
    if (value instanceof byte[] bytes) return HexFormat.of().withUpperCase().formatHex(bytes);
    if (value instanceof Row row) return struct(row);
    if (value instanceof scala.collection.Seq<?> items) {
      return CollectionConverters.asJava(items).stream().map(SparkDriver::render).collect(ArrayList::new, List::add, List::addAll);
    }
    if (value instanceof scala.collection.Map<?, ?> map) {
      List<Object> entries = new ArrayList<>();
      CollectionConverters.asJava(map).forEach((key, item) -> {
        List<Object> entry = new ArrayList<>();
        entry.add(render(key));
        entry.add(render(item));
        entries.add(entry);
      });
      return entries;
    }
    throw new IllegalArgumentException("SparkDriver.render has no JSON form for " + value.getClass().getName());
  }

  private static Map<String, Object> struct(Row row) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (int i = 0; i < row.size(); i++) fields.put(row.schema().fieldNames()[i], render(row.get(i)));
    if (fields.size() < row.size()) throw new IllegalArgumentException("two fields of one name in " + row.schema().catalogString());
    return fields;
  }

  /** Spark's condition and SQLSTATE of the nearest cause that has them; the phase is "analysis" before a query runs, else "runtime". */
  private static Map<String, Object> describe(Throwable error) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("message", String.valueOf(error.getMessage()));
    answer.put("phase", error instanceof AnalysisException ? "analysis" : "runtime");
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof SparkThrowable known && known.getCondition() != null) {
        answer.put("message", cause.getMessage());
        answer.put("condition", known.getCondition());
        answer.put("sqlState", known.getSqlState());
        break;
      }
    }
    return answer;
  }
}
