import { randomUUID } from "node:crypto";
import { type At, DeltaError } from "../error.js";
import { numRecords } from "../files/stats.js";
import type { AddFile, Protocol, TextMap } from "../log/actions.js";
import { isOn } from "../log/configuration.js";
import { isObject, parseJson } from "../log/json.js";
import { supports } from "../protocol/protocol.js";
import { ROW_COMMIT_VERSION_PROPERTY, ROW_ID_PROPERTY } from "../schema/row-tracking-columns.js";

/** The metadata domain that holds the highest row id that was given so far. */
export const ROW_TRACKING_DOMAIN = "delta.rowTracking";

const NAMES = {
  [ROW_ID_PROPERTY]: "_row-id-col-",
  [ROW_COMMIT_VERSION_PROPERTY]: "_row-commit-version-col-",
} as const;

/** Ids and commit versions are there for all rows, and writers keep them. */
export function tracksRows(configuration: TextMap): boolean {
  return isOn(configuration, "delta.enableRowTracking");
}

/**
 * Whether a commit gives ids to rows: wherever the feature is supported, be it enabled or not.
 *
 * @throws DeltaError DELTA_ROW_TRACKING_ILLEGAL_PROPERTY_COMBINATION
 */
export function givesRowIds(protocol: Protocol, configuration: TextMap, { table, version }: At): boolean {
  const isSuspended = isOn(configuration, "delta.rowTrackingSuspended");
  if (isSuspended && tracksRows(configuration))
    throw new DeltaError(
      "DELTA_ROW_TRACKING_ILLEGAL_PROPERTY_COMBINATION",
      `${table} has both delta.enableRowTracking and delta.rowTrackingSuspended.`,
      { table, version, hint: "Set one of them to false." },
    );
  return !isSuspended && supports(protocol, "rowTracking");
}

/** The highest row id that was given; -1 when there is none. */
export function rowIdHighWaterMark(configuration: string | undefined): bigint {
  const domain = configuration === undefined ? undefined : parseJson(configuration);
  const mark = isObject(domain) ? domain["rowIdHighWaterMark"] : undefined;
  return typeof mark === "number" || typeof mark === "bigint" ? BigInt(mark) : -1n;
}

/**
 * Files that have no ids yet get them behind the mark, and the version of the commit. Ids that files bring from an older
 * version of the table or from another table move the mark on, so that none is given twice.
 * Source: the Delta protocol, "Writer Requirements for Row Tracking".
 *
 * @throws DeltaError DELTA_ROW_ID_ASSIGNMENT_WITHOUT_STATS
 */
export function giveRowIds(
  files: readonly AddFile[],
  mark: bigint,
  version: bigint,
  table: string,
): { readonly files: AddFile[]; readonly mark: bigint } {
  let last = mark;
  for (const { baseRowId, stats } of files) {
    if (baseRowId === undefined) continue;
    const end = baseRowId + BigInt(numRecords(stats) ?? 0) - 1n;
    if (end > last) last = end;
  }
  const withIds = files.map((file) => {
    const defaultRowCommitVersion = file.defaultRowCommitVersion ?? version;
    if (file.baseRowId !== undefined) return { ...file, defaultRowCommitVersion };
    const baseRowId = last + 1n;
    last += BigInt(rowsOf(file, { table, version }));
    return { ...file, baseRowId, defaultRowCommitVersion };
  });
  return { files: withIds, mark: last };
}

function rowsOf({ path, stats }: AddFile, at: At): number {
  const rows = numRecords(stats);
  if (rows !== undefined) return rows;
  throw new DeltaError(
    "DELTA_ROW_ID_ASSIGNMENT_WITHOUT_STATS",
    `Rows of ${path} cannot get ids: the statistics of the file do not tell how many it holds.`,
    { ...at, path, hint: "State numRecords; for files that are there, rewrite them first (OPTIMIZE)." },
  );
}

/** The names of the hidden columns, which a table keeps for good once it has them. */
export function materializedColumnNames(previous: TextMap): Record<string, string> {
  return Object.fromEntries(
    Object.entries(NAMES).map(([key, prefix]) => [key, previous[key] ?? `${prefix}${randomUUID()}`]),
  );
}
