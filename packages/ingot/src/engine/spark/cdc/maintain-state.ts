import { mayMatch } from "@ingot/delta";
import { DELETED } from "../../../model/changes.js";
import { quoteIdentifier } from "../../../model/name.js";
import { PLANNED } from "../../cdc/state-table.js";
import { snapshotOf } from "../../tables/table-state.js";
import { gatherFiles } from "../keep-compact.js";
import { tableText, timestampText } from "../spark-sql.js";
import type { ApplyWork } from "./apply-work.js";

/** As `duckdb/cdc`: tombstones that are older than the table keeps them go, and small files are gathered. */
export async function maintainState(work: ApplyWork): Promise<void> {
  await forgetTombstones(work);
  await gatherFiles(work, work.step.state);
}

/** The batch is committed: what fails here is left to the next one. */
async function forgetTombstones({ session, store, step, signal }: ApplyWork): Promise<void> {
  if (step.tombstoneSeconds === undefined) return;
  const oldest = new Date(Date.parse(step.planned) - step.tombstoneSeconds * 1000).toISOString();
  const [key = ""] = step.rules.keys;
  const where = `${DELETED} AND ${quoteIdentifier(key)} IS NOT NULL AND ${PLANNED} < ${timestampText(oldest)}`;
  try {
    const isOlder = { kind: "compare", column: [PLANNED], operator: "<", value: oldest } as const;
    const state = await snapshotOf(store, step.state);
    // The log tells that nothing is so old without a job.
    if (state?.files.some(mayMatch(isOlder, state)) === true)
      await session.sql(`DELETE FROM ${tableText(step.state)} WHERE ${where}`, signal);
  } catch {
    // Tombstones that stay longer change nothing.
  }
}
