import { type At, DeltaError, reasonOf } from "../error.js";
import type { ParquetReader } from "../files/parquet.js";
import type { StoredTexts } from "../files/parquet-texts.js";
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
import { StoredFile } from "./stored-file.js";

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
const ADD = [...FILE, "modificationTime", "tags", "clusteringProvider", "stats_parsed.numRecords"].map(
  (field) => `add.${field}`,
);
const STATS = "add.stats";
const PARSED_STATS = "add.stats_parsed";
const REMOVE = [...FILE, "deletionTimestamp", "extendedFileMetadata"].map((field) => `remove.${field}`);
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
  { names, version }: CheckpointFiles,
  parquet: ParquetReader,
  { tombstones = false }: { readonly tombstones?: boolean } = {},
): Promise<Action[]> {
  const columns = [...OTHERS, ...ADD, ...(tombstones ? REMOVE : [])];
  const read = (path: string): Promise<Rows> => readFile(store, { table, version }, path, columns, parquet);
  const top = await Promise.all(names.map((name) => read(`${logFolder(table)}/${name}`)));
  const sidecars = await Promise.all(
    sidecarsOf(
      table,
      top.flatMap(({ rows }) => rows),
    ).map(read),
  );

  const toText = lazily(() => statsReader(top.flatMap(({ rows }) => rows)));
  const actions: Action[] = [];
  for (const { rows, stats } of [...top, ...sidecars])
    rows.forEach((row, number) => {
      const page = stats?.pages[number];
      for (const action of parseActions(page === undefined ? withStats(row, toText) : row))
        actions.push(
          page !== undefined && "add" in action
            ? { add: new StoredFile(action.add, page, stats?.places[number] ?? 0) }
            : action,
        );
    });
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
  { names, version }: CheckpointFiles,
  parquet: ParquetReader,
): Promise<readonly string[]> {
  const read = (name: string) =>
    readFile(store, { table, version }, `${logFolder(table)}/${name}`, ["sidecar"], parquet);
  const top = await Promise.all(names.map(read));
  return sidecarsOf(
    table,
    top.flatMap(({ rows }) => rows),
  );
}

function sidecarsOf(table: string, top: readonly JsonObject[]): string[] {
  return top.flatMap((row) => (isObject(row["sidecar"]) ? [sidecarPath(table, row["sidecar"])] : []));
}

/** The rows of a file, and the statistics in it as text where they are not in the rows. */
interface Rows {
  readonly rows: readonly JsonObject[];
  readonly stats?: StoredTexts | undefined;
}

async function readFile(
  store: Store,
  at: At,
  path: string,
  columns: readonly string[],
  parquet: ParquetReader,
): Promise<Rows> {
  if (path.endsWith(".json")) return { rows: parseLines(await readText(store, path)) };
  const file = await store.read(path);
  if (!columns.includes("add.path")) return { rows: await parquet(file, columns) };
  const stats = await parquet.texts?.(file, STATS, (cause) => damagedStats(at, path, cause));
  const wanted = stats === undefined ? [...columns, STATS] : columns;
  const rows = await parquet(file, wanted);
  // Statistics as a struct are a hundred columns, so they are read only where a file does not tell them as text.
  const isParsedOnly = rows.some(
    ({ add }, number) =>
      isObject(add) &&
      isObject(add["stats_parsed"]) &&
      typeof add["stats"] !== "string" &&
      stats?.pages[number] === undefined,
  );
  return { rows: isParsedOnly ? await parquet(file, [...wanted, PARSED_STATS]) : rows, stats };
}

function damagedStats(at: At, path: string, cause: unknown): DeltaError {
  return new DeltaError("DELTA_TABLE_UNREADABLE", `The checkpoint ${path} cannot be read: ${reasonOf(cause)}.`, {
    ...at,
    path,
    hint: "Restore the file from a backup; where the commits before it are still there, remove it.",
    cause,
  });
}

/** A sidecar is named by its file name, or by an absolute URI. */
function sidecarPath(table: string, { path }: JsonObject): string {
  if (typeof path !== "string") throw new Error("a sidecar has no path");
  const decoded = decodePath(path);
  return decoded.includes("/") ? decoded : `${sidecarsFolder(table)}/${decoded}`;
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
