import { resolve } from "node:path";
import type { Change, NewFile } from "../commit/change.js";
import { type CommitOptions, createTable } from "../commit/transaction.js";
import { DeltaError } from "../error.js";
import { vectorPath } from "../files/deletion-vector.js";
import { numRecords } from "../files/stats.js";
import type { AddFile, DeletionVector, TextMap } from "../log/actions.js";
import { isOn } from "../log/configuration.js";
import { listLog, logFolder } from "../log/log-files.js";
import { encodePath, isAbsolutePath, resolvePath } from "../log/path.js";
import { supports } from "../protocol/protocol.js";
import { CLUSTERING_DOMAIN } from "../schema/clustering-columns.js";
import { ROW_COMMIT_VERSION_PROPERTY, ROW_ID_PROPERTY } from "../schema/row-tracking-columns.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import type { Store } from "../store/store.js";
import { totalSize } from "./optimize-plan.js";

export interface CloneOptions extends CommitOptions {
  /** Properties that the clone has beside those of the source, or in their place. */
  readonly configuration?: TextMap;
}

/** Of the source: a clone gives its rows ids of its own, in hidden columns of its own. */
const NOT_CLONED: readonly string[] = [ROW_ID_PROPERTY, ROW_COMMIT_VERSION_PROPERTY];

/**
 * `CREATE TABLE … SHALLOW CLONE`: a new table with the rows, schema, properties and clustering columns of a snapshot,
 * which has no data files of its own: its log names those of the source by their absolute paths. Each goes its own way
 * from there on. VACUUM of the source takes what the source no longer needs, also from the clone.
 *
 * @throws DeltaError DELTA_TABLE_ALREADY_EXISTS, DELTA_CLONE_WITH_ROW_TRACKING_WITHOUT_STATS, and what `createTable`
 * throws
 */
export async function shallowClone(
  store: Store,
  source: Snapshot,
  table: string,
  { configuration = {}, ...options }: CloneOptions = {},
): Promise<{ readonly version: bigint }> {
  if ((await listLog(store, table)) !== undefined)
    throw new DeltaError("DELTA_TABLE_ALREADY_EXISTS", `${table} cannot become a clone: it is a Delta table already.`, {
      table,
      path: logFolder(table),
      hint: "Choose another location.",
    });
  const properties = { ...cloned(source.metadata.configuration), ...configuration };
  assertRowsAreCounted(source, properties);
  const { schema, metadata } = source;
  const definition = { schema, partitionColumns: metadata.partitionColumns, configuration: properties };
  return createTable(store, table, definition, cloneOf(source), options);
}

function cloned(configuration: TextMap): TextMap {
  return Object.fromEntries(Object.entries(configuration).filter(([key]) => !NOT_CLONED.includes(key)));
}

function cloneOf(source: Snapshot): Change {
  const { table, version, files, protocol, domains } = source;
  const root = absolute(table);
  const clustering = domains.get(CLUSTERING_DOMAIN);
  return {
    operation: "CLONE",
    operationParameters: { source: root, sourceVersion: version.toString() },
    operationMetrics: {
      sourceTableSize: totalSize(files).toString(),
      sourceNumOfFiles: files.length.toString(),
      numRemovedFiles: "0",
      numCopiedFiles: "0",
      removedFilesSize: "0",
      copiedFilesSize: "0",
    },
    add: files.map((file) => toClonedFile(root, file)),
    features: [...(protocol.readerFeatures ?? []), ...(protocol.writerFeatures ?? [])],
    ...(clustering === undefined ? {} : { domains: new Map([[CLUSTERING_DOMAIN, clustering]]) }),
  };
}

/** On a disk a relative location means another place from another folder. */
function absolute(table: string): string {
  return isAbsolutePath(table) ? table.replace(/(?<=.)\/+$/, "") : resolve(table);
}

function toClonedFile(root: string, file: AddFile): NewFile {
  const { path, size, partitionValues, stats, tags, deletionVector, clusteringProvider } = file;
  return {
    path: resolvePath(root, path),
    size,
    partitionValues,
    ...(stats === undefined ? {} : { stats }),
    ...(tags === undefined ? {} : { tags }),
    ...(deletionVector === undefined ? {} : { deletionVector: toClonedVector(root, deletionVector) }),
    ...(clusteringProvider === undefined ? {} : { clusteringProvider }),
  };
}

/** An absolute path of a vector is a URI, too. Source: the Delta protocol, "Deletion Vector Descriptor Schema". */
function toClonedVector(root: string, vector: DeletionVector): DeletionVector {
  if (vector.storageType !== "u") return vector;
  return { ...vector, storageType: "p", pathOrInlineDv: encodePath(vectorPath(root, vector)) };
}

function assertRowsAreCounted({ table, version, protocol, files }: Snapshot, properties: TextMap): void {
  const tracked = supports(protocol, "rowTracking") || isOn(properties, "delta.enableRowTracking");
  const uncounted = tracked ? files.find(({ stats }) => numRecords(stats) === undefined) : undefined;
  if (uncounted === undefined) return;
  throw new DeltaError(
    "DELTA_CLONE_WITH_ROW_TRACKING_WITHOUT_STATS",
    `${table} cannot be cloned with row tracking: the statistics of ${uncounted.path} do not tell how many rows it holds.`,
    { table, version, path: uncounted.path, hint: "Optimize the source first, or clone it without row tracking." },
  );
}
