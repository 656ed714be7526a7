import { type AddFile, readChanges, type Snapshot, type Store, type VersionChanges } from "@ingot/delta";
import { IngotError } from "../../model/error.js";
import type { RangeEnd, VersionRange } from "../engine.js";

/** Files of one version, or of a whole table, that a stream has not read; `first` is the number of the first of them. */
export interface FilesOfVersion {
  readonly version: bigint;
  readonly files: readonly AddFile[];
  readonly first: number;
}

/**
 * The files whose rows a range of versions appended, version by version; a range without `after` is the whole table.
 *
 * @param snapshot at the end of the range
 * @param skipsChanges leaves out versions that changed or deleted rows
 * @throws IngotError DELTA_SOURCE_TABLE_IGNORE_CHANGES, DELTA_SOURCE_IGNORE_DELETE where such a version is in the range;
 *   DeltaError what `readChanges` throws
 */
export async function* appendedFiles(
  store: Store,
  snapshot: Snapshot,
  { after, to, fromFile = 0, untilFile }: VersionRange & Partial<RangeEnd>,
  skipsChanges: boolean,
): AsyncGenerator<FilesOfVersion> {
  if (after === undefined) {
    yield { version: to, files: inOrder(snapshot).slice(fromFile, untilFile), first: fromFile };
    return;
  }
  if (after >= to) return;
  for await (const change of readChanges(store, snapshot, after + 1n)) {
    const { version } = change;
    if (change.removed.some((file) => file.dataChange)) {
      if (skipsChanges) continue;
      throw notAppended(snapshot.table, change);
    }
    const first = version === after + 1n ? fromFile : 0;
    const files = change.added.filter((file) => file.dataChange).slice(first, version === to ? untilFile : undefined);
    yield { version, files, first };
  }
}

/** The files of a table in an order that its log does not decide: a checkpoint may tell them in any other. */
function inOrder({ files }: Snapshot): readonly AddFile[] {
  return [...files].sort((a, b) => a.modificationTime - b.modificationTime || (a.path < b.path ? -1 : 1));
}

function notAppended(table: string, { version, added, removed, commitInfo }: VersionChanges): IngotError {
  const files = removed.filter((file) => file.dataChange).length;
  const isDelete = !added.some((file) => file.dataChange);
  const operation = typeof commitInfo?.["operation"] === "string" ? ` (${commitInfo["operation"]})` : "";
  const what = isDelete ? "deleted rows" : "changed or deleted rows";
  return new IngotError(
    isDelete ? "DELTA_SOURCE_IGNORE_DELETE" : "DELTA_SOURCE_TABLE_IGNORE_CHANGES",
    `Version ${version} of ${table}${operation} ${what} in ${files} file${files === 1 ? "" : "s"}: a stream can only follow a table that grows`,
    {
      object: table,
      hint: `Nothing was written. ${isRewritten(commitInfo) ? REWRITTEN : CHANGED}`,
    },
  );
}

const CHANGED =
  "Read the changes too, WITH (readChangeFeed = true); leave such versions out WITH (skipChangeCommits = true); or read the table without STREAM in a materialized view.";
const REWRITTEN =
  "The table was written anew, as by a full refresh: start the reading table again too, with --full-refresh.";

/** All rows were replaced in one commit. */
function isRewritten(commitInfo: VersionChanges["commitInfo"]): boolean {
  const operation = String(commitInfo?.["operation"] ?? "");
  const parameters = commitInfo?.["operationParameters"];
  const isOverwrite = typeof parameters === "object" && parameters !== null && "mode" in parameters;
  return (
    (operation === "WRITE" && isOverwrite && parameters.mode === "Overwrite") ||
    /^(CREATE OR REPLACE TABLE|REPLACE TABLE|TRUNCATE|RESTORE)/.test(operation)
  );
}
