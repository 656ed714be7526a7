import type { Change, MaskedFile, NewFile, TableDefinition } from "../commit/change.js";
import { type TransactOptions, transact } from "../commit/transact.js";
import { DeltaError } from "../error.js";
import { vectorPath } from "../files/deletion-vector.js";
import { type AddFile, fileKey } from "../log/actions.js";
import { formatJson } from "../log/json.js";
import { resolvePath } from "../log/path.js";
import { CLUSTERING_DOMAIN, formatClusteringDomain } from "../schema/clustering-columns.js";
import { openTable } from "../snapshot/open-table.js";
import type { AsOf, Snapshot } from "../snapshot/snapshot.js";
import type { Store } from "../store/store.js";
import { totalSize } from "./optimize-plan.js";

/** Spark's columns; sizes are bytes. */
export interface RestoreMetrics {
  readonly tableSizeAfterRestore: number;
  readonly numOfFilesAfterRestore: number;
  readonly numRemovedFiles: number;
  readonly numRestoredFiles: number;
  readonly removedFilesSize: number;
  readonly restoredFilesSize: number;
}

export interface RestoreResult {
  /** The new version, which has the content of the old one. */
  readonly version: bigint;
  readonly metrics: RestoreMetrics;
}

/**
 * `RESTORE TABLE … TO VERSION AS OF`: a new version with the rows, schema and properties of an older one. The protocol
 * is never lowered, progress of applications (`txn`) stays, and so do metadata domains except for the clustering columns,
 * which come back. Rows keep the row ids that they had then. The change feed shows files that go and come as deleted and
 * inserted rows. Name and description stay where the older version had none.
 *
 * @throws DeltaError NO_DELTA_TABLE, DELTA_VERSION_NOT_FOUND, DELTA_CANNOT_RESTORE_TABLE_VERSION for the newest version,
 * DELTA_FILE_NOT_FOUND when VACUUM or somebody took a file of the older version,
 * DELTA_CANNOT_MODIFY_APPEND_ONLY, and what `transact` throws
 */
export async function restore(
  store: Store,
  table: string,
  asOf: AsOf,
  options: Omit<TransactOptions, "transactions"> = {},
): Promise<RestoreResult> {
  const wanted = await openTable(store, table, asOf, options.reader);
  let metrics: RestoreMetrics | undefined;
  const { version } = await transact(
    store,
    table,
    async (newest) => {
      if (wanted.version >= newest.version) throw isNewest(wanted);
      const difference = filesBetween(newest, wanted);
      await assertPresent(store, wanted, difference);
      metrics = measure(wanted, difference);
      return toChange(newest, wanted, difference, metrics, asOf);
    },
    options,
  );
  if (metrics === undefined) throw new Error("unreachable: a restore plans a change");
  return { version, metrics };
}

interface Difference {
  readonly add: readonly AddFile[];
  readonly remove: readonly AddFile[];
  /** The same data file under another deletion vector. */
  readonly mask: readonly (MaskedFile & { readonly wanted: AddFile })[];
}

/** What makes the files of one version those of another. */
export function filesBetween(
  { files: present }: Pick<Snapshot, "files">,
  { files: wanted }: Pick<Snapshot, "files">,
): Difference {
  const presentKeys = new Set(present.map(fileKey));
  const wantedKeys = new Set(wanted.map(fileKey));
  const missing = wanted.filter((file) => !presentKeys.has(fileKey(file)));
  const surplus = new Map(present.filter((file) => !wantedKeys.has(fileKey(file))).map((file) => [file.path, file]));
  const mask = missing.flatMap((file) => {
    const masked = surplus.get(file.path);
    return masked === undefined ? [] : [{ file: masked, deletionVector: file.deletionVector, wanted: file }];
  });
  const masked = new Set(mask.map(({ file }) => file.path));
  return {
    add: missing.filter(({ path }) => !masked.has(path)),
    remove: [...surplus.values()].filter(({ path }) => !masked.has(path)),
    mask,
  };
}

function toChange(
  newest: Snapshot,
  wanted: Snapshot,
  { add, remove, mask }: Difference,
  metrics: RestoreMetrics,
  asOf: AsOf,
): Change {
  const operationParameters: Record<string, string> =
    "version" in asOf
      ? { version: String(asOf.version) }
      : { timestamp: typeof asOf.timestamp === "number" ? new Date(asOf.timestamp).toISOString() : asOf.timestamp };
  return {
    operation: "RESTORE",
    operationParameters,
    operationMetrics: Object.fromEntries(Object.entries(metrics).map(([name, value]) => [name, value.toString()])),
    add: add.map(toNewFile),
    remove,
    mask: mask.map(({ file, deletionVector }) => ({ file, deletionVector })),
    // Whole files come and go.
    changeFiles: [],
    ...(isSameDefinition(newest, wanted) ? {} : { metadata: definitionOf(wanted) }),
    features: [...(wanted.protocol.readerFeatures ?? []), ...(wanted.protocol.writerFeatures ?? [])],
    domains: restoredDomains(newest, wanted),
    reads: { files: "all" },
    rowIdsPreserved: true,
  };
}

