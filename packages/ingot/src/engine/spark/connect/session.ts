import type { MessageInitShape } from "@bufbuild/protobuf";
import { Table, tableToIPC, Utf8, vectorFromArray } from "apache-arrow";
import type { Field } from "../../../model/data-type.js";
import type { Value } from "../../engine.js";
import { readArrow } from "./arrow-values.js";
import { Connection } from "./connection.js";
import { execute, runCommand } from "./execute.js";
import { type Observed, readObserved } from "./observed-metrics.js";
import type { AnalyzePlanRequestSchema, AnalyzePlanResponse } from "./protocol/base_pb.js";
import {
  WriteOperation_SaveTable_TableSaveMethod as SaveMethod,
  WriteOperation_SaveMode as SaveMode,
} from "./protocol/commands_pb.js";
import { type Relation, sqlRelation } from "./relations.js";
import type { Remote } from "./remote.js";
import { fieldsOfSchema } from "./schema.js";
import { type StreamWrite, streamAvailable } from "./stream.js";

/** What a statement or a query answers. */
export interface Answer {
  readonly columns: readonly Field[];
  /** Values in the form of `engine/duckdb/values.ts`. */
  readonly rows: readonly (readonly Value[])[];
  readonly observed: Observed;
}

/** Rows added to a table, or put in the place of all of its rows, in one commit. */
export interface TableWrite {
  readonly input: Relation;
  readonly format: string;
  /** A table that is there: columns go by their place as in INSERT. */
  readonly into: { readonly table: string } | { readonly path: string };
  readonly mode: "append" | "overwrite";
  /** Of the format's writer: `txnAppId`, `txnVersion`, `userMetadata`, … */
  readonly options?: Readonly<Record<string, string>>;
}

/**
 * A session on a Spark Connect server. Settings, temporary views and functions are the session's own. Statements may
 * run side by side.
 */
export class SparkSession {
  readonly #connection: Connection;

  /** @param patienceMs how long a server that was there may be silent before a call fails */
  constructor(remote: Remote, patienceMs?: number) {
    this.#connection = new Connection(remote, patienceMs);
  }

  /** Host and port, for people. */
  get place(): string {
    return this.#connection.place;
  }

  /** Spark's version: `4.2.0`. */
  async version(signal: AbortSignal): Promise<string> {
    const { result } = await this.#analyze({ case: "sparkVersion", value: {} }, signal);
    return result.case === "sparkVersion" ? result.value.version : "";
  }

  /** The columns of a relation, typed by Spark without running it. */
  async schema(relation: Relation, signal: AbortSignal): Promise<readonly Field[]> {
    const plan = { opType: { case: "root", value: relation } } as const;
    const { result } = await this.#analyze({ case: "schema", value: { plan } }, signal);
    if (result.case !== "schema" || result.value.schema === undefined) throw new Error("an answer without a schema");
    return fieldsOfSchema(result.value.schema);
  }

  /** Sets the session's settings; undefined: Spark's own default, not the server's. */
  async configure(settings: Readonly<Record<string, string | undefined>>, signal: AbortSignal): Promise<void> {
    const pairs = Object.entries(settings).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value }]));
    const keys = Object.keys(settings).filter((key) => settings[key] === undefined);
    const { rpc } = this.#connection;
    for (const opType of [
      ...(pairs.length === 0 ? [] : [{ case: "set", value: { pairs } } as const]),
      ...(keys.length === 0 ? [] : [{ case: "unset", value: { keys } } as const]),
    ]) {
      const request = () => ({ ...this.#connection.base, operation: { opType } });
      await this.#connection.call((options) => rpc.config(request(), options), signal);
    }
  }

  /**
   * Runs one SQL statement and gives its rows: of a query its result, of DML its counts.
   *
   * @param names relations that the statement names
   */
  async sql(text: string, signal: AbortSignal, names: Readonly<Record<string, Relation>> = {}): Promise<Answer> {
    const input = sqlRelation(text, names);
    const answers = await runCommand(this.#connection, { case: "sqlCommand", value: { input } }, signal);
    const observed = readObserved(answers);
    const relation = answers
      .map(({ responseType: r }) => (r.case === "sqlCommandResult" ? r.value.relation : undefined))
      .find((found) => found !== undefined);
    if (relation === undefined) return { columns: [], rows: [], observed };
    // A command has run, and its rows are here; a query has not.
    const { relType } = relation;
    if (relType.case === "localRelation" && relType.value.data !== undefined) {
      return { ...readArrow(relType.value.data), observed };
    }
    const result = await this.collect(relation, signal);
    return { ...result, observed: { ...observed, ...result.observed } };
  }

  /** Runs a relation and gives all of its rows. */
  async collect(relation: Relation, signal: AbortSignal): Promise<Answer> {
    const rows: (readonly Value[])[] = [];
    let columns: readonly Field[] = [];
    let observed: Observed = {};
    for await (const answer of execute(this.#connection, { opType: { case: "root", value: relation } }, signal)) {
      observed = { ...observed, ...readObserved([answer]) };
      if (answer.responseType.case !== "arrowBatch") continue;
      const batch = readArrow(answer.responseType.value.data);
      columns = batch.columns;
      for (const row of batch.rows) rows.push(row);
    }
    return { columns, rows, observed };
  }

  /** Writes rows to a table in one commit; gives what was observed of them. */
  async write({ input, format, into, mode, options = {} }: TableWrite, signal: AbortSignal): Promise<Observed> {
    const saveType =
      "path" in into
        ? ({ case: "path", value: into.path } as const)
        : ({ case: "table", value: { tableName: into.table, saveMethod: SaveMethod.INSERT_INTO } } as const);
    const value = { input, source: format, mode: SAVE_MODES[mode], options, saveType };
    return readObserved(await runCommand(this.#connection, { case: "writeOperation", value }, signal));
  }

  /** As `streamAvailable`. */
  stream(write: StreamWrite, signal: AbortSignal): Promise<number> {
    return streamAvailable(this.#connection, write, signal);
  }

  /** Rows of texts from here, sent with the plan that reads them. */
  textRows(columns: readonly string[], rows: readonly (readonly (string | null)[])[]): Relation {
    const vectors = columns.map((name, i) => [
      name,
      vectorFromArray(
        rows.map((row) => row[i] ?? null),
        new Utf8(),
      ),
    ]);
    const data = tableToIPC(new Table(Object.fromEntries(vectors)), "stream");
    return { relType: { case: "localRelation", value: { data } } };
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  #analyze(
    analyze: NonNullable<MessageInitShape<typeof AnalyzePlanRequestSchema>["analyze"]>,
    signal: AbortSignal,
  ): Promise<AnalyzePlanResponse> {
    const { rpc } = this.#connection;
    return this.#connection.call((options) => rpc.analyzePlan({ ...this.#connection.base, analyze }, options), signal);
  }
}

const SAVE_MODES = { append: SaveMode.APPEND, overwrite: SaveMode.OVERWRITE };
