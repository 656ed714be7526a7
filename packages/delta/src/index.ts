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
} from "./actions.js";
export type { Change, NewFile, TableDefinition } from "./change.js";
export { type ChangedRows, type RowSelection, readChangeFeed, type VersionFeed } from "./change-feed.js";
export { type ColumnMappingMode, columnMappingMode, fieldId, physicalSchema } from "./column-mapping.js";
export { readDeletionVectors } from "./deletion-vector.js";
export { DeltaError, type DeltaErrorCode } from "./error.js";
export { type HistoryEntry, readHistory } from "./history.js";
export type { Json, JsonObject } from "./json.js";
export { localStore } from "./local-store.js";
export { hyparquetReader, type ParquetReader } from "./parquet.js";
export { formatRows, parseRows, type Rows } from "./roaring-bitmap.js";
export type {
  ArrayType,
  DataType,
  DecimalType,
  Field,
  MapType,
  PrimitiveName,
  PrimitiveType,
  StructType,
} from "./schema.js";
export { type AsOf, readSnapshot, type Snapshot } from "./snapshot.js";
export { type ColumnStats, type FileStats, formatStats, numRecords } from "./stats.js";
export type { Entry, Store } from "./store.js";
export { readChanges, type VersionChanges } from "./table-changes.js";
export { type Clock, commit, createTable } from "./transaction.js";
