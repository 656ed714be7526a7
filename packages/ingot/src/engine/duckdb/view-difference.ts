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
import { DuckdbRowChange } from "./delta/duckdb-row-change.js";
import { FILE, ROW } from "./delta/hidden-columns.js";
import { readPlaces, scanPlaces } from "./delta/read-places.js";
import { fromDeltaSchema } from "./delta-schema.js";

/** How many rows a table lacks, and how many it has too much, against what it is to be. */
export interface DifferenceCounts {
  readonly inserted: number;
  readonly deleted: number;
}

let differences = 0;

/**
 * Makes the rows of a table those of a relation of the same columns: rows that the two share stay where they are, each
 * as often as both have it; the others go and come. Rows are compared by all their columns, bit by bit: -0.0 is not 0.0.
 */
export class ViewDifference implements RowChange {
  readonly operation = "WRITE";
  readonly operationParameters = { mode: "Overwrite" };
  readonly #connection: DuckDBConnection;
  readonly #store: Store;
  /** SQL name of the relation, which stays as it is until the end. */
  readonly #rows: string;
  readonly #prefix: string;
  #change: DuckdbRowChange | undefined;
  #compared: { readonly version: bigint; readonly counts: DifferenceCounts } | undefined;

  constructor(connection: DuckDBConnection, store: Store, rows: string) {
    this.#connection = connection;
    this.#store = store;
    this.#rows = rows;
    differences += 1;
    this.#prefix = `ingot_difference_${differences}`;
  }

  /** Compares the relation with a snapshot, each snapshot once. */
  async compare(snapshot: Snapshot): Promise<DifferenceCounts> {
    if (this.#compared?.version === snapshot.version) return this.#compared.counts;
    await this.#dropTables();
    const columns = fromDeltaSchema(snapshot.schema);
    const places = await this.#places(snapshot);
    const key = keyOf(columns);
    await this.#connection.run(`CREATE TEMP TABLE ${this.#keys} AS SELECT key, sum(n)::BIGINT AS n FROM (
      SELECT ${key} AS key, 1 AS n FROM ${this.#rows} UNION ALL SELECT ${key}, -1 FROM (${places}))
      GROUP BY key HAVING sum(n) <> 0`);
    await this.#connection.run(`CREATE TEMP TABLE ${this.#surplus} AS SELECT ${FILE}, ${ROW} FROM (
      SELECT p.*, d.n, row_number() OVER (PARTITION BY p.key ORDER BY p.${FILE}, p.${ROW}) AS i
      FROM (SELECT ${key} AS key, ${FILE}, ${ROW} FROM (${places})) p
      JOIN ${this.#keys} d ON d.n < 0 AND p.key IS NOT DISTINCT FROM d.key) WHERE i <= -n`);
    const sums = `SELECT coalesce(sum(n) FILTER (n > 0), 0), coalesce(-sum(n) FILTER (n < 0), 0) FROM ${this.#keys}`;
    const [row] = (await this.#connection.runAndReadAll(sums)).getRows();
    const counts = { inserted: Number(row?.[0]), deleted: Number(row?.[1]) };
    this.#compared = { version: snapshot.version, counts };
    return counts;
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

  mayTouch(_file: AddFile): boolean {
    return true;
  }

  find(snapshot: Snapshot, files: readonly LiveFile[]): Promise<readonly TouchedFile[]> {
    return this.#prepared.find(snapshot, files);
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

  /** Places of the rows that go. */
  get #surplus(): string {
    return `${this.#prefix}_surplus`;
  }

  /** The table's rows with their places. */
  async #places(snapshot: Snapshot): Promise<string> {
    const files = (await liveFiles(this.#store, snapshot, snapshot.files)).map(({ file, deleted }, i) => ({
      file,
      rows: deleted === undefined ? undefined : { except: deleted },
      further: [`${i}::UINTEGER AS ${FILE}`, `file_row_number AS ${ROW}`],
    }));
    const table = { snapshot, layout: fileLayout(snapshot) };
    return files.length === 0 ? scanPlaces(table, []) : readPlaces(this.#connection, table, files);
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
