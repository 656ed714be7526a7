import type { ParquetReader } from "../files/parquet.js";
import type { Action, Metadata } from "../log/actions.js";
import { parseActions, parseLines } from "../log/commit-file.js";
import { formatJson, isObject, type JsonObject } from "../log/json.js";
import { readText } from "../log/log.js";
import { type CheckpointFiles, logFolder, sidecarsFolder } from "../log/log-files.js";
import { decodePath } from "../log/path.js";
import { columnMappingMode, physicalSchema } from "../schema/column-mapping.js";
import { parseSchema } from "../schema/schema.js";
import type { Store } from "../store/store.js";
import { statsColumns, statsText } from "./stats-columns.js";

/** What a snapshot takes from a checkpoint; structs by field, so that those that it does not take are not decoded. */
const FILE = [
  "path",
  "partitionValues",
  "size",
  "dataChange",
  "deletionVector",
  "baseRowId",
  "defaultRowCommitVersion",
];
const ADD = [...FILE, "modificationTime", "tags", "clusteringProvider", "stats", "stats_parsed.numRecords"].map(
  (field) => `add.${field}`,
);
const REMOVE = [...FILE, "deletionTimestamp", "extendedFileMetadata"].map((field) => `remove.${field}`);
const STATS = "add.stats_parsed";
const OTHERS = ["protocol", "metaData", "txn", "domainMetadata", "sidecar"];

/**
 * The actions of a checkpoint, classic, multi-part or V2: its top-level files, then their sidecars. Source: the Delta
 * protocol, "Checkpoints" and "V2 Spec".
 *
 * Rejects with a plain Error when a file is missing or damaged, or when the checkpoint states no protocol or metadata.
 */
export async function readCheckpoint(
  store: Store,
  table: string,
  { names }: CheckpointFiles,
  parquet: ParquetReader,
  { tombstones = false }: { readonly tombstones?: boolean } = {},
): Promise<Action[]> {
  const columns = [...OTHERS, ...ADD, ...(tombstones ? REMOVE : [])];
  const read = (path: string): Promise<readonly JsonObject[]> => readFile(store, path, columns, parquet);
  const top = (await Promise.all(names.map((name) => read(`${logFolder(table)}/${name}`)))).flat();
  const files = (await Promise.all(sidecarsOf(table, top).map(read))).flat();

  const toText = lazily(() => statsReader([...top, ...files]));
  const actions: Action[] = [];
  for (const rows of [top, files]) for (const row of rows) actions.push(...parseActions(withStats(row, toText)));
  for (const kind of ["protocol", "metaData"])
    if (!actions.some((action) => kind in action)) throw new Error(`it holds no ${kind} action`);
  return actions;
}

/**
 * The sidecars that a checkpoint names. Rejects with a plain Error when one of its top-level files is missing or
 * damaged.
 */
export async function readSidecarPaths(
  store: Store,
  table: string,
  { names }: CheckpointFiles,
  parquet: ParquetReader,
): Promise<readonly string[]> {
  const read = (name: string) => readFile(store, `${logFolder(table)}/${name}`, ["sidecar"], parquet);
  return sidecarsOf(table, (await Promise.all(names.map(read))).flat());
}

function sidecarsOf(table: string, top: readonly JsonObject[]): string[] {
  return top.flatMap((row) => (isObject(row["sidecar"]) ? [sidecarPath(table, row["sidecar"])] : []));
}

async function readFile(
  store: Store,
  path: string,
  columns: readonly string[],
  parquet: ParquetReader,
): Promise<readonly JsonObject[]> {
  return path.endsWith(".json")
    ? parseLines(await readText(store, path))
    : readRows(await store.read(path), columns, parquet);
}

/** A sidecar is named by its file name, or by an absolute URI. */
function sidecarPath(table: string, { path }: JsonObject): string {
  if (typeof path !== "string") throw new Error("a sidecar has no path");
  const decoded = decodePath(path);
  return decoded.includes("/") ? decoded : `${sidecarsFolder(table)}/${decoded}`;
}

/** Statistics as a struct are a hundred columns, so they are read only where a file does not tell them as text. */
async function readRows(file: Uint8Array, columns: readonly string[], parquet: ParquetReader) {
  const rows = await parquet(file, columns);
  return rows.some(({ add }) => isObject(add) && typeof add["stats"] !== "string" && isObject(add["stats_parsed"]))
    ? parquet(file, [...columns, STATS])
    : rows;
}

/** Statistics stand in a checkpoint as JSON text, as a struct, or both. */
function withStats(row: JsonObject, toText: () => (parsed: JsonObject) => string): JsonObject {
  const add = row["add"];
  if (!isObject(add) || typeof add["stats"] === "string" || !isObject(add["stats_parsed"])) return row;
  return { ...row, add: { ...add, stats: toText()(add["stats_parsed"]) } };
}

/** Turns statistics as a struct into text by the schema that the checkpoint states; of a schema that is not known, the counts. */
function statsReader(rows: readonly JsonObject[]): (parsed: JsonObject) => string {
  try {
    const metadata = rows.flatMap(parseMetadata)[0];
    if (metadata === undefined) throw new Error("no metadata");
    const physical = physicalSchema(parseSchema(metadata.schemaString), columnMappingMode(metadata.configuration));
    // All columns may be told: the property may have been another one when the file was written.
    const stats = statsColumns(physical, { "delta.dataSkippingNumIndexedCols": "-1" });
    return (struct) => statsText(struct, stats);
  } catch {
    return ({ numRecords, tightBounds }) => formatJson({ numRecords, tightBounds });
  }
}

function parseMetadata({ metaData }: JsonObject): Metadata[] {
  if (metaData === undefined || metaData === null) return [];
  return parseActions({ metaData }).flatMap((action) => ("metaData" in action ? [action.metaData] : []));
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
