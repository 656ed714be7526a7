import { randomUUID } from "node:crypto";
import { numRecords } from "../files/stats.js";
import type { Action, AddFile, CommitInfo, Metadata, RemoveFile } from "../log/actions.js";
import type { JsonObject } from "../log/json.js";
import { encodePath } from "../log/path.js";
import { assertWritable, requireProtocol } from "../protocol/protocol.js";
import { formatSchema } from "../schema/schema.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import type { Base, Change, NewFile, TableDefinition } from "./change.js";
import { assertValid } from "./valid-change.js";

/** A commit that is ready to be written: nothing in it depends on the version that it will get. */
export interface StagedCommit {
  readonly actions: readonly Action[];
  /** Tells this commit from any other. */
  readonly txnId: string;
}

/**
 * Version 0 of a table, with the least protocol that its schema and properties need.
 *
 * @throws DeltaError DELTA_UNSUPPORTED_FEATURES_FOR_WRITE, DELTA_INVALID_COMMIT
 */
export function stageCreation(table: string, definition: TableDefinition, change: Change, now: number): StagedCommit {
  const metadata: Metadata = {
    id: randomUUID(),
    name: definition.name,
    description: definition.description,
    format: { provider: "parquet", options: {} },
    schemaString: formatSchema(definition.schema),
    partitionColumns: definition.partitionColumns ?? [],
    configuration: definition.configuration ?? {},
    createdTime: now,
  };
  const { schema } = definition;
  const protocol = requireProtocol({ schema, configuration: metadata.configuration }, undefined, {
    table,
    version: 0n,
  });
  const base = {
    table,
    version: undefined,
    protocol,
    metadata,
    schema,
    files: [],
    transactions: new Map(),
    domains: new Map(),
  };
  return stage(base, [{ protocol }, { metaData: metadata }], change, now);
}

/**
 * The next version of a table. The protocol is raised where a new schema or property needs it.
 *
 * @throws DeltaError DELTA_UNSUPPORTED_FEATURES_FOR_WRITE, DELTA_CANNOT_MODIFY_APPEND_ONLY, DELTA_INVALID_COMMIT
 */
export function stageChange(snapshot: Snapshot, change: Change, now: number): StagedCommit {
  if (change.metadata === undefined) return stage(snapshot, [], change, now);
  const { schema = snapshot.schema, ...changed } = change.metadata;
  const metadata: Metadata = { ...snapshot.metadata, ...changed, schemaString: formatSchema(schema) };
  const protocol = requireProtocol({ schema, configuration: metadata.configuration }, snapshot.protocol, snapshot);
  const head: Action[] = protocol === snapshot.protocol ? [] : [{ protocol }];
  return stage({ ...snapshot, protocol, metadata, schema }, [...head, { metaData: metadata }], change, now);
}

function stage(base: Base, head: readonly Action[], change: Change, now: number): StagedCommit {
  const { table, version = 0n, metadata } = base;
  assertWritable(base.protocol, { ...base, configuration: metadata.configuration }, { table, version });
  const { add = [], transactions = [] } = change;
  const remove = change.remove === "all" ? base.files : (change.remove ?? []);
  assertValid(base, change, remove);
  const txnId = randomUUID();
  return {
    txnId,
    actions: [
      { commitInfo: describe(base, change, { txnId, now, touchesFiles: add.length + remove.length > 0 }) },
      ...head,
      ...transactions.map((txn) => ({ txn: { ...txn, lastUpdated: now } })),
      ...remove.map((file) => ({ remove: toRemove(file, now) })),
      ...add.map((file) => ({ add: toAdd(file, now) })),
    ],
  };
}

function toAdd(file: NewFile, now: number): AddFile {
  return {
    path: file.path,
    uri: encodePath(file.path),
    partitionValues: file.partitionValues ?? {},
    size: file.size,
    modificationTime: now,
    dataChange: true,
    stats: file.stats,
    tags: file.tags,
  };
}

/** Repeats what the add said, so that the change can be read from the commit alone. */
function toRemove(
  { modificationTime: _time, stats: _stats, clusteringProvider: _provider, ...file }: AddFile,
  now: number,
): RemoveFile {
  return { ...file, deletionTimestamp: now, dataChange: true, extendedFileMetadata: true };
}

function describe(
  base: Base,
  change: Change,
  commit: { txnId: string; now: number; touchesFiles: boolean },
): CommitInfo {
  return {
    timestamp: commit.now,
    operation: change.operation,
    operationParameters: change.operationParameters ?? {},
    readVersion: base.version,
    isBlindAppend: change.isBlindAppend ?? false,
    operationMetrics: commit.touchesFiles ? measure(change.add ?? []) : {},
    userMetadata: change.userMetadata,
    engineInfo: change.engineInfo,
    txnId: commit.txnId,
  };
}

/** Spark's metrics of a write. The rows are told only when every file tells them. */
function measure(files: readonly NewFile[]): JsonObject {
  const rows = files.reduce<number | undefined>((sum, { stats }) => {
    const count = numRecords(stats);
    return sum === undefined || count === undefined ? undefined : sum + count;
  }, 0);
  return {
    numFiles: files.length.toString(),
    numOutputRows: rows?.toString(),
    numOutputBytes: files.reduce((sum, { size }) => sum + size, 0).toString(),
  };
}
