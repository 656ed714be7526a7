import type { DuckDBConnection } from "@duckdb/node-api";
import type { LiveFile, Rows } from "@ingot/delta";
import { bitsText } from "../row-filter.js";
import { FILE, ROW } from "./hidden-columns.js";

/** The rows that a change has found, in the order of files and of places within them. */
export interface Hits {
  /** For each hit: the file's place in the list that was searched, the row's place in the file, and the clause. */
  readonly files: Uint32Array;
  readonly rows: Float64Array;
  /** Below 0: no clause applies. */
  readonly clauses: Int8Array;
}

/**
 * Reads a table of hits in the order of FILE and ROW, chunk by chunk, as DuckDB holds it.
 *
 * @param clause SQL of the clause as TINYINT
 */
export async function readHits(connection: DuckDBConnection, table: string, clause = "clause"): Promise<Hits> {
  const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${table}`);
  const count = Number(counted.getRows()[0]?.[0]);
  const hits = { files: new Uint32Array(count), rows: new Float64Array(count), clauses: new Int8Array(count) };
  const stream = await connection.stream(`SELECT ${FILE}, ${ROW}::DOUBLE, ${clause} FROM ${table}`);
  let at = 0;
  for (let chunk = await stream.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await stream.fetchChunk()) {
    hits.files.set(itemsOf(chunk.getColumnVector(0)), at);
    hits.rows.set(itemsOf(chunk.getColumnVector(1)), at);
    hits.clauses.set(itemsOf(chunk.getColumnVector(2)), at);
    at += chunk.rowCount;
  }
  return hits;
}

/** The vectors of numbers hold their values as one array. */
function itemsOf(vector: unknown): ArrayLike<number> {
  return (vector as { readonly items: ArrayLike<number> }).items;
}

/** Hits of one file: from `start` up to `end`. */
export interface FileHits {
  readonly file: number;
  readonly start: number;
  readonly end: number;
}

export function hitsByFile({ files }: Hits): FileHits[] {
  const groups: FileHits[] = [];
  let start = 0;
  for (let i = 1; i <= files.length; i += 1) {
    if (i < files.length && files[i] === files[start]) continue;
    groups.push({ file: files[start] ?? 0, start, end: i });
    start = i;
  }
  return groups;
}

/**
 * Takes the hits on rows that were deleted before out of the table; in `hits` they count for nothing from now on. The
 * table was filled at once, so its `rowid` counts them.
 */
export async function dropDead(
  connection: DuckDBConnection,
  table: string,
  hits: Hits,
  files: readonly LiveFile[],
): Promise<void> {
  const dead = hitsByFile(hits).flatMap((group) => {
    const deleted = files[group.file]?.deleted;
    return deleted === undefined ? [] : deadHits(hits, group, deleted);
  });
  const last = dead.at(-1);
  if (last === undefined) return;
  for (const hit of dead) hits.clauses[hit] = DEAD;
  const isAmong = `get_bit(${bitsText(Float64Array.from(dead), 0, last)}, least(rowid, ${last})::INTEGER) = 1`;
  await connection.run(`DELETE FROM ${table} WHERE rowid <= ${last} AND ${isAmong}`);
}

/** The hits of a file on rows that were deleted before, as their places in the table of hits. */
function deadHits({ rows }: Hits, { start, end }: FileHits, deleted: Rows): number[] {
  const dead: number[] = [];
  let at = 0;
  for (let i = start; i < end; i += 1) {
    const row = rows[i] ?? 0;
    while (at < deleted.length && (deleted[at] ?? 0) < row) at += 1;
    if (deleted[at] === row) dead.push(i);
  }
  return dead;
}

/** The clause of a hit that counts for nothing. */
const DEAD = -2;

/** Whether several rows of the source belong to one row of the target. */
export function hasRowTwice({ files, rows, clauses }: Hits): boolean {
  for (let i = 1; i < rows.length; i += 1)
    if (rows[i] === rows[i - 1] && files[i] === files[i - 1] && clauses[i] !== DEAD) return true;
  return false;
}

/** The rows of a file that some clauses take, each once. */
export function rowsTaken({ rows, clauses }: Hits, { start, end }: FileHits, take: (clause: number) => boolean): Rows {
  const taken = new Float64Array(end - start);
  let count = 0;
  for (let i = start; i < end; i += 1) {
    const row = rows[i] ?? 0;
    const clause = clauses[i] ?? DEAD;
    if (clause >= 0 && take(clause) && (count === 0 || taken[count - 1] !== row)) taken[count++] = row;
  }
  return taken.subarray(0, count);
}
