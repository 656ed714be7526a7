import type { DuckDBConnection } from "@duckdb/node-api";
import {
  type AddFile,
  fileLayout,
  type LiveFile,
  liveFiles,
  type RewriteTask,
  type Rewritten,
  type RowChange,
  type Snapshot,
  type Store,
  type TouchedFile,
} from "@ingot/delta";
import type { Field } from "../../model/data-type.js";
import { quoteName } from "../../sql/lower/lower-text.js";
import { fromDeltaSchema } from "../tables/delta-schema.js";
import { DuckdbRowChange } from "./delta/duckdb-row-change.js";
import { FILE, ROW } from "./delta/hidden-columns.js";
import { readPlaces, scanPlaces } from "./delta/read-places.js";
import { keysInOrder } from "./delta/row-order.js";
import { filesHolding } from "./files-holding.js";

/** How many rows a table lacks, and how many it has too much, against what it is to be. */
export interface DifferenceCounts {
  readonly inserted: number;
  readonly deleted: number;
}

/**
 * What rows a table is to have. Names are those of relations of the connection, with the table's columns, which stay as
 * they are until the end.
 */
export interface WantedRows {
  /** All that the table is to have, unless only some of its rows give way to them. */
  readonly rows: string;
  /** These give way, each as often. */
  readonly gone?: string;
  /** Those give way whose `columns` are a row of `table`, whose columns are `k0`, `k1`, …. */
  readonly within?: { readonly table: string; readonly columns: readonly string[] };
}

/** Rows that are to go are not there. */
export class MissingRows extends Error {}

let differences = 0;

/**
 * Makes the rows of a table, or some of them, those of a relation of the same columns: rows that the two share stay where
 * they are, each as often as both have it; the others go and come. Rows are compared by all their columns, bit by bit:
 * -0.0 is not 0.0.
 */
export class ViewDifference implements RowChange {
  readonly operation = "WRITE";
  readonly operationParameters = { mode: "Overwrite" };
  readonly #connection: DuckDBConnection;
  readonly #store: Store;
  readonly #wanted: WantedRows;
  readonly #prefix: string;
  #change: DuckdbRowChange | undefined;
  #compared: { readonly version: bigint; readonly counts: DifferenceCounts } | undefined;
  /** Places of the files, in the snapshot, that have rows to go. */
  #touched: ReadonlySet<number> = new Set();

  constructor(connection: DuckDBConnection, store: Store, wanted: WantedRows) {
    this.#connection = connection;
    this.#store = store;
    this.#wanted = wanted;
    differences += 1;
    this.#prefix = `ingot_difference_${differences}`;
  }

  /**
   * Compares what is wanted with a snapshot, each snapshot once.
   *
   * @throws MissingRows
   */
  async compare(snapshot: Snapshot): Promise<DifferenceCounts> {
    if (this.#compared?.version === snapshot.version) return this.#compared.counts;
    await this.#dropTables();
    const key = keyOf(fromDeltaSchema(snapshot.schema));
    const { rows, gone } = this.#wanted;
    const yielding = gone === undefined ? await this.#places(snapshot) : `FROM ${gone}`;
    await this.#connection.run(`CREATE TEMP TABLE ${this.#keys} AS SELECT key, sum(n)::BIGINT AS n FROM (
      SELECT ${key} AS key, 1 AS n FROM ${rows} UNION ALL SELECT ${key}, -1 FROM (${yielding}))
      GROUP BY key HAVING sum(n) <> 0`);
    const sums = `SELECT coalesce(sum(n) FILTER (n > 0), 0), coalesce(-sum(n) FILTER (n < 0), 0) FROM ${this.#keys}`;
    const [row] = (await this.#connection.runAndReadAll(sums)).getRows();
    const counts = { inserted: Number(row?.[0]), deleted: Number(row?.[1]) };
    const found = await this.#findSurplus(snapshot, key, counts.deleted);
    if (found < counts.deleted)
      throw new MissingRows(`${snapshot.table}: ${counts.deleted - found} rows are not there`);
    this.#compared = { version: snapshot.version, counts };
    return counts;
  }

  /** The table is read for rows that are to go, and only then. */
  async #findSurplus(snapshot: Snapshot, key: string, deleted: number): Promise<number> {
    const none = `SELECT NULL::UINTEGER AS place, NULL::UINTEGER AS ${FILE}, NULL::BIGINT AS ${ROW} WHERE false`;
    const some =
      async () => `SELECT ${FILE} AS place, (dense_rank() OVER (ORDER BY ${FILE}) - 1)::UINTEGER AS ${FILE}, ${ROW}
      FROM (SELECT p.*, d.n, row_number() OVER (PARTITION BY p.key ORDER BY p.${FILE}, p.${ROW}) AS i
      FROM (SELECT ${key} AS key, ${FILE}, ${ROW} FROM (${await this.#places(snapshot)})) p
      JOIN ${this.#keys} d ON d.n < 0 AND p.key IS NOT DISTINCT FROM d.key) WHERE i <= -n`;
    await this.#connection.run(`CREATE TEMP TABLE ${this.#surplus} AS ${deleted === 0 ? none : await some()}`);
    const files = `SELECT place, count(*) FROM ${this.#surplus} GROUP BY place`;
    const found = (await this.#connection.runAndReadAll(files)).getRows();
    this.#touched = new Set(found.map(([place]) => Number(place)));
    return found.reduce((sum, [, rows]) => sum + Number(rows), 0);
  }

  async prepare(snapshot: Snapshot): Promise<void> {
    await this.#change?.close();
    await this.compare(snapshot);
    const columns = fromDeltaSchema(snapshot.schema).map(({ name }, i) => `key.c${i} AS ${quoteName(name)}`);
    const added = `SELECT key, unnest(range(n)) FROM ${this.#keys} WHERE n > 0`;
    const isSurplus = `EXISTS (SELECT 1 FROM ${this.#surplus} x WHERE x.${FILE} = t.${FILE} AND x.${ROW} = t.${ROW})`;
    this.#change = new DuckdbRowChange(this.#connection, {
      operation: this.operation,
      operationParameters: this.operationParameters,
      source: { query: `SELECT ${columns.join(", ")} FROM (${added})` },
      keys: [],
      matched: [],
      notMatched: [{ values: "*" }],
      notMatchedBySource: [{ kind: "delete", condition: isSurplus }],
    });
    await this.#change.prepare(snapshot);
  }

