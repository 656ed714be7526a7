export { type ChangedRows, type RowSelection, readChangeFeed, type VersionFeed } from "./changes/change-feed.js";
export { readChanges, type VersionChanges } from "./changes/table-changes.js";
export type { Change, NewFile, TableDefinition } from "./commit/change.js";
export { type Clock, commit, createTable } from "./commit/transaction.js";
export { DeltaError, type DeltaErrorCode } from "./error.js";
export { readDeletionVectors } from "./files/deletion-vector.js";
export { hyparquetReader, type ParquetReader } from "./files/parquet.js";
export { formatRows, parseRows, type Rows } from "./files/roaring-bitmap.js";
export { type ColumnStats, type FileStats, formatStats, numRecords } from "./files/stats.js";
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
export type {
  ArrayType,
  DataType,
  DecimalType,
  Field,
  MapType,
  PrimitiveName,
  PrimitiveType,
  StructType,
} from "./schema/schema.js";
export { type HistoryEntry, readHistory } from "./snapshot/history.js";
export { type AsOf, readSnapshot, type Snapshot } from "./snapshot/snapshot.js";
export { localStore } from "./store/local-store.js";
export type { Entry, Store } from "./store/store.js";
