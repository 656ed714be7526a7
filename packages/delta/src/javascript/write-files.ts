import { randomUUID } from "node:crypto";
import type { NewFile } from "../commit/change.js";
import type { FileLayout } from "../engine/file-layout.js";
import { parquetSchema } from "../files/parquet-schema.js";
import { formatStats } from "../files/stats.js";
import { resolvePath } from "../log/path.js";
import { deleteFiles } from "../operations/transact-files.js";
import type { DataType, Field, StructType } from "../schema/schema.js";
import type { Store } from "../store/store.js";
import { collectStats } from "./collect-stats.js";
import { type Partition, splitByPartition } from "./partition-folder.js";
import { valueStorer } from "./store-value.js";
import type { Row, Value } from "./value.js";

/** A row that goes into a new file. */
export interface NewRow {
  readonly row: Row;
  /** Of a row that was in the table before, where the table tracks rows. */
  readonly rowId?: bigint | null;
  /** Of such a row that is only moved; without it the new commit's. */
  readonly rowCommitVersion?: bigint | null;
}

/** A row of the change feed. */
export interface ChangeRow {
  readonly row: Row;
  readonly changeType: "insert" | "update_preimage" | "update_postimage" | "delete";
}

/** The first row group tells how large rows are. */
const FIRST_GROUP = 1_000;
const LARGEST_GROUP = 100_000;

/**
 * Writes rows, which are values of the table's types, as new data files; a failure leaves none. The codec is Snappy.
 */
export function writeDataFiles(store: Store, layout: FileLayout, rows: readonly NewRow[]): Promise<NewFile[]> {
  const { rowTracking } = layout;
  const hidden: readonly FileColumn<NewRow>[] =
    rowTracking === undefined || rows.every(({ rowId }) => rowId === undefined)
      ? []
      : [
          furtherColumn(rowTracking.rowId, { kind: "long" }, ({ rowId }) => rowId ?? null),
          furtherColumn(rowTracking.rowCommitVersion, { kind: "long" }, (row) => row.rowCommitVersion ?? null),
        ];
  return writeFiles(store, layout, rows, "", hidden);
}

/** Writes rows as files of the change feed, under `_change_data/`. */
export async function writeChangeFiles(
  store: Store,
  layout: FileLayout,
  rows: readonly ChangeRow[],
): Promise<NewFile[]> {
  const type = furtherColumn<ChangeRow>("_change_type", { kind: "string" }, ({ changeType }) => changeType);
  const files = await writeFiles(store, layout, rows, "_change_data/", [type]);
  return files.map(({ stats: _stats, ...file }) => file);
}

/** Where files of the table lie, as the store names them. */
export function storedPaths(table: string, files: readonly NewFile[]): string[] {
  return files.map(({ path }) => resolvePath(table, path));
}

interface FileColumn<R> {
  readonly physical: Field;
  readonly stored: (row: R) => unknown;
}

function furtherColumn<R>(name: string, type: DataType, stored: (row: R) => Value): FileColumn<R> {
  return { physical: { name, type, nullable: true, metadata: {} }, stored };
}

async function writeFiles<R extends { readonly row: Row }>(
  store: Store,
  layout: FileLayout,
  rows: readonly R[],
  folder: "" | "_change_data/",
  further: readonly FileColumn<R>[],
): Promise<NewFile[]> {
  const columns = [...dataColumns<R>(layout), ...further];
  const files: NewFile[] = [];
  try {
    for (const partition of splitByPartition(layout, rows))
      for (let start = 0; start < partition.rows.length; ) {
        const { bytes, count } = await encode(columns, partition.rows, start, layout.targetFileSize);
        const written = partition.rows.slice(start, start + count).map(({ row }) => row);
        const file = describe(layout, partition, folder, written, bytes.length);
        const [path = ""] = storedPaths(layout.table, [file]);
        if (!(await store.putIfAbsent(path, bytes))) throw new Error(`${path} is there already`);
        files.push(file);
        start += count;
      }
    return files;
  } catch (error) {
    await deleteFiles(store, storedPaths(layout.table, files));
    throw error;
  }
}

function dataColumns<R extends { readonly row: Row }>({
  schema,
  physical,
  partitionColumns,
}: FileLayout): FileColumn<R>[] {
  return schema.fields.flatMap(({ name, type }, i) => {
    const place = physical.fields[i];
    if (place === undefined || partitionColumns.includes(name)) return [];
    const store = valueStorer(type, place.type);
    return [{ physical: place, stored: ({ row }: R) => store(row[name] ?? null) }];
  });
}

/** One Parquet file with the rows from `start` on until it is about as large as a file should be. */
async function encode<R>(
  columns: readonly FileColumn<R>[],
  rows: readonly R[],
  start: number,
  targetSize: number,
): Promise<{ bytes: Uint8Array; count: number }> {
  const { ByteWriter, ParquetWriter } = await import("hyparquet-writer");
  const writer = new ByteWriter();
  const schema: StructType = { kind: "struct", fields: columns.map(({ physical }) => physical) };
  const file = new ParquetWriter({ writer, schema: parquetSchema(schema), createdBy: "ingot" });
  let count = 0;
  while (start + count < rows.length && writer.offset < targetSize) {
    const fitting = count === 0 ? FIRST_GROUP : Math.ceil((targetSize - writer.offset) / (writer.offset / count));
    const group = rows.slice(start + count, start + count + Math.min(fitting, LARGEST_GROUP));
    await file.write({
      columnData: columns.map(({ physical: { name, type }, stored }) => ({
        name,
        data: group.map(stored),
        // Older readers do not know the other encoding of booleans.
        ...(type.kind === "boolean" ? ({ encoding: "PLAIN" } as const) : {}),
      })),
      rowGroupSize: group.length,
    });
    count += group.length;
  }
  await file.finish();
  return { bytes: writer.getBytes(), count };
}

function describe<R>(
  { schema, physical, partitionColumns, configuration }: FileLayout,
  { values, folder: partitionFolder }: Partition<R>,
  folder: string,
  rows: readonly Row[],
  size: number,
): NewFile {
  const places = schema.fields.flatMap(({ name }, i) => (partitionColumns.includes(name) ? [i] : []));
  const stats = formatStats({ numRecords: rows.length, columns: collectStats(rows, schema, physical) }, physical, {
    configuration,
    partitionColumns: places.map((i) => physical.fields[i]?.name ?? ""),
    logical: schema,
  });
  const name = folder === "" ? "part" : "cdc";
  return {
    path: `${folder}${partitionFolder}${name}-${randomUUID()}.c000.snappy.parquet`,
    size,
    partitionValues: values,
    stats,
  };
}
