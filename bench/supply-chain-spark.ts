// The tables of examples/supply-chain on Spark with Delta: the statements of `ingot export databricks`, each table written once. Bronze is
// Spark's own CSV reader; gold is what its snapshot has, as a first load overwrites a table.
import { createReadStream, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { type Spark, SparkError, startSpark } from "../test/interop/spark.js";
import { usage } from "./usage.js";

/** A dataset of the bundle. */
interface Statement {
  /** As other statements write it. */
  readonly name: string;
  readonly isView: boolean;
  readonly query: string;
}

/**
 * @param bundle folder that `ingot export databricks` has written
 * @param project folder of the project, with its extracts in `landing`
 */
export async function runOnSpark(bundle: string, project: string, landing: string): Promise<unknown> {
  const statements = inOrder(readStatements(bundle));
  const started = performance.now();
  const spark = await startSpark("long");
  try {
    for (const schema of ["bronze", "extract", "settings", "silver", "gold"])
      await spark.sql(`CREATE SCHEMA ${schema}`);
    const tables: string[] = [];
    const without: Record<string, string> = {};
    for (const { name, isView, query } of statements) {
      try {
        const text = await withFiles(spark, query, project, landing);
        await spark.sql(
          isView ? `CREATE TEMPORARY VIEW ${name} AS ${text}` : `CREATE TABLE ${name} USING delta AS ${text}`,
        );
        if (!isView) tables.push(name);
      } catch (error) {
        if (!(error instanceof SparkError)) throw error;
        without[name] = error.condition ?? error.message.slice(0, 200);
      }
    }
    const { cpu, peak } = usage();
    const wall = (performance.now() - started) / 1000;
    return {
      wall_s: Number(wall.toFixed(1)),
      cpu_s: Number(cpu.toFixed(1)),
      peak_mb: peak,
      tables: tables.length,
      without,
    };
  } finally {
    await spark.stop();
  }
}

/** Views of reports are no part of it. */
function readStatements(bundle: string): Statement[] {
  const folder = join(bundle, "transformations");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".sql"));
  return files
    .filter((path) => !path.startsWith("report/"))
    .map((path) => toStatement(readFileSync(join(folder, path), "utf8")));
}

function toStatement(text: string): Statement {
  const [, kind = "", name = ""] =
    /^CREATE (?:PRIVATE )?(MATERIALIZED VIEW|TEMPORARY VIEW|STREAMING TABLE) ([\w.`]+)/.exec(text) ?? [];
  const snapshot = /FROM SNAPSHOT (\w+)/.exec(text)?.[1];
  const query =
    snapshot === undefined ? text.replace(/^[\s\S]*?^AS /m, "").replace(/;\s*$/, "") : `SELECT * FROM ${snapshot}`;
  // Rows that are set aside do not come into the table.
  const kept = [...text.matchAll(/EXPECT \((.*)\) ON VIOLATION DROP ROW,?$/gm)].map(
    ([, condition]) => `(${condition})`,
  );
  return {
    name,
    isView: kind === "TEMPORARY VIEW",
    query: kept.length === 0 ? query : `SELECT * FROM (${query}) WHERE ${kept.join(" AND ")}`,
  };
}

/** Each behind what it reads. */
function inOrder(statements: readonly Statement[]): Statement[] {
  const byName = new Map(statements.map((statement) => [statement.name, statement]));
  const ordered = new Set<Statement>();
  const place = (statement: Statement): void => {
    if (ordered.has(statement)) return;
    const words = new Set(statement.query.match(/[\w]+\.[\w]+|[\w]+/g));
    for (const [name, other] of byName) if (other !== statement && words.has(name)) place(other);
    ordered.add(statement);
  };
  for (const statement of statements) place(statement);
  return [...ordered];
}

/** A read of a file as a relation of Spark: all columns texts, or those of the declared schema. */
async function withFiles(spark: Spark, query: string, project: string, landing: string): Promise<string> {
  const [call, path = ""] = /read_files\('([^']+)'(?:[^()]|\([^()]*\))*\)/.exec(query) ?? [];
  if (call === undefined) return query;
  const isSetting = path.includes("/settings/");
  const file = join(isSetting ? join(project, "settings") : landing, basename(path));
  const option = (name: string) => new RegExp(`${name} => '([^']*)'`).exec(call)?.[1];
  const names = (await firstLine(file)).split(",").map((name) => name.toLowerCase().replace(/[^a-z0-9]+/g, "_"));
  const schema = option("schema") ?? names.map((name) => `\`${name}\` STRING`).join(", ");
  const view = `csv_${basename(file, ".csv").toLowerCase()}`;
  await spark.sql(`CREATE TEMPORARY VIEW ${view} (${schema}) USING csv
    OPTIONS (path '${file}', header 'true', multiLine 'true', escape '"')`);
  const missing = (option("schemaHints") ?? "")
    .split(", ")
    .filter((column) => column !== "" && !names.includes(column.split(" ")[0] ?? ""));
  const columns = ["*", ...missing.map((column) => `CAST(NULL AS STRING) AS ${column.split(" ")[0]}`)];
  const origin = ", current_timestamp() AS dw_load_ts, monotonically_increasing_id() AS _file_row";
  if (!isSetting) return `SELECT ${columns.join(", ")}${origin}, '${basename(file)}' AS _file_name FROM ${view}`;
  return query.replace(call, view);
}

async function firstLine(file: string): Promise<string> {
  for await (const line of createInterface(createReadStream(file))) return line;
  return "";
}