function isSameDefinition(newest: Snapshot, wanted: Snapshot): boolean {
  const definition = (snapshot: Snapshot): string => {
    const { schema: _schema, configuration = {}, ...rest } = definitionOf(snapshot);
    return formatJson([snapshot.metadata.schemaString, Object.entries(configuration).sort(), JSON.stringify(rest)]);
  };
  return definition(newest) === definition(wanted);
}

function definitionOf({ schema, metadata }: Snapshot): Partial<TableDefinition> {
  const { name, description, partitionColumns, configuration } = metadata;
  return {
    schema,
    partitionColumns,
    configuration,
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
  };
}

/** A table that was not clustered then is clustered by no column now, since the feature stays. Spark's rule. */
function restoredDomains(newest: Snapshot, wanted: Snapshot): ReadonlyMap<string, string> {
  const [before, after] = [newest.domains.get(CLUSTERING_DOMAIN), wanted.domains.get(CLUSTERING_DOMAIN)];
  if (before === after || (before === undefined && after === undefined)) return new Map();
  return new Map([[CLUSTERING_DOMAIN, after ?? formatClusteringDomain([])]]);
}

function toNewFile({ path, size, partitionValues, ...file }: AddFile): NewFile {
  const { stats, tags, deletionVector, clusteringProvider, baseRowId, defaultRowCommitVersion } = file;
  return {
    path,
    size,
    partitionValues,
    ...(stats === undefined ? {} : { stats }),
    ...(tags === undefined ? {} : { tags }),
    ...(deletionVector === undefined ? {} : { deletionVector }),
    ...(clusteringProvider === undefined ? {} : { clusteringProvider }),
    ...(baseRowId === undefined ? {} : { baseRowId }),
    ...(defaultRowCommitVersion === undefined ? {} : { defaultRowCommitVersion }),
  };
}

/** The data files that come back and the deletion vectors of all that change must be there still. */
async function assertPresent(store: Store, { table, version }: Snapshot, { add, mask }: Difference): Promise<void> {
  const folders = new Map<string, Promise<ReadonlySet<string>>>();
  const isPresent = async (path: string): Promise<boolean> => {
    const at = path.lastIndexOf("/");
    const folder = path.slice(0, at);
    const names = folders.get(folder) ?? store.list(folder).then((entries) => new Set(entries.map(({ name }) => name)));
    folders.set(folder, names);
    return (await names).has(path.slice(at + 1));
  };
  const vectors = [...add, ...mask.map(({ wanted }) => wanted)].flatMap(({ deletionVector }) =>
    deletionVector === undefined || deletionVector.storageType === "i" ? [] : [vectorPath(table, deletionVector)],
  );
  const paths = [...add.map(({ path }) => resolvePath(table, path)), ...new Set(vectors)];
  const missing: string[] = [];
  for (const path of paths) if (!(await isPresent(path))) missing.push(path);
  const [first] = missing;
  if (first === undefined) return;
  const others = missing.length === 1 ? "" : ` and ${missing.length - 1} more`;
  throw new DeltaError(
    "DELTA_FILE_NOT_FOUND",
    `Version ${version} of ${table} cannot be restored: its file ${first}${others} is gone.`,
    { table, version, path: first, hint: "VACUUM deleted it, or somebody did: restore a newer version." },
  );
}

function measure(wanted: Snapshot, { add, remove, mask }: Difference): RestoreMetrics {
  const restored = [...add, ...mask.map((masked) => masked.wanted)];
  const removed = [...remove, ...mask.map(({ file }) => file)];
  return {
    tableSizeAfterRestore: totalSize(wanted.files),
    numOfFilesAfterRestore: wanted.files.length,
    numRemovedFiles: removed.length,
    numRestoredFiles: restored.length,
    removedFilesSize: totalSize(removed),
    restoredFilesSize: totalSize(restored),
  };
}

function isNewest({ table, version }: Snapshot): DeltaError {
  return new DeltaError(
    "DELTA_CANNOT_RESTORE_TABLE_VERSION",
    `${table} cannot be restored to version ${version}: that is its newest version.`,
    { table, version, hint: "Choose an older version; the table's history lists them." },
  );
}
