import { DeltaError } from "../error.js";
import { readDeletionVectors } from "../files/deletion-vector.js";
import { hyparquetReader, type ParquetReader } from "../files/parquet.js";
import type { Rows } from "../files/roaring-bitmap.js";
import { difference } from "../files/row-sets.js";
import type { AddFile, CommitInfo, RemoveFile, TextMap } from "../log/actions.js";
import { isOn } from "../log/configuration.js";
import { isObject } from "../log/json.js";
import { readSchema } from "../protocol/protocol.js";
import { findIncompatibleField } from "../schema/schema-change.js";
import { readSnapshot, type Snapshot } from "../snapshot/snapshot.js";
import type { Store } from "../store/store.js";
import { readChanges, type VersionChanges } from "./table-changes.js";

/** Rows of a file by position: those that are named, or all others. */
export type RowSelection = { readonly only: Rows } | { readonly except: Rows };

/** Rows of one file that a version brought or took. */
export interface ChangedRows {
  /** Decoded; relative to the table, or absolute. */
  readonly path: string;
  readonly partitionValues: TextMap;
  /** Undefined: a file of the change data feed, whose column `_change_type` tells it for each row. */
  readonly changeType: "insert" | "delete" | undefined;
  /** Undefined: all rows of the file. */
  readonly rows: RowSelection | undefined;
  /** Of the whole file, in bytes; 0 where the log does not tell it of a file that was removed. */
  readonly size: number;
}

/** The row changes of one version. */
export interface VersionFeed {
  readonly version: bigint;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly changes: readonly ChangedRows[];
}

/**
 * The change data feed from a version on, up to and with the snapshot's, oldest first. A version with change files is
 * told by these alone, with the images before and after an update; else by its added and removed files, an update
 * then being a delete and an insert. Rows have the snapshot's schema. Sources: the Delta protocol, "Change Data
 * Files"; Spark's `CDCReader`, whose refusals are kept.
 *
 * @throws DeltaError DELTA_MISSING_CHANGE_DATA when the feed was off in a version of the range,
 * DELTA_CHANGE_DATA_FEED_INCOMPATIBLE_SCHEMA_CHANGE when rows of the range do not fit the snapshot's schema, and what
 * `readChanges` and `readDeletionVectors` throw
 */
export async function* readChangeFeed(
  store: Store,
  snapshot: Snapshot,
  fromVersion: bigint,
  reader: ParquetReader = hyparquetReader,
): AsyncGenerator<VersionFeed> {
  if (fromVersion > snapshot.version) return;
  const start = await readSnapshot(store, snapshot.table, { version: fromVersion }, reader);
  if (start !== undefined) assertFeed(snapshot, start, fromVersion);
  for await (const changes of readChanges(store, snapshot, fromVersion)) {
    const { version, timestamp, metadata } = changes;
    if (metadata !== undefined)
      assertFeed(snapshot, { metadata, schema: readSchema(metadata, { table: snapshot.table, version }) }, version);
    yield { version, timestamp, changes: await changedRows(store, snapshot, changes) };
  }
}

function assertFeed(
  { table, version, schema }: Snapshot,
  at: Pick<Snapshot, "metadata" | "schema">,
  atVersion: bigint,
): void {
  if (!isOn(at.metadata.configuration, "delta.enableChangeDataFeed"))
    throw new DeltaError("DELTA_MISSING_CHANGE_DATA", `${table} recorded no change data for version ${atVersion}.`, {
      table,
      version: atVersion,
      hint: "Begin after the version that set delta.enableChangeDataFeed to true: see the table's history.",
    });
  const field = findIncompatibleField(at.schema, schema);
  if (field === undefined) return;
  throw new DeltaError(
    "DELTA_CHANGE_DATA_FEED_INCOMPATIBLE_SCHEMA_CHANGE",
    `The changes of version ${atVersion} of ${table} do not fit the schema of version ${version}: ${field}.`,
    {
      table,
      version: atVersion,
      hint: "Read the changes before the schema change with a snapshot of that time, and those after it apart.",
    },
  );
}

async function changedRows(store: Store, snapshot: Snapshot, changes: VersionChanges): Promise<ChangedRows[]> {
  if (changes.changeFiles.length > 0)
    return changes.changeFiles.map(({ path, partitionValues, size }) => {
      return { path, partitionValues, changeType: undefined, rows: undefined, size };
    });
  if (isEmptyMerge(changes.commitInfo)) return [];
  const added = changes.added.filter((file) => file.dataChange);
  const removed = new Map(changes.removed.filter((file) => file.dataChange).map((file) => [file.path, file]));
  const files = [...added, ...removed.values()];
  const vectors = await readDeletionVectors(store, { table: snapshot.table, version: changes.version }, files);
  const hidden = new Map<AddFile | RemoveFile, Rows | undefined>(files.map((file, i) => [file, vectors[i]]));

  const feed: ChangedRows[] = [];
  for (const file of added) {
    const { path, partitionValues, size } = file;
    const before = removed.get(path);
    if (before === undefined) {
      feed.push({ path, partitionValues, changeType: "insert", rows: exceptRows(hidden.get(file)), size });
      continue;
    }
    // The file stays with another deletion vector: what one has and the other has not is the change.
    removed.delete(path);
    const [now, then] = [hidden.get(file) ?? NONE, hidden.get(before) ?? NONE];
    feed.push(
      { path, partitionValues, changeType: "delete", rows: { only: difference(now, then) }, size },
      { path, partitionValues, changeType: "insert", rows: { only: difference(then, now) }, size },
    );
  }
  for (const file of removed.values()) {
    const partitionValues = partitionValuesOf(snapshot, changes.version, file);
    const kept = exceptRows(hidden.get(file));
    const { path, size = 0 } = file;
    feed.push({ path, partitionValues, changeType: "delete", rows: kept, size });
  }
  return feed.filter((change) => change.rows === undefined || !("only" in change.rows) || change.rows.only.length > 0);
}

const NONE: Rows = new Float64Array();

function exceptRows(rows: Rows | undefined): RowSelection | undefined {
  return rows === undefined ? undefined : { except: rows };
}

/** Old writers left the partition values of removed files out. */
function partitionValuesOf({ table, metadata }: Snapshot, version: bigint, file: RemoveFile): TextMap {
  if (file.partitionValues !== undefined) return file.partitionValues;
  if (metadata.partitionColumns.length === 0) return {};
  throw new DeltaError(
    "DELTA_TABLE_UNREADABLE",
    `Version ${version} of ${table} removes ${file.path} without its partition values, so its rows cannot be told.`,
    { table, version, path: file.path, hint: "Begin after this version, and read the table's rows at it instead." },
  );
}

/** A merge that changed nothing may have rewritten files all the same; Spark passes over it, by its metrics. */
function isEmptyMerge(commitInfo: CommitInfo | undefined): boolean {
  const metrics = commitInfo?.["operationMetrics"];
  return (
    commitInfo?.["operation"] === "MERGE" &&
    isObject(metrics) &&
    ["numTargetRowsInserted", "numTargetRowsUpdated", "numTargetRowsDeleted"].every((name) => metrics[name] === "0")
  );
}
