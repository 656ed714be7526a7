import type { Snapshot } from "@ingot/delta";
import { SEQUENCE } from "../../../model/changes.js";
import { quoteString } from "../../../sql/quote.js";
import { lastSnapshot, numberAfter, type SnapshotVersion } from "../../cdc/snapshot-version.js";
import { sqlRelation } from "../connect/relations.js";
import { typeText } from "../spark-sql.js";
import type { SparkText } from "../text-context.js";
import type { ApplyWork } from "./apply-work.js";
import { EVENTS } from "./events-text.js";

/**
 * The version of a staged snapshot: what its rows say, or its number from 0.
 *
 * @param target undefined: nothing was applied yet
 */
export async function snapshotVersion(
  { session, step: { rules }, signal }: ApplyWork,
  { names }: SparkText,
  target: Snapshot | undefined,
): Promise<SnapshotVersion> {
  const last = lastSnapshot(target);
  if (rules.snapshot?.versioned !== true) return { version: String(numberAfter(last)) };
  // Text of another type is of a definition that was changed.
  const before = last === undefined ? "NULL" : `try_cast(${quoteString(last)} AS ${typeText(rules.sequenceType)})`;
  const query = `SELECT CAST(version AS STRING), coalesce(version <= ${before}, false) FROM (SELECT any_value(${SEQUENCE}) AS version FROM ${EVENTS})`;
  const [[version, isLate] = []] = (await session.collect(sqlRelation(query, names), signal)).rows;
  return { version: String(version), ...(isLate === true && last !== undefined ? { newer: last } : {}) };
}
