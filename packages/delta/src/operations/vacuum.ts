import { type TransactOptions, transact } from "../commit/transact.js";
import { DeltaError } from "../error.js";
import { retentionOf } from "../log/configuration.js";
import { resolvePath } from "../log/path.js";
import { assertWritable } from "../protocol/protocol.js";
import { columnMappingMode, physicalSchema } from "../schema/column-mapping.js";
import { openTable } from "../snapshot/open-table.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import { isLeftover } from "../store/local-store.js";
import type { Entry, Store } from "../store/store.js";
import { type FoundFile, listFiles } from "./list-files.js";
import { type IsNeeded, neededFiles } from "./needed-files.js";

export interface VacuumOptions extends Omit<TransactOptions, "transactions"> {
  /** Milliseconds. Default: `delta.deletedFileRetentionDuration`, 7 days without it. */
  readonly retention?: number;
  /**
   * Allows a retention below the table's own. A reader of an older version may lose its files then, and so may a writer
   * that has not committed yet.
   */
  readonly force?: boolean;
  /** Only tells what would be deleted. */
  readonly dryRun?: boolean;
}

export interface VacuumResult {
  /** Relative to the table, in order of their names. */
  readonly deleted: readonly string[];
  /** Bytes of these files. */
  readonly bytes: number;
}

const WEEK = 7 * 86_400_000;
/** Deletions at once. */
const AT_ONCE = 32;

/**
 * `VACUUM`: deletes data files, deletion vectors and change files that no version within the retention has and that are
 * older than it. Older versions can be read no more then. Files that are none of Delta's stay (anything but `*.parquet`,
 * deletion vectors and what a killed writer of this library left), and so do hidden files and folders, links and what
 * they lead to, tables that lie below the table, and folders that become empty. The history notes it in two commits, VACUUM START and VACUUM END, when
 * there is something to delete. The files of a table that was cloned are not known to the clone's source: vacuuming the
 * source takes from its clones what it no longer needs itself; vacuuming a clone leaves the source alone.
 *
 * @throws DeltaError NO_DELTA_TABLE, DELTA_UNSUPPORTED_FEATURES_FOR_WRITE (`vacuumProtocolCheck`),
 * DELTA_VACUUM_RETENTION_PERIOD_TOO_SHORT, DELTA_VACUUM_RETENTION_PERIOD_NEGATIVE, DELTA_INVALID_INTERVAL,
 * DELTA_TABLE_UNREADABLE, all before anything is deleted. When the store cannot delete a file its error is thrown, the
 * files before it are gone, and a later run goes on.
 */
export async function vacuum(store: Store, table: string, options: VacuumOptions = {}): Promise<VacuumResult> {
  const { now = Date.now, dryRun = false } = options;
  const snapshot = await openTable(store, table, undefined, options.reader);
  assertWritable(snapshot.protocol, snapshot);
  const retention = checkRetention(snapshot, options);
  const cutoff = now() - retention;

  // Files first, the log second: what was committed in between is known then.
  const found = await listFiles(store, table.replace(/\/+$/, ""), hiddenIn(snapshot));
  const files = filesToDelete(found, await neededFiles(store, table, cutoff, options.reader), cutoff);
  const result = { deleted: files.map(({ path }) => path), bytes: files.reduce((sum, { size }) => sum + size, 0) };
  if (dryRun || files.length === 0) return result;
  await deleteFiles(store, snapshot, result, options);
  return result;
}

/** Names of Delta's files: data and change files, deletion vectors. */
const OURS = /\.parquet$|(^|\/)deletion_vector_[0-9a-f-]{36}\.bin$/;

