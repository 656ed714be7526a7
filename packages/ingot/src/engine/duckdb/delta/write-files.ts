import { randomUUID } from "node:crypto";
import { open, readdir, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { DeltaError, type FileLayout, type FileStats, formatStats, type NewFile, type TextMap } from "@ingot/delta";
import type { Field } from "../../../model/data-type.js";
import { duckdbType, quoteName, quoteText } from "../../../sql/lower/lower-text.js";
import { makeFolder, syncFolder } from "../../durable-folder.js";
import { fromDeltaSchema } from "../delta-schema.js";
import { renameFields } from "../parquet-columns.js";
import { fieldIdsOption } from "./field-ids.js";
import { CHANGE_TYPE, ROW_ID, ROW_VERSION } from "./hidden-columns.js";
import { partitionText } from "./partition-text.js";
import { type Entries, toColumnStats } from "./written-stats.js";

/** A data file that is on disk and belongs to no version of the table yet. */
export interface WrittenFile {
  readonly file: NewFile;
  readonly stats: FileStats;
}

export interface WriteFilesOptions {
  /** Folder below the table; default: the table itself. */
  readonly folder?: "_change_data";
  /** The query has the column `_change_type`, which is to be in the files. */
  readonly changeType?: boolean;
  /** The query has the columns ROW_ID and ROW_VERSION, for a layout with row tracking. */
  readonly rowIds?: boolean;
  /** SQL over the query's columns, as the alias `q`. */
  readonly orderBy?: readonly string[];
  /**
   * Of zstd. 1, the default, is on rows of SAP tables smaller than snappy and no slower; 3 is worth its time for files
   * that stay.
   */
  readonly level?: 1 | 3;
  /** Rows of a file, to the next row group; default: until it has the layout's size. A partition gets one file. */
  readonly rowsPerFile?: number;
}

/** DuckDB's own default: smaller ones cost a third more time, greater ones memory. */
const ROW_GROUP = 122_880;
/** Row groups are made of whole vectors. */
const VECTOR = 2048;

/**
 * Writes the rows of a query as data files of a table; none for no row. Columns are found by the names of the table's
 * schema and cast to its types by DuckDB's rules. When this returns, files and names survive a power cut: a commit must
 * not name what can vanish. A failure leaves no file.
 *
 * @param query SELECT with all columns of the schema
 * @throws DeltaError DELTA_INVALID_COMMIT for a table of partition columns alone; errors of DuckDB as they are
 */
export async function writeFiles(
  connection: DuckDBConnection,
  layout: FileLayout,
  query: string,
  options: WriteFilesOptions = {},
): Promise<WrittenFile[]> {
  const name = `${options.folder === undefined ? "part" : "cdc"}-${randomUUID()}`;
  const folder = options.folder === undefined ? layout.table : join(layout.table, options.folder);
  await makeFolder(folder);
  try {
    const copy = copyText(layout, query, folder, name, options);
    for (let attempt = 1; ; attempt += 1) {
      const rows = (await connection.runAndReadAll(copy)).getRowObjectsJS();
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

function copyText(
  layout: FileLayout,
  query: string,
  folder: string,
  name: string,
  { changeType = false, rowIds = false, orderBy = [], level = 1, rowsPerFile }: WriteFilesOptions,
): string {
  const physical = fromDeltaSchema(layout.physical);
  const columns = fromDeltaSchema(layout.schema).map((logical, i) => ({ logical, physical: physical[i] ?? logical }));
  const isPartition = ({ logical }: { logical: Field }) => layout.partitionColumns.includes(logical.name);
  const partitions = columns.filter(isPartition);
  if (partitions.length === columns.length && partitions.length > 0) throw nothingToWrite(layout);
  const selected = [
    ...columns
      .filter((column) => !isPartition(column))
      .map(({ logical, physical }) => {
        const value = renameFields(castColumn(logical), logical.type, physical.type);
        return `${value} AS ${quoteName(physical.name)}`;
      }),
    ...(changeType ? [CHANGE_TYPE] : []),
    ...(rowIds && layout.rowTracking !== undefined
      ? [
          `${ROW_ID}::BIGINT AS ${quoteName(layout.rowTracking.rowId)}`,
          `${ROW_VERSION}::BIGINT AS ${quoteName(layout.rowTracking.rowCommitVersion)}`,
        ]
      : []),
    ...partitions.map(
      ({ logical, physical }) => `${partitionText(logical.type, castColumn(logical))} AS ${quoteName(physical.name)}`,
    ),
  ];
  const order = orderBy.length === 0 ? "" : ` ORDER BY ${orderBy.join(", ")}`;
  const files =
    partitions.length > 0
      ? [`PARTITION_BY (${partitions.map(({ physical }) => quoteName(physical.name)).join(", ")})`]
      : rowsPerFile === undefined
        ? [`FILE_SIZE_BYTES ${layout.targetFileSize}`]
        : rowGroups(rowsPerFile);
  const settings = [
    "FORMAT parquet",
    "COMPRESSION zstd",
    `COMPRESSION_LEVEL ${level}`,
    // No other reader of Delta tables uses them.
    "WRITE_BLOOM_FILTER false",
    "RETURN_STATS",
    "APPEND",
    `FILENAME_PATTERN ${quoteText(`${name}-{uuid}`)}`,
    ...(partitions.length > 0 ? ["WRITE_PARTITION_COLUMNS false"] : []),
    ...files,
    ...(layout.hasFieldIds ? [fieldIdsOption(withoutPartitions(layout))] : []),
  ];
  return `COPY (SELECT ${selected.join(", ")} FROM (${query}) q${order}) TO ${quoteText(folder)} (${settings.join(", ")})`;
}

function rowGroups(rowsPerFile: number): string[] {
  if (rowsPerFile >= ROW_GROUP) return [`ROW_GROUPS_PER_FILE ${Math.round(rowsPerFile / ROW_GROUP)}`];
  return ["ROW_GROUPS_PER_FILE 1", `ROW_GROUP_SIZE ${Math.ceil(rowsPerFile / VECTOR) * VECTOR}`];
}

function castColumn({ name, type }: Field): string {
  return `q.${quoteName(name)}::${duckdbType(type)}`;
}

function withoutPartitions({ physical, schema, partitionColumns }: FileLayout): FileLayout["physical"] {
  return {
    kind: "struct",
    fields: physical.fields.filter((_, i) => !partitionColumns.includes(schema.fields[i]?.name ?? "")),
  };
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

function nothingToWrite({ table }: FileLayout): DeltaError {
  return new DeltaError(
    "DELTA_INVALID_COMMIT",
    `All columns of ${table} are partition columns: no file could hold a row.`,
    {
      table,
      hint: "Leave one column out of the partitioning.",
    },
  );
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

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
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
