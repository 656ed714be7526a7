import { DELETED } from "../../../model/changes.js";
import { quoteIdentifier } from "../../../model/name.js";
import { PLANNED } from "../../cdc/state-table.js";
import { gatherFiles } from "../keep-compact.js";
import { tableText, timestampText } from "../spark-sql.js";
import type { ApplyWork } from "./apply-work.js";

/** As `duckdb/cdc`: tombstones that are older than the table keeps them go, and small files are gathered. */
export async function maintainState(work: ApplyWork): Promise<void> {
  await forgetTombstones(work);
  await gatherFiles(work, work.step.state);
}

/** The batch is committed: what fails here is left to the next one. */
async function forgetTombstones({ session, step, signal }: ApplyWork): Promise<void> {
  if (step.tombstoneSeconds === undefined) return;
  const oldest = new Date(Date.parse(step.planned) - step.tombstoneSeconds * 1000).toISOString();
  const [key = ""] = step.rules.keys;
  const where = `${DELETED} AND ${quoteIdentifier(key)} IS NOT NULL AND ${PLANNED} < ${timestampText(oldest)}`;
  await session.sql(`DELETE FROM ${tableText(step.state)} WHERE ${where}`, signal).catch(() => undefined);
}
