import type { DuckDBConnection } from "@duckdb/node-api";
import { type AddFile, fileLayout, liveFiles, type Snapshot, type Store } from "@ingot/delta";
import { quoteName } from "../../../sql/lower/lower-text.js";
import { filesWithKeys } from "./edit-source.js";
import { FILE, ROW, ROW_ID } from "./hidden-columns.js";
import { dropDead, readHits } from "./hits.js";
import { rowIdText, scanPlaces } from "./read-places.js";

/** Where the rows of a version lie whose keys were asked for: what a merge by these keys need not search again. */
export interface RowPlaces {
  readonly version: bigint;
  readonly files: readonly AddFile[];
  /** Temporary table: `mark`, further columns, FILE (the file's place in `files`), ROW and, where rows are tracked, ROW_ID. */
  readonly table: string;
  /** Column that tells the asked keys apart, here and in the source of the merge, which then has each key once. */
  readonly mark: string;
}

/**
 * Finds the rows of a snapshot whose keys stand in a table, in one scan of their keys and of `columns`; files that cannot
 * hold one are not read. Deletion vectors are applied to what was found, which is less than all rows.
 *
 * @param wanted a table with the keys, each once, and a column `mark`
 */
export async function findPlaces(
  connection: DuckDBConnection,
  store: Store,
  snapshot: Snapshot,
  {
    keys,
    mark,
    columns,
    wanted,
    table,
  }: { keys: readonly string[]; mark: string; columns: readonly string[]; wanted: string; table: string },
): Promise<RowPlaces> {
  const files = await filesWithKeys(connection, wanted, keys, snapshot);
  const live = await liveFiles(store, snapshot, files);
  const layout = fileLayout(snapshot);
  const rowId = layout.rowTracking === undefined ? [] : [`${rowIdText(files)} AS ${ROW_ID}`];
  const selected = [`w.${mark}`, ...columns.map((name) => `t.${quoteName(name)}`)];
  const same = keys.map((key) => `t.${quoteName(key)} = w.${quoteName(key)}`).join(" AND ");
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${table} AS
    SELECT ${[...selected, `t.${FILE}`, `t.${ROW}`, ...rowId].join(", ")}
    FROM (${scanPlaces({ snapshot, layout }, files)}) t JOIN ${wanted} w ON ${same} ORDER BY ${FILE}, ${ROW}`);
  await dropDead(connection, table, await readHits(connection, table, "0::TINYINT"), live);
  return { version: snapshot.version, files, table, mark };
}

/** Which files may hold a row that was asked for: those that were searched, and those that the version does not have. */
export function mayHoldPlaced({ files }: RowPlaces, snapshot: Snapshot): (file: AddFile) => boolean {
  const searched = new Set(files.map(({ path }) => path));
  const all = new Set(snapshot.files.map(({ path }) => path));
  return ({ path }) => searched.has(path) || !all.has(path);
}

/** SQL of found rows in the place of `scanPlaces`, over some of their files. */
export function placedRows({ files, table }: RowPlaces, searched: readonly AddFile[]): string {
  const places = new Map(searched.map(({ path }, place) => [path, place]));
  const list = files.map(({ path }) => places.get(path) ?? "NULL").join(",");
  const place = `list_extract([${list}]::UINTEGER[], ${FILE}::BIGINT + 1)`;
  return `SELECT * REPLACE (${place} AS ${FILE}) FROM ${table} WHERE ${place} IS NOT NULL`;
}
