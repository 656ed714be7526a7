import type { BatchInput } from "../model/batch.js";
import { IngotError } from "../model/error.js";
import type { Leaf } from "./inputs.js";
import type { Offer } from "./plan-flow.js";

/**
 * A position belongs to one table: versions of another one under the same name say nothing.
 *
 * @throws IngotError CHECKPOINT_DAMAGED when the table of a stored position was made anew
 */
export function checkSameTable(leaf: Leaf, offer: Offer, before: BatchInput | undefined): void {
  if (leaf.kind !== "table" || !leaf.stream || offer.kind !== "table" || before === undefined) return;
  if (before.kind !== "appended" && before.kind !== "changes") return;
  const back = BigInt(before.to) > offer.version;
  if (before.tableId === offer.tableId && !back) return;
  throw new IngotError(
    "CHECKPOINT_DAMAGED",
    back && before.tableId === offer.tableId
      ? `${leaf.name} is at version ${offer.version}, and version ${before.to} of it was read already`
      : `${leaf.name} is another table now (id ${offer.tableId}, before ${before.tableId}; read up to version ${before.to})`,
    {
      object: leaf.name,
      hint: "Nothing was written. If the new table is meant, start the reading table again with --full-refresh.",
    },
  );
}