  /** What another writer does to any file may change the difference. */
  mayTouch(_file: AddFile): boolean {
    return true;
  }

  find(snapshot: Snapshot, files: readonly LiveFile[]): Promise<readonly TouchedFile[]> {
    return this.#prepared.find(
      snapshot,
      files.filter((_, place) => this.#touched.has(place)),
    );
  }

  write(task: RewriteTask): Promise<Rewritten> {
    return this.#prepared.write(task);
  }

  async close(): Promise<void> {
    await this.#change?.close();
    await this.#dropTables();
  }

  get #prepared(): DuckdbRowChange {
    if (this.#change === undefined) throw new Error("unreachable: a change is prepared first");
    return this.#change;
  }

  /** By row, how much oftener the relation has it than the table. */
  get #keys(): string {
    return `${this.#prefix}_keys`;
  }

  /** Places of the rows that go: FILE counts the files that have some. */
  get #surplus(): string {
    return `${this.#prefix}_surplus`;
  }

  /** The rows of the table that may give way, with their places. */
  async #places(snapshot: Snapshot): Promise<string> {
    const { within } = this.#wanted;
    const mayHold = await this.#mayYield(snapshot);
    const files = (await liveFiles(this.#store, snapshot, snapshot.files)).flatMap(({ file, deleted }, i) => {
      const further = [`${i}::UINTEGER AS ${FILE}`, `file_row_number AS ${ROW}`];
      return mayHold(file) ? [{ file, rows: deleted === undefined ? undefined : { except: deleted }, further }] : [];
    });
    const table = { snapshot, layout: fileLayout(snapshot) };
    const places = files.length === 0 ? scanPlaces(table, []) : await readPlaces(this.#connection, table, files);
    if (within === undefined) return places;
    const isAmong = within.columns.map((column, i) => `p.${quoteName(column)} IS NOT DISTINCT FROM g.k${i}`);
    return `SELECT p.* FROM (${places}) p SEMI JOIN ${within.table} g ON ${isAmong.join(" AND ")}`;
  }

  /** Which files may have rows that give way. */
  async #mayYield(snapshot: Snapshot): Promise<(file: AddFile) => boolean> {
    const { gone, within } = this.#wanted;
    if (within !== undefined) {
      const columns = within.columns.map((column, i) => [column, `k${i}`] as const);
      return filesHolding(this.#connection, within.table, columns, snapshot);
    }
    if (gone === undefined) return () => true;
    const names = fromDeltaSchema(snapshot.schema).map(({ name }) => name);
    const columns = keysInOrder(names, snapshot).map((name) => [name, quoteName(name)] as const);
    return filesHolding(this.#connection, gone, columns, snapshot);
  }

  async #dropTables(): Promise<void> {
    await this.#connection.run(`DROP TABLE IF EXISTS ${this.#keys}; DROP TABLE IF EXISTS ${this.#surplus}`);
  }
}

/** All columns of a row as one value, with the signs of numbers that are equal and not the same. */
function keyOf(columns: readonly Field[]): string {
  const parts = columns.flatMap(({ name, type }, i) => {
    const column = quoteName(name);
    const isFloating = type.kind === "float" || type.kind === "double";
    return [`c${i} := ${column}`, ...(isFloating ? [`s${i} := signbit(${column})`] : [])];
  });
  return `struct_pack(${parts.join(", ")})`;
}
