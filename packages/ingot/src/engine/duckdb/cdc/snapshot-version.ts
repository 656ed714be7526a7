import type { DuckDBConnection } from "@duckdb/node-api";
import type { Snapshot } from "@ingot/delta";
import { type ChangeRules, SEQUENCE } from "../../../model/changes.js";
import { duckdbType, quoteText } from "../../../sql/lower/lower-text.js";
import { lastSnapshot, numberAfter, type SnapshotVersion } from "../../cdc/snapshot-version.js";
import { placeOf } from "./event-order.js";
import { EVENTS } from "./stage-events.js";

/**
 * The version of the staged snapshot: what its rows say, or its number from 0, which its rows get.
 *
 * @param target undefined: nothing was applied yet
 */
export async function snapshotVersion(
  connection: DuckDBConnection,
  rules: ChangeRules,
  target: Snapshot | undefined,
): Promise<SnapshotVersion> {
  const last = lastSnapshot(target);
  if (rules.snapshot?.versioned !== true) {
    const number = numberAfter(last);
    await connection.run(`UPDATE ${EVENTS} SET ${SEQUENCE} = ${number}`);
    return { version: String(number) };
  }
  // Text of another type is of a definition that was changed.
  const before = last === undefined ? "NULL" : `TRY_CAST(${quoteText(last)} AS ${duckdbType(rules.sequenceType)})`;
  const isOld = `coalesce(${placeOf("version", rules)} <= ${placeOf("before", rules)}, false)`;
  const result = await connection.runAndReadAll(`SELECT version::VARCHAR, ${isOld}
    FROM (SELECT any_value(${SEQUENCE}) AS version, ${before} AS before FROM ${EVENTS})`);
  const [version, isLate] = result.getRows()[0] ?? [];
  return { version: String(version), ...(isLate === true && last !== undefined ? { newer: last } : {}) };
}
