import type { DuckDBConnection } from "@duckdb/node-api";
import { DeltaError, type Snapshot } from "@ingot/delta";
import { quoteName } from "../../../sql/lower/lower-text.js";
import { allowsSeveralMatches, insertedRows, type OpenEdit } from "./edit-queries.js";
import { FILE, ROW } from "./hidden-columns.js";
import { type Hits, hasRowTwice } from "./hits.js";

/**
 * Passes when the result does not depend on the order of the source's rows: no two of them belong to one row of the
 * target, whatever the clauses' conditions say (Spark's rule), and where rows belong together by keys alone no two are
 * inserted for one key.
 *
 * @throws DeltaError DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE
 */
export async function assertOneSourceRow(
  connection: DuckDBConnection,
  open: OpenEdit,
  snapshot: Snapshot,
  hits: Hits,
): Promise<void> {
  const { edit, source } = open;
  if (source === undefined) return;
  if (!allowsSeveralMatches(edit) && hasRowTwice(hits)) {
    const rows = `${open.hits} h JOIN ${source.name} s ON s.rowid = h.source GROUP BY h.${FILE}, h.${ROW}`;
    throw await refuse(connection, open, snapshot, rows, "match one row of");
  }
  if (edit.keys.length === 0 || edit.on !== undefined || edit.notMatched.length === 0) return;
  const keys = edit.keys.map((key) => `s.${quoteName(key)}`);
  const complete = keys.map((key) => `${key} IS NOT NULL`).join(" AND ");
  const rows = `(${insertedRows(open)}) s WHERE clause >= 0 AND ${complete} GROUP BY ${keys.join(", ")}`;
  const twice = await connection.runAndReadAll(`SELECT 1 FROM ${rows} HAVING count(*) > 1 LIMIT 1`);
  if (twice.getRows().length > 0)
    throw await refuse(connection, open, snapshot, rows, "would be inserted for one key of");
}

async function refuse(
  connection: DuckDBConnection,
  { edit, source }: OpenEdit,
  snapshot: Snapshot,
  grouped: string,
  what: string,
): Promise<DeltaError> {
  const keys = edit.keys.length > 0 ? edit.keys : columnsOf(edit.on ?? "", source?.columns);
  const key = keys.map((column) => `${quoteName(column)} := s.${quoteName(column)}`).join(", ");
  const shown = keys.length === 0 ? "NULL" : `any_value(struct_pack(${key}))::VARCHAR`;
  const result = await connection.runAndReadAll(
    `SELECT max_by(key, n), max(n), count(*) FROM (SELECT count(*) AS n, ${shown} AS key FROM ${grouped}) WHERE n > 1`,
  );
  const [example, rows, total] = result.getRows()[0] ?? [];
  const which = example === null || example === undefined ? "" : `, such as ${example} with ${rows} source rows`;
  return new DeltaError(
    "DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE",
    `Cannot perform Merge as multiple source rows ${what} ${snapshot.table}: ${total} of its keys${which}.`,
    {
      table: snapshot.table,
      version: snapshot.version,
      hint: "Nothing was written. Reduce the source to one row a key first, the newest for example.",
    },
  );
}

/** Columns of the source that a condition names. */
function columnsOf(condition: string, columns: ReadonlyMap<string, string> = new Map()): string[] {
  const named = [...condition.matchAll(/\bs\s*\.\s*(?:"((?:[^"]|"")+)"|(\w+))/gi)];
  const names = named.map(([, quoted, plain]) => (quoted?.replaceAll('""', '"') ?? plain ?? "").toLowerCase());
  return [...new Set(names)].filter((name) => columns.has(name));
}
