import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { DuckdbSession } from "../../../packages/ingot/src/engine/duckdb/duckdb-session.js";
import { type Reading, tryDelta, tryDeltaChanges, tryDuckdb } from "../deltalake.js";
import { type Spark, SparkError, startSpark } from "../spark.js";
import { duckdbReader, javascriptReader, type OwnReader } from "./readers.js";
import { duckdbWriter, javascriptWriter, type Writer } from "./writers.js";

/** Statements about a table, which they call `$table`, and `$path` its path. */
export const ROWS = "SELECT * FROM $table";
export const CHANGES = "SELECT * EXCEPT (_commit_timestamp) FROM table_changes_by_path('$path', 0)";
export const ROW_IDS = "SELECT id, _metadata.row_id FROM $table";

/** Of a query over a handful of rows, half of the time goes into plans and tasks for many. */
const SMALL_TABLES = {
  "spark.sql.codegen.wholeStage": "false",
  "spark.sql.adaptive.enabled": "false",
  "spark.sql.shuffle.partitions": "1",
  "spark.databricks.delta.snapshotPartitions": "1",
};

type Asked = { readonly key: string; readonly sql: string };

/** Our engines and the peers at work in one folder, and what each read so far. Tables go by keys. */
export class Lab {
  readonly folder: string;
  readonly spark: Spark;
  readonly #session: DuckdbSession;
  readonly #connection: DuckDBConnection;
  readonly #places = new Map<string, string | Error>();
  readonly #readings = new Map<string, Reading>();

  constructor(folder: string, session: DuckdbSession, connection: DuckDBConnection, spark: Spark) {
    this.folder = folder;
    this.spark = spark;
    this.#session = session;
    this.#connection = connection;
  }

  writer(name: Writer["name"]): Writer {
    return name === "JavaScript" ? javascriptWriter : duckdbWriter(this.#connection);
  }

  ownReaders(): OwnReader[] {
    return [javascriptReader, duckdbReader(this.#connection)];
  }

  /** Notes where a table lies, or that it could not be made: then its own tests fail, and no others. */
  async put(key: string, making: Promise<string>): Promise<void> {
    this.#places.set(key, await making.catch(toError));
  }

  /** Throws what went wrong when the table was made. */
  place(key: string): string {
    const place = this.#places.get(key);
    if (typeof place === "string") return place;
    throw place ?? new Error(`${key} was not made`);
  }

  /** Lets delta-rs and DuckDB's extension read tables; one start of Python each. */
  async letPythonRead(keys: readonly string[]): Promise<void> {
    const made = this.#made(keys.map((key) => ({ key })));
    const locations = made.map(({ key }) => this.place(key));
    const [delta, duckdb] = await Promise.all([tryDelta(locations), tryDuckdb(locations)]);
    this.#note(made, "deltalake", delta);
    this.#note(made, "duckdb", duckdb);
  }

  async letSparkAnswer(questions: readonly Asked[]): Promise<void> {
    const asked = this.#made(questions);
    const answers = await this.spark.runAll(asked.map(({ key, sql }) => [about(this.place(key), sql)]));
    for (const [i, { key, sql }] of asked.entries()) this.#note([{ key }], sql, [toReading(answers[i])]);
  }

  /** Change feeds by delta-rs. Those that may make it panic, which ends the process, have one of their own. */
  async letDeltaReadChanges(calm: readonly string[], panicking: readonly string[]): Promise<void> {
    for (const keys of [calm, ...panicking.map((key) => [key])]) {
      const made = this.#made(keys.map((key) => ({ key })));
      const locations = made.map(({ key }) => this.place(key));
      const feeds = await tryDeltaChanges(locations, 0).catch((error: unknown) =>
        made.map((): Reading => ({ error: toError(error).message })),
      );
      this.#note(made, "changes by deltalake", feeds);
    }
  }

  /** @param by `deltalake`, `duckdb`, `changes by deltalake`, or a statement for Spark */
  reading(key: string, by: string): Reading {
    // Why it was not made says more than that nobody read it.
    this.place(key);
    const reading = this.#readings.get(`${key}: ${by}`);
    if (reading === undefined) throw new Error(`${key} was not read (${by})`);
    return reading;
  }

  async close(): Promise<void> {
    await this.spark.stop();
    await this.#session.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  #made<One extends { readonly key: string }>(all: readonly One[]): One[] {
    return all.filter(({ key }) => typeof this.#places.get(key) === "string");
  }

  #note(of: readonly { readonly key: string }[], by: string, readings: readonly Reading[]): void {
    for (const [i, { key }] of of.entries())
      this.#readings.set(`${key}: ${by}`, readings[i] ?? { error: "there was no answer" });
  }
}

export async function openLab(): Promise<Lab> {
  const folder = await mkdtemp(join(tmpdir(), "ingot-matrix-"));
  const session = new DuckdbSession(folder);
  // Kept for the life of the lab: the work that it is given never ends by itself.
  const connection = await new Promise<DuckDBConnection>((resolve) => {
    void session.use(new AbortController().signal, async (own) => resolve(own));
  });
  return new Lab(folder, session, connection, await startSpark("long", SMALL_TABLES));
}

/** A statement with a table's place put in. */
export function about(location: string, sql: string): string {
  return sql.replaceAll("$table", `delta.\`${location}\``).replaceAll("$path", location);
}

function toReading(answer: Reading | SparkError | undefined): Reading {
  if (answer instanceof SparkError) return { error: `${answer.condition}: ${answer.message}` };
  return answer ?? { error: "there was no answer" };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
