import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import {
  type AddFile,
  type CompiledRules,
  compileRules,
  fileLayout,
  type LiveFile,
  mayMatch,
  type NewFile,
  type RewriteTask,
  type Rewritten,
  type RowChange,
  type Snapshot,
  type StructType,
  type TouchedFile,
  unionRows,
} from "@ingot/delta";
import { bytesOfRows } from "../row-estimate.js";
import { rowCondition } from "../row-filter.js";
import { ROW_GROUP } from "../row-group.js";
import { afterImages, readsTarget } from "./after-images.js";
import { assertOneSourceRow } from "./assert-one-source-row.js";
import type { WriteFilesOptions } from "./copy-text.js";
import { hitsQuery, type OpenEdit } from "./edit-queries.js";
import { keyPruning, type OpenSource, openSource } from "./edit-source.js";
import { enforceRules, explainViolation } from "./enforce-rules.js";
import { mayHoldPlaced, placedRows } from "./find-places.js";
import { assertNoHiddenNames, CHANGE_TYPE, FILE, ROW } from "./hidden-columns.js";
import { dropDead, type FileHits, type Hits, hitsByFile, readHits, rowsTaken } from "./hits.js";
import { type PlacedFile, readPlaces, rowIdText, scanPlaces } from "./read-places.js";
import { isMismatch, mismatch, requireWhere } from "./require-where.js";
import { isUpdate, makesRows, type RowEdit, touchingClauses } from "./row-edit.js";
import { keysInOrder, rowOrder } from "./row-order.js";
import { type WrittenFile, writeFiles } from "./write-files.js";

/**
 * So few new rows, counted with the old ones, are written as they come: they fill some two row groups, of which readers
 * could pass over one, and sorting wide rows is a third of writing them. Unsorted they take a sixth more space, until the
 * table is clustered as a whole.
 */
const UNSORTED = 4 * ROW_GROUP;

/** What one attempt has found. */
interface Found {
  readonly files: readonly LiveFile[];
  readonly hits: Hits;
  readonly groups: readonly FileHits[];
}

let changes = 0;

/** A change of single rows, carried out by DuckDB. Its connection is its own until it is closed. */
export class DuckdbRowChange implements RowChange {
  readonly operation: string;
  readonly operationParameters: Readonly<Record<string, string>>;
  readonly rowSchema: StructType | undefined;
  readonly #connection: DuckDBConnection;
  readonly #edit: RowEdit;
  /** Before the names of all its temporary tables. */
  readonly #prefix: string;
  #source: OpenSource | undefined;
  #mayTouch: ((file: AddFile) => boolean) | undefined;
  #rules: CompiledRules<string> | undefined;
  #found: Found | undefined;

  constructor(connection: DuckDBConnection, edit: RowEdit) {
    this.operation = edit.operation;
    this.operationParameters = edit.operationParameters;
    this.rowSchema = edit.rowSchema;
    this.#connection = connection;
    this.#edit = edit;
    changes += 1;
    this.#prefix = `ingot_change_${changes}`;
  }

  get #open(): OpenEdit {
    return { edit: this.#edit, source: this.#source, hits: `${this.#prefix}_hits` };
  }

