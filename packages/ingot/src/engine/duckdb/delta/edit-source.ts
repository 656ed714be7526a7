import type { DuckDBConnection } from "@duckdb/node-api";
import { type AddFile, DeltaError, type KeyRange, mayContain, numRecords, type Snapshot } from "@ingot/delta";
import { nearest } from "../../../model/nearest.js";
import { duckdbType, quoteName } from "../../../sql/lower/lower-text.js";
import { fromDeltaSchema } from "../../tables/delta-schema.js";
import { keysInOrder } from "./row-order.js";

/** Where the rows of a merge come from. */
export type SourceRows =
  /** A table or temporary table of the connection that stays as it is until the end. */
  | {
      readonly table: string;
      /**
       * Where the columns lie that neither keys nor conditions need: a table, and the column that holds its `rowid`. A row
       * that has none there must not be one that makes a new row.
       */
      readonly rest?: { readonly table: string; readonly rowid: string };
    }
  /** Evaluated once. */
  | { readonly query: string };

/** A source as a change reads it. */
export interface OpenSource {
  /** SQL name of the table; its `rowid` tells the rows apart. */
  readonly name: string;
  /** SQL of the rows with all columns, `rowid` among them; of those that can make new rows. */
  readonly rows: string;
  /** Type by lower-case name. */
  readonly columns: ReadonlyMap<string, string>;
  /** To be dropped at the end. */
  readonly isOwn: boolean;
}

/** @throws DeltaError DELTA_INVALID_COMMIT for a column named `rowid`, which hides what tells the rows apart */
export async function openSource(
  connection: DuckDBConnection,
  source: SourceRows,
  name: string,
  target: string,
): Promise<OpenSource> {
  const isOwn = "query" in source;
  if (isOwn) await connection.run(`CREATE TEMP TABLE ${name} AS ${source.query}`);
  const relation = isOwn ? name : quoteName(source.table);
  const columns = await describe(connection, relation);
  if (!columns.has("rowid"))
    return { name: relation, isOwn, ...(await withRest(connection, source, relation, columns)) };
  if (isOwn) await connection.run(`DROP TABLE ${name}`);
  throw new DeltaError("DELTA_INVALID_COMMIT", `The source of a change of ${target} has a column named rowid.`, {
    table: target,
    hint: "Give the column another name in the source's query.",
  });
}

type Columns = OpenSource["columns"];

async function describe(connection: DuckDBConnection, relation: string): Promise<Columns> {
  const described = await connection.runAndReadAll(`SELECT column_name, column_type FROM (DESCRIBE ${relation})`);
  return new Map(described.getRows().map(([column, type]) => [String(column).toLowerCase(), String(type)]));
}

async function withRest(
  connection: DuckDBConnection,
  source: SourceRows,
  relation: string,
  columns: Columns,
): Promise<Pick<OpenSource, "columns" | "rows">> {
  if ("query" in source || source.rest === undefined) return { columns, rows: relation };
  const rest = quoteName(source.rest.table);
  const all = await describe(connection, rest);
  const further = [...all.keys()].filter((name) => !columns.has(name)).map((name) => `, r.${quoteName(name)}`);
  return {
    columns: new Map([...all, ...columns]),
    rows: `(SELECT n.rowid AS rowid, n.*${further.join("")} FROM ${relation} n JOIN ${rest} r ON r.rowid = n.${quoteName(source.rest.rowid)})`,
  };
}

/** So many rows for each key that is looked for are all read for less than it costs to look at the keys. */
const FEW = 4;

