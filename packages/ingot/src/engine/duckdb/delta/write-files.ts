import { randomUUID } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import {
  assertDataColumn,
  DeltaError,
  type FileLayout,
  type FileStats,
  formatStats,
  type NewFile,
  type TextMap,
} from "@ingot/delta";
import { makeFolder, syncFile, syncFolder } from "../../durable-files.js";
import { fromDeltaSchema } from "../../tables/delta-schema.js";
import { copyText, type WriteFilesOptions } from "./copy-text.js";
import { isNegativeZero, mayHideNegativeZero } from "./negative-zero.js";
import { type Entries, toColumnStats } from "./written-stats.js";

/** A data file that is on disk and belongs to no version of the table yet. */
export interface WrittenFile {
  readonly file: NewFile;
  readonly stats: FileStats;
}

/**
 * Writes the rows of a query as data files of a table; none for no row. Columns are found by the names of the table's
 * schema and cast to its types by DuckDB's rules. When this returns, files and names survive a power cut: a commit must
 * not name what can vanish. A failure leaves no file.
 *
 * @param query SELECT with all columns of the schema
 * @throws DeltaError DELTA_NON_PARTITION_COLUMN_ABSENT, DELTA_INVALID_COMMIT where DuckDB lost rows; errors of DuckDB as they are
 */
export async function writeFiles(
  connection: DuckDBConnection,
  layout: FileLayout,
  query: string,
  options: WriteFilesOptions = {},
): Promise<WrittenFile[]> {
  assertDataColumn({ ...layout, metadata: layout });
  const name = `${options.folder === undefined ? "part" : "cdc"}-${randomUUID()}`;
  const folder = options.folder === undefined ? layout.table : join(layout.table, options.folder);
  await makeFolder(folder);
  try {
    let hasDictionaries = !fromDeltaSchema(layout.schema).some(mayHideNegativeZero);
    const copy = () => connection.runAndReadAll(copyText(layout, query, folder, name, options, hasDictionaries));
    for (let attempt = 1; ; attempt += 1) {
      const copied = await copy().catch(async (error) => {
        if (!isNegativeZero(error)) throw error;
        await removeFiles(folder, name);
        hasDictionaries = false;
        return copy();
      });
      const rows = copied.getRowObjectsJS();
      const written = rows.map((row) => toWritten(layout, row)).filter(({ stats }) => stats.numRecords > 0);
      if (written.length === 0) await removeFiles(folder, name);
      const lost = written.length > 1 ? await countLost(connection, query, written) : 0;
      if (lost === 0) {
        await syncFiles(layout.table, written);
        return written;
      }
      await removeFiles(folder, name);
      if (attempt === ATTEMPTS) throw rowsLost(layout, lost);
    }
  } catch (error) {
    await removeFiles(folder, name);
    throw error;
  }
}

/**
 * Of rows that go into several files DuckDB 1.5.6 was seen to leave some out, once in some hundred writes on a machine
 * with too much to do. So they are counted a second time, and written a second time.
 */
const ATTEMPTS = 2;

async function countLost(
  connection: DuckDBConnection,
  query: string,
  written: readonly WrittenFile[],
): Promise<number> {
  const counted = await connection.runAndReadAll(`SELECT count(*)::DOUBLE FROM (${query})`);
  return Number(counted.getRows()[0]?.[0]) - written.reduce((sum, { stats }) => sum + stats.numRecords, 0);
}

function rowsLost({ table }: FileLayout, lost: number): DeltaError {
  return new DeltaError(
    "DELTA_INVALID_COMMIT",
    `DuckDB wrote ${Math.abs(lost)} rows too ${lost > 0 ? "few" : "many"}.`,
    {
      table,
      hint: "Nothing was committed. Run it again; the query must give the same rows each time it runs.",
    },
  );
}

function toWritten(layout: FileLayout, row: Record<string, unknown>): WrittenFile {
  const { physical, schema, configuration } = layout;
  const stats = { numRecords: Number(row["count"]), columns: toColumnStats(row["column_statistics"]) };
  const keys = new Map(((row["partition_keys"] ?? []) as Entries<string | null>).map(({ key, value }) => [key, value]));
  const names = physical.fields.filter((_, i) => layout.partitionColumns.includes(schema.fields[i]?.name ?? ""));
  const partitionValues: TextMap = Object.fromEntries(names.map(({ name }) => [name, keys.get(name) ?? null]));
  const partitionColumns = names.map(({ name }) => name);
  return {
    stats,
    file: {
      path: relative(layout.table, String(row["filename"])).replaceAll("\\", "/"),
      size: Number(row["file_size_bytes"]),
      partitionValues,
      stats: formatStats(stats, physical, { configuration, partitionColumns }),
    },
  };
}

async function syncFiles(table: string, written: readonly WrittenFile[]): Promise<void> {
  const folders = new Set<string>();
  for (const { file } of written) {
    const path = join(table, file.path);
    await syncFile(path);
    for (let folder = dirname(path); folder.length >= table.length; folder = dirname(folder)) folders.add(folder);
  }
  for (const folder of folders) await syncFolder(folder);
}

/** What a write that failed has left, in the folders of partitions, too. */
async function removeFiles(folder: string, prefix: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name.includes("=")) await removeFiles(path, prefix);
    else if (entry.name.includes(prefix)) await rm(path, { force: true });
  }
}