  async prepare(snapshot: Snapshot): Promise<void> {
    const { source, keys, places, notMatchedBySource, pruneBy, evaluator } = this.#edit;
    assertNoHiddenNames(snapshot);
    this.#rules = makesRows(this.#edit) ? compileRules(snapshot, evaluator) : undefined;
    if (source !== undefined && this.#source === undefined)
      this.#source = await openSource(this.#connection, source, `${this.#prefix}_source`, snapshot.table);
    if (notMatchedBySource.length > 0) this.#mayTouch = pruneBy === undefined ? undefined : mayMatch(pruneBy, snapshot);
    else if (places?.version === snapshot.version) this.#mayTouch = mayHoldPlaced(places, snapshot);
    else if (this.#source !== undefined && keys.length > 0)
      this.#mayTouch = await keyPruning(this.#connection, this.#source, keysInOrder(keys, snapshot), snapshot);
  }

  mayTouch(file: AddFile): boolean {
    return this.#mayTouch?.(file) ?? true;
  }

  async find(snapshot: Snapshot, files: readonly LiveFile[]): Promise<readonly TouchedFile[]> {
    const open = this.#open;
    const layout = fileLayout(snapshot);
    const added = files.map(({ file }) => file);
    const ids = layout.rowTracking === undefined ? undefined : rowIdText(added);
    const { places } = this.#edit;
    const found = places?.version === snapshot.version ? places : undefined;
    const rows = found === undefined ? scanPlaces({ snapshot, layout }, added) : placedRows(found, added);
    const query = hitsQuery(open, rows, ids, found?.mark);
    await this.#connection.run(`CREATE OR REPLACE TEMP TABLE ${open.hits} AS ${query} ORDER BY ${FILE}, ${ROW}`);
    const hits = await readHits(this.#connection, open.hits);
    const groups = hitsByFile(hits);
    await dropDead(this.#connection, open.hits, hits, files);
    // Where places were found, each key was there once.
    if (found === undefined) await assertOneSourceRow(this.#connection, open, snapshot, hits);
    this.#found = { files, hits, groups };
    return groups.flatMap((group) => {
      const live = files[group.file];
      const touched = rowsTaken(hits, group, () => true);
      return live === undefined || touched.length === 0 ? [] : [{ ...live, touched }];
    });
  }

  async write(task: RewriteTask): Promise<Rewritten> {
    const written: NewFile[] = [];
    try {
      return await this.#rewrite(task, async (query, options) => {
        const files = await writeFiles(this.#connection, task.layout, query, options);
        written.push(...files.map(({ file }) => file));
        return files;
      });
    } catch (error) {
      for (const { path } of written) await rm(join(task.layout.table, path), { force: true });
      throw error;
    }
  }

  async #rewrite(task: RewriteTask, write: Write): Promise<Rewritten> {
    const { snapshot, layout, touched, by, changeFeed } = task;
    const counts = this.#count();
    // Rows that only come or go as a whole the log tells.
    const needsFeed = changeFeed && (counts.updated > 0 || (by === "copy" && touched.length > 0));
    const before = await this.#beforeImages({ snapshot, layout }, needsFeed);
    const after = this.#afterImages({ snapshot, layout });
    const rowsAtMost = await this.#rowsAtMost();
    const bytes = bytesOfRows(rowsAtMost, snapshot);
    const size = bytes === undefined ? {} : { bytes };
    const attempt: Attempt = {
      task,
      write,
      needsFeed,
      after,
      options: {
        orderBy: by === "vectors" && rowsAtMost <= UNSORTED ? [] : rowOrder(this.#edit.keys, snapshot),
        rowIds: layout.rowTracking !== undefined,
        ...(by === "vectors" ? size : {}),
      },
    };
    const { add, changeFiles, copied } =
      by === "vectors" ? await this.#writeNewRows(attempt) : await this.#writeCopies(attempt);
    const old = needsFeed && before !== undefined ? await write(before, { ...CHANGE_FILE, ...size }) : [];
    const rows = add.reduce((sum, { stats }) => sum + stats.numRecords, 0);
    return {
      add: add.map(({ file }) => file),
      changeFiles: [...changeFiles, ...old].map(({ file }) => file),
      rows: { ...counts, inserted: rows - counts.updated - copied, copied },
    };
  }

  /** One file serves the table and its change feed, which reads the column with the change type in it. */
  async #writeNewRows({ task, write, needsFeed, after, options }: Attempt): Promise<Written> {
    if (after === undefined) return { add: [], changeFiles: [], copied: 0 };
    const add = await this.#guard(task.snapshot, after, (rows) => write(rows, { ...options, changeType: needsFeed }));
    return { add, changeFiles: needsFeed ? add : [], copied: 0 };
  }

  async #writeCopies({ task, write, needsFeed, after, options }: Attempt): Promise<Written> {
    const copies = await this.#copies(task, task.touched);
    const writeAll = async (rows: string | undefined): Promise<WrittenFile[]> => {
      const parts = [rows, copies.query].flatMap((part) => (part === undefined ? [] : [`FROM (${part})`]));
      return parts.length === 0 ? [] : write(parts.join(" UNION ALL BY NAME "), options);
    };
    if (after === undefined) return { add: await writeAll(undefined), changeFiles: [], copied: copies.rows };
    return this.#guard(task.snapshot, after, async (rows) => {
      if (!needsFeed) return { add: await writeAll(rows), changeFiles: [], copied: copies.rows };
      // Written twice, so evaluated once.
      const kept = `${this.#prefix}_after`;
      await this.#connection.run(`CREATE OR REPLACE TEMP TABLE ${kept} AS ${rows}`);
      const changeFiles = await write(`FROM ${kept}`, CHANGE_FILE);
      return { add: await writeAll(`FROM ${kept}`), changeFiles, copied: copies.rows };
    });
  }

