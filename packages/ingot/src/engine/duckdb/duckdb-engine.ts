import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { localStore, type PlannedDefinition, readChanges, type Snapshot, type Store } from "@ingot/delta";
import type { BatchFile } from "../../model/batch.js";
import { IngotError } from "../../model/error.js";
import type { AsOf } from "../../model/query.js";
import type { DeclaredTable, TableState } from "../../model/table.js";
import { verifyReadFile } from "../../sources/files/verify-read-file.js";
import type { BoundQuery, Engine, PartResult, ResultSet, Value, WritePart, WriteResult, WriteStep } from "../engine.js";
import { commitStep, declaredProperties, planTarget } from "./commit-step.js";
import type { WrittenFile } from "./delta/write-files.js";
import { createDialectCompiler } from "./dialect/dialect-compiler.js";
import { DuckdbSession } from "./duckdb-session.js";
import { fromDuckdb, withDelta } from "./errors.js";
import { LINES_NEEDED } from "./files/record-columns.js";
import { TextCopies } from "./files/text-copies.js";
import { checkBalance, resultOf } from "./part-result.js";
import { dropCounts, queryText, readsFiles } from "./relations.js";
import { stageFiles } from "./stage-files.js";
import { snapshotOf, toTableState } from "./table-state.js";
import { toValue } from "./values.js";

/** Runs steps in this process: DuckDB reads and writes Parquet, the Delta library commits. */
export class DuckdbEngine implements Engine {
  readonly dialects: Engine["dialects"];
  readonly #session: DuckdbSession;
  readonly #store: Store;
  /** Folder of copies that last as long as a statement. */
  readonly #copies: string;

