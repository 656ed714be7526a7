import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { localStore, type Store } from "@ingot/delta";
import { IngotError } from "../../model/error.js";
import type { AsOf, Moment, TableOptions } from "../../model/query.js";
import type { DeclaredTable, TableState } from "../../model/table.js";
import type { CompiledExpression } from "../../sql/compile-expression.js";
import type {
  ApplyResult,
  ApplyStep,
  BoundQuery,
  Engine,
  Optimized,
  RangeEnd,
  ResultSet,
  RowOrigin,
  TargetTable,
  TextRow,
  Vacuumed,
  VacuumOptions,
  VersionRange,
  WritePart,
  WriteResult,
  WriteStep,
} from "../engine.js";
import { admitRange } from "../tables/admit-range.js";
import { appendRows } from "../tables/append-rows.js";
import { withDelta } from "../tables/delta-errors.js";
import { declaredProperties } from "../tables/plan-target.js";
import { resolveRange } from "../tables/resolve-range.js";
import { snapshotOf, toTableState } from "../tables/table-state.js";
import { vacuumTable } from "../tables/vacuum-table.js";
import { applyStep } from "./cdc/apply-step.js";
import { checkServer, newSession } from "./connect/open-session.js";
import { filesRelation, sqlRelation } from "./connect/relations.js";
import type { SparkSession } from "./connect/session.js";
import { ENGINE_INFO } from "./define-table.js";
import { keepCompact } from "./keep-compact.js";
import { optimizeTable } from "./optimize-table.js";
import { queryText } from "./query-text.js";
import { refuseNode } from "./refuse-node.js";
import { dropQuarantined } from "./rules/drop-quarantined.js";
import { Sessions } from "./sessions.js";
import { fromSpark } from "./spark-errors.js";
import type { SparkWork } from "./spark-work.js";
import { TextContext } from "./text-context.js";
import { writeStep } from "./write-step.js";

/**
 * What statements are read by: Spark's defaults where a server may have others, times in UTC, and records of CSV that
 * fit or do not whichever columns a query uses.
 */
const SETTINGS = {
  "spark.sql.session.timeZone": "UTC",
  "spark.sql.ansi.enabled": "true",
  "spark.sql.caseSensitive": "false",
  "spark.sql.csv.parser.columnPruning.enabled": "false",
  "spark.sql.sources.partitionOverwriteMode": "static",
};

/**
 * Runs steps on a Spark server: it reads and writes rows, each commit with its `txn`. Logs are read, and definitions
 * written, from here by the Delta library; so the server must see the folders of the project under the same paths.
 */
export class SparkEngine implements Engine {
  readonly refuse = refuseNode;
  readonly dialects: Engine["dialects"] = {};
  readonly #storage: string;
  readonly #remote: string;
  readonly #store: Store;
  readonly #sessions = new Sessions((signal) => this.#open(signal));
  #isFit: Promise<void> | undefined;
  #isCleared: Promise<void> | undefined;

  /**
   * @param storage folder of the pipeline's state
   * @param remote Spark's connection string: see `parseRemote`
   */
  constructor(storage: string, remote: string, store: Store = localStore) {
    this.#storage = storage;
    this.#remote = remote;
    this.#store = store;
  }