/** The found files that no retained version needs and that are too old for a commit to come, by name. */
export function filesToDelete(found: readonly FoundFile[], isNeeded: IsNeeded, cutoff: number): FoundFile[] {
  return found
    .filter(({ path, modified }) => modified < cutoff && (OURS.test(path) || isLeftover(path)) && !isNeeded(path))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Source: Spark's `DeltaTableUtils.isHiddenDirectory`. A partition's folder may begin with `_`, its column does then. */
function hiddenIn({ schema, metadata }: Snapshot): (entry: Entry) => boolean {
  const physical = physicalSchema(schema, columnMappingMode(metadata.configuration)).fields;
  const partitions = schema.fields.flatMap(({ name }, place) =>
    metadata.partitionColumns.includes(name) ? [`${name}=`, `${physical[place]?.name}=`] : [],
  );
  const isHiddenName = ({ name, kind }: Entry): boolean =>
    /^[._]/.test(name) &&
    name !== "_change_data" &&
    !partitions.some((start) => name.startsWith(start)) &&
    !(kind === "file" && isLeftover(name));
  // What a link leads to is not the table's, or is a file of the table under a name that its log does not know.
  return (entry) => entry.isLink === true || isHiddenName(entry);
}

function ownRetention(snapshot: Snapshot): number {
  return retentionOf(snapshot, snapshot.metadata.configuration, "delta.deletedFileRetentionDuration") ?? WEEK;
}

function checkRetention(snapshot: Snapshot, { retention, force = false }: VacuumOptions): number {
  const { table, version } = snapshot;
  const at = { table, version };
  const own = ownRetention(snapshot);
  if (retention === undefined) return own;
  if (!(retention >= 0))
    throw new DeltaError("DELTA_VACUUM_RETENTION_PERIOD_NEGATIVE", "The retention of VACUUM is at least 0.", {
      ...at,
      hint: "Give it in milliseconds, or leave it out.",
    });
  if (retention < own && !force)
    throw new DeltaError(
      "DELTA_VACUUM_RETENTION_PERIOD_TOO_SHORT",
      `VACUUM of ${table} would keep ${hours(retention)} hours, and the table keeps deleted files for ${hours(own)}.`,
      {
        ...at,
        hint: "Lower delta.deletedFileRetentionDuration, or force it when nobody reads older versions or writes just now.",
      },
    );
  return retention;
}

function hours(milliseconds: number): string {
  return (milliseconds / 3_600_000).toFixed(1).replace(/\.0$/, "");
}

async function deleteFiles(
  store: Store,
  snapshot: Snapshot,
  { deleted, bytes }: VacuumResult,
  { retention, force = false, ...options }: VacuumOptions,
): Promise<void> {
  const { table } = snapshot;
  const parameters = {
    retentionCheckEnabled: String(!force),
    defaultRetentionMillis: String(ownRetention(snapshot)),
    ...(retention === undefined ? {} : { specifiedRetentionMillis: String(retention) }),
  };
  const size = { numFilesToDelete: String(deleted.length), sizeOfDataToDelete: String(bytes) };
  await note(store, table, options, "VACUUM START", parameters, size);
  try {
    for (let start = 0; start < deleted.length; start += AT_ONCE)
      await Promise.all(deleted.slice(start, start + AT_ONCE).map((path) => store.delete(resolvePath(table, path))));
  } catch (error) {
    await note(store, table, options, "VACUUM END", { status: "FAILED" }).catch(() => undefined);
    throw error;
  }
  const folders = new Set(deleted.map((path) => path.slice(0, path.lastIndexOf("/") + 1)));
  await note(
    store,
    table,
    options,
    "VACUUM END",
    { status: "COMPLETED" },
    {
      numDeletedFiles: String(deleted.length),
      numVacuumedDirectories: String(folders.size),
    },
  );
}

async function note(
  store: Store,
  table: string,
  options: Omit<TransactOptions, "transactions">,
  operation: string,
  operationParameters: Readonly<Record<string, string>>,
  operationMetrics: Readonly<Record<string, string>> = {},
): Promise<void> {
  const change = { operation, operationParameters, operationMetrics, isBlindAppend: true };
  await transact(store, table, async () => change, options);
}
