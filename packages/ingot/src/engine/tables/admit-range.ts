import { DeltaError, readChangeFeed, readSnapshot, type Snapshot, type Store } from "@ingot/delta";
import type { TableOptions } from "../../model/query.js";
import type { RangeEnd, VersionRange } from "../engine.js";
import { appendedFiles } from "./appended-files.js";

/**
 * How much of a range of versions a stream's batch takes. Limits count files of data: an appended version, and a whole
 * table, may be cut between two files, the changes of a version are taken together. A batch takes one file at least, and
 * as much beyond `maxBytes` as the last file has, as Delta Lake does.
 *
 * @throws IngotError, DeltaError for a range that the stream cannot follow: see `Engine.admit`
 */
export async function admitRange(
  store: Store,
  location: string,
  range: VersionRange,
  options: TableOptions,
): Promise<RangeEnd> {
  const isLimited = options.maxFiles !== undefined || options.maxBytes !== undefined;
  const isWhole = range.after === undefined;
  // Of a whole table every row is taken, whatever was done to it before.
  if (isWhole && !isLimited) return { to: range.to };
  const snapshot = await readSnapshot(store, location, { version: range.to });
  if (snapshot === undefined) throw new Error(`unreachable: ${location} was described before`);
  try {
    return options.changeFeed === true && !isWhole
      ? await admitChanges(store, snapshot, range, options)
      : await admitFiles(store, snapshot, range, options);
  } catch (error) {
    throw error instanceof DeltaError && error.code === "DELTA_VERSION_NOT_FOUND" ? fellBehind(error) : error;
  }
}

/** The log was cleaned up before the stream came that far. */
function fellBehind(cause: DeltaError): DeltaError {
  const { code, message, table } = cause;
  return new DeltaError(code, message, {
    table,
    hint: "Versions that the stream has not read are gone from the log. Start the reading table again with --full-refresh, or with a later startingVersion; a longer delta.logRetentionDuration keeps them.",
    cause,
  });
}

async function admitFiles(
  store: Store,
  snapshot: Snapshot,
  range: VersionRange,
  options: TableOptions,
): Promise<RangeEnd> {
  const taken = new Taken(options);
  for await (const { version, files, first } of appendedFiles(
    store,
    snapshot,
    range,
    options.skipChangeCommits === true,
  )) {
    for (const [i, file] of files.entries()) {
      if (taken.isFull && i + first > 0) return { to: version, untilFile: i + first };
      if (taken.isFull) return { to: version - 1n };
      taken.add(file.size);
    }
  }
  return { to: range.to };
}

async function admitChanges(
  store: Store,
  snapshot: Snapshot,
  { after = -1n, to }: VersionRange,
  options: TableOptions,
): Promise<RangeEnd> {
  const taken = new Taken(options);
  for await (const { version, changes } of readChangeFeed(store, snapshot, after + 1n)) {
    if (taken.isFull && changes.length > 0) return { to: version - 1n };
    for (const { size } of changes) taken.add(size);
  }
  return { to };
}

/** What a batch has taken so far, against the limits of its read. */
class Taken {
  #files = 0;
  #bytes = 0;
  readonly #limits: TableOptions;

  constructor(limits: TableOptions) {
    this.#limits = limits;
  }

  get isFull(): boolean {
    const { maxFiles = Number.POSITIVE_INFINITY, maxBytes = Number.POSITIVE_INFINITY } = this.#limits;
    return this.#files >= maxFiles || this.#bytes >= maxBytes;
  }

  add(bytes: number): void {
    this.#files += 1;
    this.#bytes += bytes;
  }
}
