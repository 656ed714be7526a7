import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { localStore, type PlannedDefinition, type Snapshot, type Store } from "@ingot/delta";
import type { AsOf, Moment, TableOptions } from "../../model/query.js";
import type { DeclaredTable, TableState } from "../../model/table.js";
import type { CompiledExpression } from "../../sql/compile-expression.js";
import { quoteText } from "../../sql/lower/lower-text.js";
import { checkBalance } from "../check-balance.js";
import {
  type ApplyResult,
  type ApplyStep,
  type BoundQuery,
  type Engine,
  NO_EVENTS,
  type Optimized,
  type PartResult,
  type RangeEnd,
  type ResultSet,
  type RowOrigin,
  type TargetTable,
  type TextRow,
  type Vacuumed,
  type VacuumOptions,
  type Value,
  type VersionRange,
  type WritePart,
  type WriteResult,
  type WriteStep,
} from "../engine.js";
import { checkGate } from "../rules/expectation-violation.js";
import { admitRange } from "../tables/admit-range.js";
import { appendRows } from "../tables/append-rows.js";
import { commitFiles, removeFiles } from "../tables/commit-files.js";
import { compactsItself } from "../tables/compacts-itself.js";
import { withDelta } from "../tables/delta-errors.js";
import { declaredProperties, planTarget } from "../tables/plan-target.js";
import { resolveRange } from "../tables/resolve-range.js";
import { isDone, snapshotOf, toTableState } from "../tables/table-state.js";
import { vacuumTable } from "../tables/vacuum-table.js";
import { applyStep } from "./cdc/apply-step.js";
import { eventsOf } from "./cdc/stage-events.js";
import { checkColumns } from "./check-columns.js";
import { ENGINE_INFO } from "./commit-step.js";
import { duckdbTable } from "./delta/duckdb-table.js";
import type { WrittenFile } from "./delta/write-files.js";
import { createDialectCompiler } from "./dialect/dialect-compiler.js";
import { DuckdbSession } from "./duckdb-session.js";
import { fromDuckdb } from "./errors.js";
import { LINES_NEEDED } from "./files/record-columns.js";
import { TextCopies } from "./files/text-copies.js";
import { compactTable, optimizeTable } from "./optimize-table.js";
import { newFiles, resultOf, rowsOf } from "./part-result.js";
import { refreshView, refuseRecompute } from "./refresh-view.js";
import { queryText, type RowSources, readsFiles } from "./relations.js";
import { bytesOfFiles } from "./row-estimate.js";
import { checkFacts, type NewRows, stagedRows } from "./rules/check-facts.js";
import { checkRows, dropChecked } from "./rules/check-rows.js";
import type { Checks } from "./rules/checked-rows.js";
import { commitQuarantine } from "./rules/commit-quarantine.js";
import { readExamples } from "./rules/read-examples.js";
import { removeQuarantineFiles, type StagedQuarantine, stageQuarantines } from "./rules/stage-quarantine.js";
import { settleReads } from "./settle-reads.js";
import { stageFiles } from "./stage-files.js";
import { toValue } from "./values.js";
import { comparisonObstacle, isWorthComparing, type ViewTable } from "./view-table.js";

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

  resolveRange(location: string, from: Moment | "latest", to?: Moment): Promise<{ from: bigint; to: bigint }> {
    return withDelta(() => resolveRange(this.#store, location, from, to));
  }

  admit(location: string, range: VersionRange, options: TableOptions): Promise<RangeEnd> {
    return withDelta(() => admitRange(this.#store, location, range, options));
  }

  async write(step: WriteStep, signal: AbortSignal): Promise<WriteResult> {
    const result = await withDelta(() => this.#write(step, signal));
    await this.#keepCompact(step, signal);
    return result;
  }

  async #write(step: WriteStep, signal: AbortSignal): Promise<WriteResult> {
    const snapshot = await snapshotOf(this.#store, step.target.location);
    const parts = step.parts.filter((part) => !isDone(part, snapshot));
    if (parts.length === 0 && step.parts.length > 0 && snapshot !== undefined) {
      return { version: snapshot.version, parts: step.parts.map(() => NOTHING) };
    }
    const plan = planTarget(step.target, step.mode, snapshot);
    const [part] = parts;
    if (step.byDifference === true && snapshot !== undefined && part !== undefined) {
      const obstacle = comparisonObstacle(snapshot, plan, step);
      if (obstacle !== undefined) refuseRecompute(step, part, obstacle);
      else if (typeof part.basis === "object" || isWorthComparing(snapshot))
        return this.#refresh({ snapshot, plan, step, part, signal });
    }
    const staged: WrittenFile[] = [];
    const quarantines: StagedQuarantine[] = [];
    const written = new Map<WritePart, PartResult>();
    try {
      for (const part of parts) {
        const { files, result, aside } = await this.#stage(step, part, plan, snapshot, signal);
        staged.push(...files);
        quarantines.push(...aside);
        written.set(part, result);
      }
      signal.throwIfAborted();
    } catch (error) {
      await removeFiles(step, newFiles(staged));
      await removeQuarantineFiles(quarantines);
      throw error;
    }
    // The target comes last: a batch that it holds is done.
    try {
      for (const quarantine of quarantines) await commitQuarantine(this.#store, quarantine);
    } catch (error) {
      await removeFiles(step, newFiles(staged));
      throw error;
    }
    const version = await commitFiles(this.#store, snapshot, plan, { ...step, parts }, newFiles(staged), ENGINE_INFO);
    return { version, parts: step.parts.map((part) => written.get(part) ?? NOTHING) };
  }

  #refresh(view: Omit<ViewTable, "connection" | "store">): Promise<WriteResult> {
    const { bound } = view.part;
    const object = view.step.target.name;
    return this.#connect(bound, object, view.signal, (connection, sources) =>
      refreshView({ ...view, connection, store: this.#store }, sources, (work) =>
        this.#evaluate(connection, bound, { object, counts: true, sources }, work),
      ),
    );
  }

  async apply(step: ApplyStep, signal: AbortSignal): Promise<ApplyResult> {
    const result = await withDelta(() => this.#apply(step, signal));
    await this.#keepCompact(step, signal);
    return result;
  }

  async #keepCompact({ target, note }: Pick<WriteStep, "target" | "note">, signal: AbortSignal): Promise<void> {
    if (!compactsItself(target)) return;
    await this.#session.use(signal, (connection) => compactTable(connection, this.#store, target, note));
  }

  async #apply(step: ApplyStep, signal: AbortSignal): Promise<ApplyResult> {
    const target = await snapshotOf(this.#store, step.target.location);
    if (target !== undefined && step.parts.every((part) => isDone(part, target)))
      return { version: target.version, parts: step.parts.map(() => ({ events: NO_EVENTS })) };
    const state = await snapshotOf(this.#store, step.state);
    const use = { signal, counts: true };
    return this.#use(eventsOf(step.parts), step.target.name, use, (connection, text, copies, checks) =>
      applyStep({ connection, store: this.#store, step, target, state, signal }, { text, copies, checks }),
    );
  }

  appendRows(target: TargetTable, rows: readonly TextRow[], transaction: WritePart["transaction"]): Promise<void> {
    return withDelta(() => appendRows(this.#store, target, rows, transaction, ENGINE_INFO));
  }

  dropQuarantined(
    location: string,
    { duckdb: condition }: Pick<CompiledExpression, "duckdb">,
    { runId, at }: Pick<RowOrigin, "runId" | "at">,
    signal: AbortSignal,
  ): Promise<number> {
    const set = { _state: "'dropped'", _resolved_at: `TIMESTAMPTZ ${quoteText(at)}`, _resolved_run: quoteText(runId) };
    const where = `_state = 'open' AND (${condition})`;
    return withDelta(() =>
      this.#session.use(
        signal,
        async (connection) =>
          (await duckdbTable(connection, this.#store, location).update({ set, where })).rows.updated,
      ),
    );
  }

  optimize(location: string, signal: AbortSignal): Promise<Optimized> {
    return withDelta(() => this.#session.use(signal, (connection) => optimizeTable(connection, this.#store, location)));
  }

  vacuum(location: string, options: VacuumOptions): Promise<Vacuumed> {
    return withDelta(() => vacuumTable(this.#store, location, options, ENGINE_INFO));
  }

  async query(
    bound: BoundQuery,
    options: { readonly limit?: number; readonly signal: AbortSignal },
  ): Promise<ResultSet> {
    const columns = bound.query.schema;
    const use = { signal: options.signal, counts: false };
    return this.#use(bound, "the query", use, async (connection, text) => {
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

  /**
   * A connection that can run the query, and its text; with DuckDB's errors in the product's words.
   *
   * @param counts the rules of the query count its rows, and stop it; else they only leave rows out
   * @param beside the table whose rows stay beside those of the query
   */
  async #use<T>(
    bound: BoundQuery,
    object: string,
    { signal, counts, beside }: Use,
    work: (connection: DuckDBConnection, text: string, copies: TextCopies, checks: Checks) => Promise<T>,
  ): Promise<T> {
    return this.#connect(bound, object, signal, (connection, sources) =>
      this.#evaluate(connection, bound, { object, counts, beside, sources }, (text, checks) =>
        work(connection, text, sources.copies, checks),
      ),
    );
  }

  /** A connection that can run the query; with DuckDB's errors in the product's words. */
  async #connect<T>(
    bound: BoundQuery,
    object: string,
    signal: AbortSignal,
    work: (connection: DuckDBConnection, sources: RowSources) => Promise<T>,
  ): Promise<T> {
    const copies = new TextCopies(this.#copies);
    const run = (lineNumber: boolean): Promise<T> =>
      this.#session.use(signal, async (connection) => {
        if (readsFiles(bound)) await this.#session.needFiles(connection);
        return work(connection, { store: this.#store, copies, lineNumber });
      });
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

  /** The text of the query, and what its rules said. */
  async #evaluate<T>(
    connection: DuckDBConnection,
    bound: BoundQuery,
    {
      object,
      counts,
      beside,
      sources,
    }: Omit<Use, "signal"> & { readonly object: string; readonly sources: RowSources },
    work: (text: string, checks: Checks) => Promise<T>,
  ): Promise<T> {
    const checks: Checks = counts ? await checkRows(connection, bound, sources, beside) : new Map();
    const text = await withDelta(() => queryText(bound, { ...sources, checks }));
    await checkColumns(connection, text, bound.query.schema, object);
    const result = await work(text, checks);
    await dropChecked(connection, checks);
    return result;
  }

  async #checkFacts(
    connection: DuckDBConnection,
    { mode }: WriteStep,
    { bound: { rules }, planned = "" }: WritePart,
    snapshot: Snapshot | undefined,
    added: NewRows,
  ): Promise<Pick<PartResult, "facts">> {
    if (rules?.facts === undefined) return {};
    const table = { store: this.#store, snapshot, appends: mode === "append", planned };
    return { facts: await checkFacts(connection, rules, table, added) };
  }

  async #stage(
    step: WriteStep,
    part: WritePart,
    plan: PlannedDefinition,
    snapshot: Snapshot | undefined,
    signal: AbortSignal,
  ): Promise<Staged> {
    const { target } = step;
    const { bound } = part;
    const use = { signal, counts: true, beside: step.mode === "append" ? snapshot : undefined };
    return this.#use(bound, target.name, use, async (connection, text, copies, checks) => {
      for (const checked of checks.values()) await checkGate(checked, readExamples(connection, checked));
      const bytes = bytesOfFiles(bound);
      const files = await stageFiles(connection, plan, text, bound.query.schema, target.clusterBy, bytes);
      try {
        const dropped = await settleReads(connection, bound, copies);
        const counts = [...checks.values()].map((checked) => checked.counts);
        checkBalance(target.name, part, rowsOf(files), dropped, counts);
        const facts = await this.#checkFacts(connection, step, part, snapshot, stagedRows(plan, files));
        const aside = await stageQuarantines(connection, this.#store, step, part, checks);
        return { files, aside, result: { ...resultOf(part, plan, files, dropped, counts), ...facts } };
      } catch (error) {
        await removeFiles(step, newFiles(files));
        throw error;
      }
    });
  }
}

interface Use {
  readonly signal: AbortSignal;
  readonly counts: boolean;
  readonly beside?: Snapshot | undefined;
}

/** The files of a part, and what it wrote. */
interface Staged {
  readonly files: readonly WrittenFile[];
  /** Rows that rules set aside. */
  readonly aside: readonly StagedQuarantine[];
  readonly result: PartResult;
}

const NOTHING: PartResult = { rows: 0, bytes: 0 };
