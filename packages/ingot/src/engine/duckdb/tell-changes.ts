import { basename } from "node:path";
import { type ChangedRows, DeltaError, readChangeFeed, type Snapshot, type Store } from "@ingot/delta";
import { IngotError } from "../../model/error.js";
import { appendedFiles } from "../tables/appended-files.js";
import type { ChangedInput } from "./changed-inputs.js";
import { snapshotAt } from "./relations.js";
import { hasFeed } from "./view-table.js";

/** Where the change feed of an input is more than this share of the input, reading all of it costs less. */
const MUCH = 0.5;
/** Bytes of a change feed that are never much. */
const SMALL = 1_000_000;

/** An input with what tells its changes: its change feed, or that its versions only appended rows. */
export interface ToldInput extends ChangedInput {
  readonly by: "changes" | "appended";
}

/**
 * What tells the changes of an input, or why they cannot be told.
 *
 * @param isCounted too many are not worth it
 */
export async function tellChanges(store: Store, input: ChangedInput, isCounted: boolean): Promise<ToldInput | string> {
  const { now, before } = input;
  const snapshot = await snapshotAt(store, now.location, now.version);
  const then = await snapshotAt(store, before.location, before.version);
  const name = basename(now.location);
  if (!keepsColumns(then, snapshot)) return `columns of ${name} changed`;
  const told = hasFeed(snapshot)
    ? await bytesOf(readChangeFeed(store, snapshot, before.version + 1n), ({ changes }) => changes.map(sizeOf))
    : await bytesOf(appendedFiles(store, snapshot, { after: before.version, to: now.version }, false), ({ files }) =>
        files.map(({ size }) => size),
      );
  if (typeof told === "string") return `the changes of ${name} cannot be told (${told})`;
  const all = snapshot.files.reduce((sum, { size }) => sum + size, 0);
  if (isCounted && told > SMALL && told > all * MUCH) return `much of ${name} changed`;
  return { ...input, by: hasFeed(snapshot) ? "changes" : "appended" };
}

/** Whether the rows of a snapshot have the same values in a later one: a column that was made again has others. */
function keepsColumns(then: Snapshot, now: Snapshot): boolean {
  const present = new Set(now.schema.fields.map((field) => JSON.stringify({ ...field, nullable: true })));
  return then.schema.fields.every((field) => present.has(JSON.stringify({ ...field, nullable: true })));
}

/** The code of the error where versions cannot be read. */
async function bytesOf<T>(
  versions: AsyncIterable<T>,
  sizes: (version: T) => readonly number[],
): Promise<number | string> {
  let bytes = 0;
  try {
    for await (const version of versions) for (const size of sizes(version)) bytes += size;
  } catch (error) {
    if (error instanceof DeltaError || error instanceof IngotError) return error.code;
    throw error;
  }
  return bytes;
}

/** Of single rows of a file, which are about so large, the file is not read as a whole. */
function sizeOf({ rows, size }: ChangedRows): number {
  const BYTES_A_ROW = 100;
  return rows !== undefined && "only" in rows ? Math.min(size, rows.only.length * BYTES_A_ROW) : size;
}
