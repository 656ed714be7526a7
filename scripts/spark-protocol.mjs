/**
 * Generates `engine/spark/connect/protocol` from the protocol of the Spark Connect server that the tests run.
 *
 *   node scripts/spark-protocol.mjs
 *
 * The `.proto` files are in the server's jar. Only their descriptor is used, without comments and without the parts of
 * the protocol that Ingot does not speak (a third of it is left); protoc-gen-es makes code of that.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { sparkJars } from "./peers.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TARGET = join(ROOT, "packages/ingot/src/engine/spark/connect/protocol");
const BIN = join(ROOT, "node_modules/.bin");
const PACKAGE = "spark.connect";

/** Methods that the client calls. */
const METHODS = [
  "ExecutePlan",
  "AnalyzePlan",
  "Config",
  "Interrupt",
  "ReattachExecute",
  "ReleaseExecute",
  "ReleaseSession",
  "FetchErrorDetails",
];

/** Of messages with a variant for everything that Spark can do: the fields that the client sends and reads. */
const FIELDS = {
  Plan: ["root", "command"],
  Relation: [
    "common",
    "read",
    "project",
    "filter",
    "sql",
    "local_relation",
    "subquery_alias",
    "collect_metrics",
    "with_relations",
  ],
  RelationCommon: ["plan_id"],
  Read: ["named_table", "data_source", "is_streaming"],
  Expression: ["literal", "expression_string"],
  SQL: ["query"],
  SqlCommand: ["input"],
  Command: ["write_operation", "sql_command", "write_stream_operation_start", "streaming_query_command"],
  WriteStreamOperationStart: [
    "input",
    "format",
    "options",
    "partitioning_column_names",
    "available_now",
    "output_mode",
    "query_name",
    "path",
    "table_name",
  ],
  AnalyzePlanRequest: [
    "session_id",
    "client_observed_server_side_session_id",
    "user_context",
    "client_type",
    "schema",
    "spark_version",
    "ddl_parse",
  ],
  AnalyzePlanResponse: ["session_id", "server_side_session_id", "schema", "spark_version", "ddl_parse"],
  UserContext: ["user_id", "user_name"],
  ExecutePlanResponse: [
    "session_id",
    "server_side_session_id",
    "operation_id",
    "response_id",
    "arrow_batch",
    "sql_command_result",
    "write_stream_operation_start_result",
    "streaming_query_command_result",
    "result_complete",
    "observed_metrics",
    "schema",
  ],
};

const jars = await sparkJars();
if ("missing" in jars) throw new Error(jars.missing);
const draft = mkdtempSync(join(tmpdir(), "ingot-protocol-"));
try {
  const folder = dirname(jars.classpath);
  const jar = readdirSync(folder).find((name) => /^spark-connect_.*\.jar$/.test(name));
  // `jar` stands beside `java` in every JDK.
  execFileSync(join(dirname(jars.java), "jar"), ["xf", join(folder, jar), "spark"], { cwd: draft });
  const whole = join(draft, "whole.json");
  execFileSync(join(BIN, "buf"), ["build", "--exclude-source-info", "-o", whole], { cwd: draft });
  const set = JSON.parse(readFileSync(whole, "utf8"));
  prune(set);
  const spoken = join(draft, "spoken.json");
  writeFileSync(spoken, JSON.stringify(set));
  const template = {
    version: "v2",
    plugins: [{ local: join(BIN, "protoc-gen-es"), out: "out", opt: "target=js+dts,import_extension=js" }],
  };
  const types = METHODS.flatMap((name) => ["--type", `${PACKAGE}.SparkConnectService.${name}`]);
  execFileSync(join(BIN, "buf"), ["generate", spoken, "--template", JSON.stringify(template), ...types], {
    cwd: draft,
  });
  const generated = join(draft, "out/spark/connect");
  for (const name of readdirSync(TARGET)) if (/_pb\./.test(name)) rmSync(join(TARGET, name));
  for (const name of readdirSync(generated)) writeFileSync(join(TARGET, name), readFileSync(join(generated, name)));
} finally {
  rmSync(draft, { recursive: true, force: true });
}

/** Takes out the fields that are not in FIELDS; types that nothing names any more go with them (`--type`). */
function prune(set) {
  const messages = set.file.filter((file) => file.package === PACKAGE).flatMap((file) => file.messageType);
  for (const message of messages) {
    const kept = FIELDS[message.name];
    if (kept === undefined) continue;
    const missing = kept.find((name) => !message.field.some((field) => field.name === name));
    if (missing !== undefined) throw new Error(`${message.name} has no field ${missing}`);
    message.field = message.field.filter((field) => kept.includes(field.name));
    // Fields name their oneof by its place, and one without fields is no valid descriptor.
    const inOneof = message.field.filter((field) => field.oneofIndex !== undefined);
    const used = (message.oneofDecl ?? []).filter((_, place) => inOneof.some((field) => field.oneofIndex === place));
    for (const field of inOneof) field.oneofIndex = used.indexOf(message.oneofDecl[field.oneofIndex]);
    message.oneofDecl = used;
  }
}