  async describe(location: string, asOf?: AsOf): Promise<TableState | undefined> {
    const snapshot = await withDelta(() => snapshotOf(this.#store, location, asOf));
    return snapshot === undefined ? undefined : toTableState(snapshot);
  }

  declare(table: DeclaredTable): Promise<Readonly<Record<string, string>>> {
    return withDelta(async () => declaredProperties(table));
  }

  resolveRange(location: string, from: Moment | "latest", to?: Moment): Promise<{ from: bigint; to: bigint }> {
    return withDelta(() => resolveRange(this.#store, location, from, to));
  }

  admit(location: string, range: VersionRange, options: TableOptions): Promise<RangeEnd> {
    return withDelta(() => admitRange(this.#store, location, range, options));
  }

  write(step: WriteStep, signal: AbortSignal): Promise<WriteResult> {
    const { name } = step.target;
    return this.#use(name, signal, async (session) => {
      const work = await this.#workOf(session, signal);
      const result = await writeStep(work, step);
      await keepCompact(work, step.target);
      return result;
    });
  }

  apply(step: ApplyStep, signal: AbortSignal): Promise<ApplyResult> {
    return this.#use(step.target.name, signal, async (session) => {
      const work = await this.#workOf(session, signal);
      const result = await applyStep(work, step);
      await keepCompact(work, step.target);
      return result;
    });
  }

  appendRows(target: TargetTable, rows: readonly TextRow[], transaction: WritePart["transaction"]): Promise<void> {
    return withDelta(() => appendRows(this.#store, target, rows, transaction, ENGINE_INFO));
  }

  dropQuarantined(
    location: string,
    { spark }: Pick<CompiledExpression, "spark">,
    origin: Pick<RowOrigin, "runId" | "at">,
    signal: AbortSignal,
  ): Promise<number> {
    return this.#use(location, signal, (session) => dropQuarantined(session, location, spark, origin, signal));
  }

  optimize(location: string, signal: AbortSignal): Promise<Optimized> {
    return this.#use(location, signal, (session) => optimizeTable(session, this.#store, location, signal));
  }

  vacuum(location: string, options: VacuumOptions): Promise<Vacuumed> {
    return withDelta(() => vacuumTable(this.#store, location, options, ENGINE_INFO));
  }

  query(
    bound: BoundQuery,
    { limit, signal }: { readonly limit?: number; readonly signal: AbortSignal },
  ): Promise<ResultSet> {
    return this.#use("the query", signal, async (session) => {
      const context = new TextContext(this.#store);
      const text = await queryText(bound, context);
      const limited = limit === undefined ? text : `SELECT * FROM (${text}) LIMIT ${limit + 1}`;
      const { rows } = await session.collect(sqlRelation(limited, context.names), signal);
      const count = limit ?? rows.length;
      return { columns: bound.query.schema, rows: rows.slice(0, count), truncated: rows.length > count };
    });
  }

  close(): Promise<void> {
    return this.#sessions.close();
  }

  async #workOf(session: SparkSession, signal: AbortSignal): Promise<SparkWork> {
    const scratch = join(this.#storage, "_tmp/spark");
    // Who writes holds the storage's lock, so what lies there is of a run that was killed.
    this.#isCleared ??= rm(scratch, { recursive: true, force: true });
    await this.#isCleared;
    return { session, store: this.#store, scratch, signal };
  }

  /** With a session of its own; errors say what they are about. */
  async #use<T>(object: string, signal: AbortSignal, work: (session: SparkSession) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    return withDelta(() => this.#sessions.use(signal, work)).catch((error) => {
      throw fromSpark(error, object);
    });
  }

  async #open(signal: AbortSignal): Promise<SparkSession> {
    const session = await newSession(this.#remote);
    try {
      // The first session looks at the server, for all.
      this.#isFit ??= this.#requireFit(session, signal);
      await this.#isFit;
      await session.configure(SETTINGS, signal);
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  async #requireFit(session: SparkSession, signal: AbortSignal): Promise<void> {
    await checkServer(session, signal);
    await this.#requireSharedFolders(session, signal);
  }

  /** @throws IngotError SPARK_STORAGE_NOT_SHARED */
  async #requireSharedFolders(session: SparkSession, signal: AbortSignal): Promise<void> {
    const folder = join(this.#storage, "_tmp");
    const path = join(folder, `spark-${randomUUID()}.txt`);
    await mkdir(folder, { recursive: true });
    await writeFile(path, "shared\n");
    try {
      const { rows } = await session.collect(filesRelation({ format: "text", paths: [path] }), signal);
      if (rows[0]?.[0] === "shared") return;
    } catch (error) {
      if (!(error instanceof IngotError) || !error.code.startsWith("PATH_NOT_FOUND")) throw error;
    } finally {
      await rm(path, { force: true });
    }
    throw new IngotError(
      "SPARK_STORAGE_NOT_SHARED",
      `The Spark server at ${session.place} does not see ${this.#storage}`,
      {
        object: this.#storage,
        hint: "Put the project, its landing folders and its storage on a disk that this machine and Spark's have under the same path.",
      },
    );
  }
}
