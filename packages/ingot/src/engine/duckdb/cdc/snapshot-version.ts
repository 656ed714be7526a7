import type { DuckDBConnection } from "@duckdb/node-api";
import type { Snapshot } from "@ingot/delta";
import { type ChangeRules, SEQUENCE } from "../../../model/changes.js";
import { SNAPSHOT_PROPERTY } from "../../../model/table.js";
import { duckdbType, quoteText } from "../../../sql/lower/lower-text.js";
import { placeOf } from "./event-order.js";
import { EVENTS } from "./stage-events.js";

interface SnapshotVersion {
  /** As text. */
  readonly version: string;
  /** The version of the last snapshot that was applied, where this one is not newer. */
  readonly newer?: string;
}

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
  const last = target?.metadata.configuration[SNAPSHOT_PROPERTY] ?? undefined;
  if (rules.snapshot?.versioned !== true) {
    const number = last !== undefined && /^\d+$/.test(last) ? BigInt(last) + 1n : 0n;
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
