import { type At, DeltaError } from "../error.js";
import type { AddFile, DeletionVector, RemoveFile } from "../log/actions.js";
import type { CheckpointColumns, ParsedColumns } from "./checkpoint-schema.js";
import type { ReplayedState } from "./replay.js";
import { statsRow } from "./stats-columns.js";
import { typedText } from "./typed-values.js";

/** A row of a checkpoint as `ParquetWriter` takes it. */
export type Row = Readonly<Record<string, unknown>>;

/** A checkpoint's rows: those of files, which V2 moves to sidecars, and all others. */
export interface CheckpointRows {
  readonly others: readonly Row[];
  readonly files: readonly Row[];
  readonly numOfAddFiles: number;
}

/** What may be forgotten: everything that happened at these milliseconds since the epoch or before. */
export interface Expiry {
  readonly tombstones: number;
  /** Undefined: nothing. */
  readonly transactions: number | undefined;
}

/**
 * The state as the rows of a checkpoint. Source: the Delta protocol, "Checkpoints" and "Action Reconciliation".
 *
 * @param state with its tombstones
 * @throws DeltaError DELTA_TABLE_UNREADABLE for a partition value that is none of its column's type, where partition
 * values are to stand there as a struct
 */
export function checkpointRows(
  at: At,
  state: ReplayedState,
  columns: CheckpointColumns,
  expiry: Expiry,
): CheckpointRows {
  const { protocol, metadata, transactions, domains, files, tombstones = new Map<string, RemoveFile>() } = state;
  const removes = [...tombstones.values()].filter((file) => (file.deletionTimestamp ?? 0) > expiry.tombstones);
  return {
    others: [
      { protocol },
      { metaData: { ...metadata, createdTime: long(metadata.createdTime) } },
      ...[...transactions.values()]
        .filter(({ lastUpdated }) => !isExpired(lastUpdated, expiry.transactions))
        .map((txn) => ({ txn: { ...txn, lastUpdated: long(txn.lastUpdated) } })),
      ...[...domains].map(([domain, configuration]) => ({ domainMetadata: { domain, configuration, removed: false } })),
    ],
    files: [
      ...Array.from(files.values(), (file) =>
        columns.parsed === undefined
          ? new StoredRow(file, columns)
          : { add: { ...plainRow(file, columns), ...parsedRow(at, file, columns.parsed) } },
      ),
      ...removes.map((file) => ({ remove: removeRow(file) })),
    ],
    numOfAddFiles: files.size,
  };
}

function isExpired(lastUpdated: number | undefined, expiry: number | undefined): boolean {
  return lastUpdated !== undefined && expiry !== undefined && lastUpdated <= expiry;
}

/** Makes its struct when a writer asks for it: the statistics of 100,000 files are a hundred megabytes and more. */
class StoredRow {
  readonly [column: string]: unknown;
  readonly #file: AddFile;
  readonly #columns: CheckpointColumns;

  constructor(file: AddFile, columns: CheckpointColumns) {
    this.#file = file;
    this.#columns = columns;
    Object.defineProperty(this, "add", StoredRow.#ADD);
  }

  /** Own and enumerable, so that it is as good as a field. */
  static readonly #ADD: PropertyDescriptor & ThisType<StoredRow> = {
    enumerable: true,
    get() {
      return plainRow(this.#file, this.#columns);
    },
  };
}

/** Written out field by field: spreading objects costs half of the time for 100,000 of them. */
function plainRow(file: AddFile, { statsAsJson }: CheckpointColumns): Row {
  return {
    path: file.uri,
    partitionValues: file.partitionValues,
    size: BigInt(file.size),
    modificationTime: BigInt(file.modificationTime),
    dataChange: false,
    tags: file.tags,
    deletionVector: file.deletionVector === undefined ? undefined : vectorRow(file.deletionVector),
    baseRowId: file.baseRowId,
    defaultRowCommitVersion: file.defaultRowCommitVersion,
    clusteringProvider: file.clusteringProvider,
    stats: statsAsJson ? file.stats : undefined,
  };
}

/** Tombstones are there for VACUUM only: no statistics, no tags. */
function removeRow(file: RemoveFile): Row {
  return {
    path: file.uri,
    deletionTimestamp: long(file.deletionTimestamp),
    dataChange: false,
    extendedFileMetadata: file.extendedFileMetadata,
    partitionValues: file.partitionValues,
    size: long(file.size),
    deletionVector: file.deletionVector === undefined ? undefined : vectorRow(file.deletionVector),
    baseRowId: file.baseRowId,
    defaultRowCommitVersion: file.defaultRowCommitVersion,
  };
}

function vectorRow({ storageType, pathOrInlineDv, offset, sizeInBytes, cardinality }: DeletionVector): Row {
  return { storageType, pathOrInlineDv, offset, sizeInBytes, cardinality };
}

function parsedRow(at: At, file: AddFile, { stats, partition }: ParsedColumns): Row {
  return {
    stats_parsed: file.stats === undefined ? undefined : statsRow(file.stats, stats),
    partitionValues_parsed: Object.fromEntries(
      partition.fields.map(({ name, type }) => {
        const text = file.partitionValues[name] ?? "";
        if (text === "") return [name, null];
        const value = typedText(type, text);
        if (value === undefined) throw noValue(at, file, name, text, type.kind);
        return [name, value];
      }),
    ),
  };
}

function noValue({ table, version }: At, file: AddFile, column: string, text: string, type: string): DeltaError {
  return new DeltaError(
    "DELTA_TABLE_UNREADABLE",
    `The partition value "${text}" of ${column} is no ${type}, in the file ${file.path} of ${table}.`,
    {
      table,
      version,
      path: file.path,
      hint: "Set delta.checkpoint.writeStatsAsStruct to false for a checkpoint without typed values.",
    },
  );
}

function long(value: number | undefined): bigint | undefined {
  return value === undefined ? undefined : BigInt(value);
}