  /**
   * @param storage folder of the pipeline's state; DuckDB spills below it
   * @param store where the logs of the tables lie
   */
  constructor(storage: string, store: Store = localStore) {
    this.#session = new DuckdbSession(storage);
    this.dialects = { duckdb: createDialectCompiler(this.#session) };
    this.#store = store;
    this.#copies = join(storage, "_tmp", "text");
  }

  async describe(location: string, asOf?: AsOf): Promise<TableState | undefined> {
    const snapshot = await withDelta(() => snapshotOf(this.#store, location, asOf));
    return snapshot === undefined ? undefined : toTableState(snapshot);
  }

  declare(table: DeclaredTable): Promise<Readonly<Record<string, string>>> {
    return withDelta(async () => declaredProperties(table));
  }

  checkAppendOnly(location: string, after: bigint | undefined, to: bigint): Promise<void> {
    return withDelta(() => this.#checkAppendOnly(location, after, to));
  }

  async #checkAppendOnly(location: string, after: bigint | undefined, to: bigint): Promise<void> {
    if (after === undefined || after >= to) return;
    const snapshot = await snapshotOf(this.#store, location, { version: to });
    if (snapshot === undefined) return;
    for await (const change of readChanges(this.#store, snapshot, after + 1n)) {
      const removed = change.removed.filter((file) => file.dataChange).length;
      if (removed === 0) continue;
      throw new IngotError(
        "DELTA_SOURCE_TABLE_IGNORE_CHANGES",
        `Version ${change.version} of ${location} took ${removed} file${removed === 1 ? "" : "s"} away: a stream can only follow a table that grows`,
        {
          object: location,
          hint: "Nothing was written. Start the reading table again with --full-refresh, or read the source without STREAM in a materialized view.",
        },
      );
    }
  }

  write(step: WriteStep, signal: AbortSignal): Promise<WriteResult> {
    return withDelta(() => this.#write(step, signal));
  }

  async #write(step: WriteStep, signal: AbortSignal): Promise<WriteResult> {
    const snapshot = await snapshotOf(this.#store, step.target.location);
    const parts = step.parts.filter((part) => !isDone(part, snapshot));
    if (parts.length === 0 && step.parts.length > 0 && snapshot !== undefined) {
      return { version: snapshot.version, parts: step.parts.map(() => NOTHING) };
    }
    const plan = planTarget(step.target, step.mode, snapshot);
    const staged: WrittenFile[] = [];
    const written = new Map<WritePart, PartResult>();
    try {
      for (const part of parts) {
        const { files, result } = await this.#stage(step, part, plan, signal);
        staged.push(...files);
        written.set(part, result);
      }
      signal.throwIfAborted();
    } catch (error) {
      await removeFiles(step, staged);
      throw error;
    }
    const version = await this.#commit(snapshot, plan, step, parts, staged);
    return { version, parts: step.parts.map((part) => written.get(part) ?? NOTHING) };
  }

  async #commit(
    snapshot: Snapshot | undefined,
    plan: PlannedDefinition,
    step: WriteStep,
    parts: readonly WritePart[],
    staged: readonly WrittenFile[],
  ): Promise<bigint> {
    try {
      const files = staged.map(({ file }) => file);
      return await commitStep(this.#store, snapshot, plan, step, parts, files);
    } catch (error) {
      if (await this.#lacksAll(step, parts)) await removeFiles(step, staged);
      throw error;
    }
  }

  /** Whether the log proves that no part was committed: an error may come after the commit was made. */
  async #lacksAll({ target }: WriteStep, parts: readonly WritePart[]): Promise<boolean> {
    try {
      const snapshot = await snapshotOf(this.#store, target.location);
      return !parts.some((part) => isDone(part, snapshot));
    } catch {
      // Not known, so the files stay: a file that no log names does no harm, one that is missing breaks the table.
      return false;
    }
  }

  async query(
    bound: BoundQuery,
    options: { readonly limit?: number; readonly signal: AbortSignal },
  ): Promise<ResultSet> {
    const columns = bound.query.schema;
    return this.#use(bound, "the query", options.signal, async (connection, text) => {
      const stream = await connection.stream(text);
      const rows: Value[][] = [];
      const limit = options.limit ?? Number.POSITIVE_INFINITY;
      for (
        let chunk = await stream.fetchChunk();
        chunk !== null && chunk.rowCount > 0;
        chunk = await stream.fetchChunk()
      ) {
        for (const row of chunk.getRows()) rows.push(columns.map((column, i) => toValue(row[i] ?? null, column.type)));
        if (rows.length > limit) break;
      }
      return { columns, rows: rows.slice(0, limit), truncated: rows.length > limit };
    });
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  /** A connection that can run the query, and its text; with DuckDB's errors in the product's words. */
  async #use<T>(
    bound: BoundQuery,
    object: string,
    signal: AbortSignal,
    work: (connection: DuckDBConnection, text: string, copies: TextCopies) => Promise<T>,
  ): Promise<T> {
    const copies = new TextCopies(this.#copies);
    const run = async (lineNumber: boolean): Promise<T> => {
      const text = await withDelta(() => queryText(bound, { store: this.#store, copies, lineNumber }));
      return await this.#session.use(signal, async (connection) => {
        if (readsFiles(bound)) await this.#session.needFiles(connection);
        return work(connection, text, copies);
      });
    };
    try {
      return await run(false).catch((error) => {
        if (!String(error).includes(LINES_NEEDED)) throw error;
        return run(true);
      });
    } catch (error) {
      throw fromDuckdb(error, object);
    } finally {
      await copies.remove();
    }
  }

  async #stage(step: WriteStep, part: WritePart, plan: PlannedDefinition, signal: AbortSignal): Promise<Staged> {
    const { target } = step;
    const { bound } = part;
    return this.#use(bound, target.name, signal, async (connection, text, copies) => {
      const files = await stageFiles(connection, plan, text, bound.query.schema, target.clusterBy);
      try {
        const dropped = await countRows(connection, await dropCounts(bound, copies));
        for (const read of filesOf(bound)) await verifyReadFile(read);
        checkBalance(target.name, part, files, dropped);
        return { files, result: resultOf(part, plan, files, dropped) };
      } catch (error) {
        await removeFiles(step, files);
        throw error;
      }
    });
  }
}

/** The files of a part, and what it wrote. */
interface Staged {
  readonly files: readonly WrittenFile[];
  readonly result: PartResult;
}

/** The sum of queries that count. */
async function countRows(connection: DuckDBConnection, queries: readonly string[]): Promise<number> {
  let sum = 0;
  for (const query of queries) sum += Number((await connection.runAndReadAll(query)).getRows()[0]?.[0] ?? 0);
  return sum;
}

const NOTHING: PartResult = { rows: 0, bytes: 0 };

async function removeFiles({ target }: WriteStep, files: readonly WrittenFile[]): Promise<void> {
  for (const { file } of files) await rm(join(target.location, file.path), { force: true });
}

/** The files that a query reads, through its views. */
function filesOf({ inputs }: BoundQuery): BatchFile[] {
  return [...inputs.values()].flatMap((input) =>
    input.kind === "view" ? filesOf(input.view) : input.kind === "files" ? input.files : [],
  );
}

function isDone({ transaction }: WritePart, snapshot: Snapshot | undefined): boolean {
  const done = snapshot?.transactions.get(transaction.appId);
  return done !== undefined && done >= transaction.version;
}
