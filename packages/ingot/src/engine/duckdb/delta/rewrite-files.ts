import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import {
  type ClusterOrder,
  curveBits,
  type FileLayout,
  type FileRewriter,
  type LiveFile,
  numRecords,
} from "@ingot/delta";
import { quoteName } from "../../../sql/lower/lower-text.js";
import { withCurveKey } from "./curve-key.js";
import { readPlaces } from "./read-places.js";
import { type WrittenFile, writeFiles } from "./write-files.js";

let rewrites = 0;

/** `FileRewriter` by DuckDB: OPTIMIZE, clustering, REORG. Sorting spills to disk where memory ends. */
export function rewriteFiles(connection: DuckDBConnection): FileRewriter {
  return {
    async rewrite(snapshot, files, layout, order) {
      const rows = await readPlaces(
        connection,
        { snapshot, layout },
        files.map(({ file, deleted }) => ({ file, rows: deleted === undefined ? undefined : { except: deleted } })),
      );
      if (files.length === 0) return [];
      rewrites += 1;
      const prefix = `ingot_rewrite_${rewrites}`;
      const ranked =
        order === undefined ? { query: rows, tables: [] } : await rankRows(connection, rows, order, prefix);
      try {
        const written = await writeFiles(connection, layout, ranked.query, {
          rowIds: layout.rowTracking !== undefined,
          level: 3,
          ...(order === undefined ? {} : { orderBy: ["q.key"] }),
          ...rowsPerFile(files, layout),
        });
        await assertSame(connection, written, rows, layout);
        return written.map(({ file }) => file);
      } finally {
        for (const table of ranked.tables) await connection.run(`DROP TABLE IF EXISTS ${table}`);
      }
    },
  };
}

/** How many rows fill a file, by the size of those that are there. */
function rowsPerFile(files: readonly LiveFile[], { targetFileSize }: FileLayout): { rowsPerFile?: number } {
  const rows = files.reduce((sum, { file }) => sum + (numRecords(file.stats) ?? Number.NaN), 0);
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  return rows > 0 && bytes > 0 ? { rowsPerFile: Math.ceil((targetFileSize * rows) / bytes) } : {};
}

/** No row may get lost where nobody looks: the new files hold as many as the old ones. */
async function assertSame(
  connection: DuckDBConnection,
  written: readonly WrittenFile[],
  rows: string,
  { table }: FileLayout,
): Promise<void> {
  const counted = await connection.runAndReadAll(`SELECT count(*) FROM (${rows})`);
  const before = Number(counted.getRows()[0]?.[0]);
  const after = written.reduce((sum, { stats }) => sum + stats.numRecords, 0);
  if (before === after) return;
  for (const { file } of written) await rm(join(table, file.path), { force: true });
  throw new Error(`${table}: ${before} rows were to be written anew, and ${after} were written`);
}

/**
 * The rows with their place on the curve. A value's rank is the share of rows with a lesser one, NULL first: counted once
 * for each distinct value, in a table that is then joined.
 */
async function rankRows(
  connection: DuckDBConnection,
  rows: string,
  { curve, columns }: ClusterOrder,
  prefix: string,
): Promise<{ query: string; tables: string[] }> {
  const ranges = 2 ** curveBits(columns.length);
  const tables = columns.map((_, i) => `${prefix}_${i}`);
  const joins: string[] = [];
  for (const [i, path] of columns.entries()) {
    const value = path.map(quoteName).join(".");
    await connection.run(
      `CREATE TEMP TABLE ${tables[i]} AS
       SELECT value, (sum(rows) OVER (ORDER BY value NULLS FIRST) - rows) * ${ranges} // sum(rows) OVER () AS rank
       FROM (SELECT d.${value} AS value, count(*) AS rows FROM (${rows}) d GROUP BY 1)`,
    );
    joins.push(`JOIN ${tables[i]} t${i} ON t${i}.value IS NOT DISTINCT FROM d.${value}`);
  }
  const ranks = tables.map((_, i) => `t${i}.rank::BIGINT AS r${i}`);
  const ranked = `SELECT d.*, ${ranks.join(", ")} FROM (${rows}) d ${joins.join(" ")}`;
  return { query: withCurveKey(ranked, curve, columns.length), tables };
}
