// Where tables lie

export { type DataFiles, type LocalCopies, localDataFiles, type StoredFile } from "./store/data-files.js";
export { cachedDataFiles, type FileCacheOptions } from "./store/file-cache.js";
export { localStore } from "./store/local-store.js";
export type { ByteRange, Entry, RemoteStore, Store } from "./store/store.js";

// What a table is

export { describeDetail, type TableDetail } from "./operations/detail.js";
export { clusteringColumns } from "./schema/clustering-columns.js";
export { type HistoryEntry, readHistory } from "./snapshot/history.js";
export { type AsOf, readSnapshot, type Snapshot } from "./snapshot/snapshot.js";

// Rows without an engine

export { deleteRows } from "./javascript/delete-rows.js";
export type { InputRows } from "./javascript/input-rows.js";
export {
  type MatchedClause,
  type Merge,
  mergeRows,
  type NotMatchedBySourceClause,
  type NotMatchedClause,
  type SourceRow,
} from "./javascript/merge-rows.js";
export { type ChangedRow, type ChangeType, readChangeRows } from "./javascript/read-change-rows.js";
export { type ReadRowsOptions, readRows } from "./javascript/read-rows.js";
export { fileRewriter as javascriptRewriter } from "./javascript/rewrite-files.js";
export { type Update, updateRows } from "./javascript/update-rows.js";
export type { InputRow, Row, Value } from "./javascript/value.js";
export type { EvolvingWriteOptions, WriteOptions } from "./javascript/write-options.js";
export { appendRows, type OverwriteOptions, overwriteRows, type WriteResult } from "./javascript/write-rows.js";

// Operations on a table

export { type AlterOptions, alterTable } from "./operations/alter-table.js";
export type { Alteration } from "./operations/alteration.js";
export { changeRows, liveFiles, type RowChangeOptions, type RowChangeResult } from "./operations/change-rows.js";
export { type CloneOptions, shallowClone } from "./operations/clone.js";
export { type ConvertOptions, type ConvertResult, convertToDelta } from "./operations/convert.js";
export { type EvolvedTable, evolveSchema, replaceSchema } from "./operations/evolve-schema.js";
export { compact, type OptimizeOptions, optimize, purge } from "./operations/optimize.js";
export { planClustering } from "./operations/plan-clustering.js";
export { type PlannedDefinition, planDefinition } from "./operations/plan-definition.js";
export { type RestoreMetrics, type RestoreResult, restore } from "./operations/restore.js";
export type { RewriteMetrics, RewriteOptions, RewriteResult } from "./operations/rewrite-groups.js";
export { transactFiles } from "./operations/transact-files.js";
export { userProperties } from "./operations/user-properties.js";
export { type VacuumOptions, type VacuumResult, vacuum } from "./operations/vacuum.js";
export { type CleanUpOptions, cleanUpLog, type LogCleanUp } from "./snapshot/clean-up-log.js";
export { type CheckpointOptions, type WrittenCheckpoint, writeCheckpoint } from "./snapshot/write-checkpoint.js";

// Commits

export type { Change, MaskedFile, NewFile, ReadSet, TableDefinition } from "./commit/change.js";
export type { CommitNotes } from "./commit/commit-info.js";
export { type Transacted, type TransactOptions, transact } from "./commit/transact.js";
export { type CommitOptions, commit, createTable, provesNoCommit } from "./commit/transaction.js";
export { DeltaError, isConflict } from "./error.js";
export { DELTA_ERRORS, type DeltaErrorCode, type DeltaErrorEntry, type DeltaErrorKind } from "./error-catalogue.js";

// Changes from version to version

export { type ChangedRows, type RowSelection, readChangeFeed, type VersionFeed } from "./changes/change-feed.js";
export { type ChangeRange, resolveChangeRange } from "./changes/change-range.js";
export { readChanges, type VersionChanges } from "./changes/table-changes.js";

// What an engine fills

export { type CompiledRules, checkViolated, compileRules, notNullViolated } from "./engine/compile-rules.js";
export type { Evaluator } from "./engine/evaluator.js";
export { type FileLayout, fileLayout } from "./engine/file-layout.js";
export type { ClusterOrder, FileRewriter } from "./engine/file-rewriter.js";
export type { LiveFile, RewriteTask, Rewritten, RowChange, TouchedFile } from "./engine/row-change.js";
export { hyparquetReader, type ParquetReader } from "./files/parquet.js";
export { hyparquetWriter, type ParquetWriter } from "./files/parquet-writer.js";
export { curveBits, hilbertKey, rankOf, zOrderKey } from "./operations/cluster-curve.js";

// Files, statistics, deletion vectors

export type { ColumnPath, Comparison, Condition, Literal } from "./files/condition.js";
export { readDeletionVectors } from "./files/deletion-vector.js";
export { type KeyRange, mayContain, rangesOf } from "./files/key-ranges.js";
export { mayMatch, mustMatch } from "./files/prune.js";
export { formatRows, parseRows, type Rows } from "./files/roaring-bitmap.js";
export { countRows } from "./files/row-count.js";
export { union as unionRows } from "./files/row-sets.js";
export { type ColumnStats, type FileStats, formatStats, numRecords } from "./files/stats.js";

// Schema and log

export type {
  Action,
  AddFile,
  ChangeFile,
  CommitInfo,
  DeletionVector,
  Metadata,
  Protocol,
  RemoveFile,
  TextMap,
} from "./log/actions.js";
export type { Json, JsonObject } from "./log/json.js";
export { type ColumnMappingMode, columnMappingMode, fieldId, physicalSchema } from "./schema/column-mapping.js";
export { assertDataColumn } from "./schema/column-names.js";
export type { Definition } from "./schema/definition.js";
export type { RowTrackingColumns } from "./schema/row-tracking-columns.js";
export {
  type ArrayType,
  type DataType,
  type DecimalType,
  type Field,
  type MapType,
  type PrimitiveName,
  type PrimitiveType,
  type StructType,
  typesWithin,
} from "./schema/schema.js";
export { validateProperties } from "./schema/table-properties.js";