/** The files of a snapshot that may hold a row with one of the keys in a table. */
export async function filesWithKeys(
  connection: DuckDBConnection,
  wanted: string,
  keys: readonly string[],
  snapshot: Snapshot,
): Promise<readonly AddFile[]> {
  const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${wanted}`);
  const rows = snapshot.files.reduce((sum, { stats }) => sum + (numRecords(stats) ?? Number.POSITIVE_INFINITY), 0);
  if (rows <= FEW * Number(counted.getRows()[0]?.[0])) return snapshot.files;
  const source = await openSource(connection, { table: wanted }, wanted, snapshot.table);
  const mayHold = await keyPruning(connection, source, keysInOrder(keys, snapshot), snapshot);
  return snapshot.files.filter((file) => mayHold?.(file) ?? true);
}

/** So many ranges tell the keys of a batch well enough. */
const RANGES = 1000;

/**
 * Which files may hold a row with a key of the source, by ranges of the keys in the order of `keys`; undefined where a
 * key has another type in the source, so that its values may equal others than themselves.
 */
export async function keyPruning(
  connection: DuckDBConnection,
  { name, columns }: Pick<OpenSource, "name" | "columns">,
  keys: readonly string[],
  snapshot: Snapshot,
): Promise<ReturnType<typeof mayContain> | undefined> {
  const fields = keys.map((key) => findField(snapshot, key));
  const isSame = fields.every(({ name: key, type }) => {
    const given = columns.get(key.toLowerCase())?.replaceAll("TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ");
    return given === duckdbType(type) && COMPARED.has(type.kind);
  });
  if (!isSame) return undefined;
  const list = fields.map(({ name: key }) => quoteName(key));
  const complete = list.map((key) => `${key} IS NOT NULL`).join(" AND ");
  const bounds = list.flatMap((key) => [`min(${key})::VARCHAR`, `max(${key})::VARCHAR`]).join(", ");
  const prefix = await commonPrefix(connection, name, list);
  const result = await connection.runAndReadAll(
    prefix === undefined
      ? `SELECT ${bounds} FROM (
           SELECT ${list.join(", ")}, row_number() OVER (ORDER BY ${list.join(", ")}) * ${RANGES} // (count(*) OVER () + 1) AS part
           FROM ${name} WHERE ${complete}) GROUP BY part`
      : `SELECT ${bounds} FROM ${name} WHERE ${complete} GROUP BY ${prefix.join(", ")}`,
  );
  const paths = fields.map(({ name: key }) => [key]);
  const ranges = result.getRows().map((row): KeyRange => {
    const side = (from: 0 | 1) => fields.map(({ type }, i) => literalOf(type.kind, String(row[2 * i + from])));
    return { lower: side(0), upper: side(1) };
  });
  return mayContain(ranges, paths, snapshot);
}

/**
 * The longest run of leading keys that has so few values that each may be a range of its own, which costs a third of
 * sorting the keys: the client, company and year of a document. Undefined where the first key has many.
 */
async function commonPrefix(
  connection: DuckDBConnection,
  source: string,
  keys: readonly string[],
): Promise<string[] | undefined> {
  const counts = keys.slice(0, -1).map((_, i) => `approx_count_distinct(hash(${keys.slice(0, i + 1).join(", ")}))`);
  if (counts.length === 0) return undefined;
  const sampled = await connection.runAndReadAll(`SELECT ${counts.join(", ")} FROM ${source} WHERE rowid % 16 = 0`);
  const length = sampled.getRows()[0]?.findLastIndex((count) => Number(count) <= RANGES) ?? -1;
  return length === -1 ? undefined : keys.slice(0, length + 1);
}

const WHOLE = new Set(["tinyint", "smallint", "int", "bigint"]);
const COMPARED = new Set([...WHOLE, "string", "decimal", "date", "timestamp", "timestamp_ntz"]);

function literalOf(kind: string, text: string): string | bigint {
  return WHOLE.has(kind) ? BigInt(text) : text;
}

/** @throws DeltaError DELTA_MERGE_UNRESOLVED_EXPRESSION */
export function findField(snapshot: Snapshot, column: string) {
  const fields = fromDeltaSchema(snapshot.schema);
  const field = fields.find(({ name }) => name.toLowerCase() === column.toLowerCase());
  if (field !== undefined) return field;
  const close = nearest(
    column,
    fields.map(({ name }) => name),
  );
  throw new DeltaError("DELTA_MERGE_UNRESOLVED_EXPRESSION", `${snapshot.table} has no column ${column}.`, {
    table: snapshot.table,
    version: snapshot.version,
    hint: close === undefined ? `It has ${fields.map(({ name }) => name).join(", ")}.` : `Did you mean ${close}?`,
  });
}
