import type { ChangedRows, Snapshot, VersionFeed } from "@ingot/delta";
import { CHANGE_COLUMNS } from "../../model/change-feed.js";
import { scanRows } from "./scan.js";

const CHANGE_TYPE = CHANGE_COLUMNS.filter(({ name }) => name === "_change_type");

/**
 * SQL that gives the rows of a change feed: the columns of the snapshot's schema, then `_change_type` (insert, delete,
 * update_preimage, update_postimage), `_commit_version` BIGINT and `_commit_timestamp` TIMESTAMPTZ, as Spark names
 * them.
 */
export function scanChanges(snapshot: Snapshot, feed: readonly VersionFeed[]): string {
  const parts = feed.flatMap(({ version, timestamp, changes }) =>
    (["insert", "delete", undefined] as const).flatMap((changeType) => {
      const files = changes.filter((change) => change.changeType === changeType);
      return files.length === 0 ? [] : [scanVersion(snapshot, version, timestamp, changeType, files)];
    }),
  );
  // Its columns and types, where no version changed a row.
  return [scanVersion(snapshot, 0n, 0, undefined, []), ...parts].join(" UNION ALL ");
}

function scanVersion(
  snapshot: Snapshot,
  version: bigint,
  timestamp: number,
  changeType: ChangedRows["changeType"],
  files: readonly ChangedRows[],
): string {
  const rows = scanRows(snapshot, files, changeType === undefined ? CHANGE_TYPE : []);
  const type = changeType === undefined ? "" : `, '${changeType}' AS _change_type`;
  const at = `${version}::BIGINT AS _commit_version, make_timestamptz(${timestamp * 1000}) AS _commit_timestamp`;
  return `SELECT *${type}, ${at} FROM (${rows})`;
}