  /** Of the rows before, and of those after: no more than the source's and what was found. */
  async #rowsAtMost(): Promise<number> {
    const counted =
      this.#source === undefined
        ? undefined
        : await this.#connection.runAndReadAll(`SELECT count(*) FROM ${this.#source.name}`);
    return this.#foundRows().hits.rows.length + Number(counted?.getRows()[0]?.[0] ?? 0);
  }

  #count(): { updated: number; deleted: number } {
    const clauses = touchingClauses(this.#edit);
    const { hits, groups } = this.#foundRows();
    const counts = { updated: 0, deleted: 0 };
    for (const group of groups) {
      const touched = rowsTaken(hits, group, () => true).length;
      const updated = rowsTaken(hits, group, (clause) => isUpdate(clauses[clause])).length;
      counts.updated += updated;
      counts.deleted += touched - updated;
    }
    return counts;
  }

  #foundRows(): Found {
    if (this.#found === undefined) throw new Error("unreachable: find comes before write");
    return this.#found;
  }

  /** SQL of the touched rows as they were, with CHANGE_TYPE; read once. Undefined where nobody asks for them. */
  async #beforeImages(table: Table, needsFeed: boolean): Promise<string | undefined> {
    const clauses = touchingClauses(this.#edit);
    const { hits, groups, files } = this.#foundRows();
    const isRead = this.#rules !== undefined && readsTarget(this.#open, table.snapshot, this.#rules);
    if (!isRead && !needsFeed) return undefined;
    const touched = groups.flatMap((group): PlacedFile[] => {
      const live = files[group.file];
      const only = rowsTaken(hits, group, (clause) => needsFeed || isUpdate(clauses[clause]));
      if (live === undefined || only.length === 0) return [];
      const deleted = rowsTaken(hits, group, (clause) => !isUpdate(clauses[clause]));
      const type = `CASE WHEN ${rowCondition({ only: deleted })} THEN 'delete' ELSE 'update_preimage' END`;
      const place = [`${group.file}::UINTEGER AS ${FILE}`, `file_row_number::DOUBLE AS ${ROW}`];
      return [{ file: live.file, rows: { only }, further: [`${type} AS ${CHANGE_TYPE}`, ...place] }];
    });
    if (touched.length === 0 && !isRead) return undefined;
    const rows = touched.length === 0 ? scanPlaces(table, []) : await readPlaces(this.#connection, table, touched);
    if (!isRead) return rows;
    await this.#connection.run(`CREATE OR REPLACE TEMP TABLE ${this.#before} AS ${rows}`);
    return touched.length === 0 ? undefined : `FROM ${this.#before}`;
  }

  get #before(): string {
    return `${this.#prefix}_before`;
  }

  #afterImages({ snapshot, layout }: Table): string | undefined {
    if (this.#rules === undefined) return undefined;
    return afterImages(this.#open, snapshot, this.#rules, this.#before, layout.rowTracking !== undefined);
  }

  /** Runs a query of new rows so that it keeps the table's rules, or fails by the one that is broken. */
  async #guard<T>(snapshot: Snapshot, rows: string, run: (rows: string) => Promise<T>): Promise<T> {
    const { newRowsWhere } = this.#edit;
    const rules = this.#rules;
    if (rules === undefined) return run(rows);
    try {
      const kept = enforceRules(rows, rules);
      return await run(newRowsWhere === undefined ? kept : requireWhere(kept, newRowsWhere));
    } catch (error) {
      if (newRowsWhere !== undefined && isMismatch(error)) throw mismatch(snapshot, newRowsWhere);
      throw await explainViolation(this.#connection, error, rows, rules, snapshot);
    }
  }

  /** What stays of the touched files. */
  async #copies(table: Table, touched: readonly TouchedFile[]): Promise<{ query: string | undefined; rows: number }> {
    if (touched.length === 0) return { query: undefined, rows: 0 };
    const files = touched.map(({ file, deleted, touched: rows }): PlacedFile => {
      return { file, rows: { except: deleted === undefined ? rows : unionRows(deleted, rows) } };
    });
    const query = await readPlaces(this.#connection, table, files);
    const counted = await this.#connection.runAndReadAll(`SELECT count(*) FROM (${query})`);
    return { query, rows: Number(counted.getRows()[0]?.[0]) };
  }

  async close(): Promise<void> {
    const tables = [this.#open.hits, this.#before, `${this.#prefix}_after`];
    if (this.#source?.isOwn) tables.push(this.#source.name);
    await this.#connection.run(tables.map((name) => `DROP TABLE IF EXISTS ${name}`).join(";"));
  }
}

type Table = Parameters<typeof readPlaces>[1];

/** What a write goes by. */
interface Attempt {
  readonly task: RewriteTask;
  readonly write: Write;
  readonly needsFeed: boolean;
  /** SQL of the new rows. */
  readonly after: string | undefined;
  readonly options: WriteFilesOptions;
}

interface Written {
  readonly add: readonly WrittenFile[];
  readonly changeFiles: readonly WrittenFile[];
  readonly copied: number;
}

type Write = (query: string, options: WriteFilesOptions) => Promise<WrittenFile[]>;

const CHANGE_FILE: WriteFilesOptions = { folder: "_change_data", changeType: true };
