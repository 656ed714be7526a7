import { changeRows, compact } from "@ingot/delta";
import { DELETED } from "../../../model/changes.js";
import { quoteName, quoteText } from "../../../sql/lower/lower-text.js";
import { PLANNED } from "../../cdc/state-table.js";
import { ENGINE_INFO } from "../commit-step.js";
import { deleteRows } from "../delta/delete-rows.js";
import { rewriteFiles } from "../delta/rewrite-files.js";
import type { ApplyWork } from "./apply-work.js";

/**
 * Housekeeping after a batch: tombstones that are older than the table keeps them go, and small files are gathered. Of type
 * 2 tombstones are deletes that ended no version. The batch is committed, so what fails here is left to the next one.
 */
export async function maintainState({ connection, store, step }: ApplyWork): Promise<void> {
  const notes = { engineInfo: ENGINE_INFO, userMetadata: step.note };
  try {
    if (step.tombstoneSeconds !== undefined) {
      const oldest = new Date(Date.parse(step.planned) - step.tombstoneSeconds * 1000).toISOString();
      const [key = ""] = step.rules.keys;
      const where = `t.${DELETED} AND t.${quoteName(key)} IS NOT NULL AND t.${PLANNED} < ${quoteText(oldest)}::TIMESTAMPTZ`;
      const pruneBy = { kind: "compare", column: [PLANNED], operator: "<", value: oldest } as const;
      await changeRows(store, step.state, deleteRows(connection, { where, pruneBy }), notes);
    }
    await compact(store, step.state, rewriteFiles(connection), notes);
  } catch {
    // Nothing is lost: the state is as the batch left it.
  }
}
