import type { Snapshot } from "@ingot/delta";
import { IngotError } from "../../model/error.js";
import { OWNER_PROPERTY } from "../../model/table.js";

/**
 * One owner a table: another pipeline's rows are not taken away, nor ours laid beside them.
 *
 * @throws IngotError TABLE_OWNED_BY_OTHER_PIPELINE
 */
export function refuseForeign(name: string, snapshot: Snapshot | undefined, owner: string | undefined): void {
  if (snapshot === undefined || snapshot.metadata.configuration[OWNER_PROPERTY] === owner) return;
  throw new IngotError(
    "TABLE_OWNED_BY_OTHER_PIPELINE",
    `${name} is there already, and is no quarantine of this pipeline`,
    {
      object: name,
      hint: "Nothing was written. Name another table by the option `quarantine` ('ingot.quarantine').",
    },
  );
}
