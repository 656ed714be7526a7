import { IngotError } from "../../model/error.js";
import type { ApplyStep } from "../engine.js";

/**
 * Stops a batch that would take away more of the table than is usual: an extract that was cut short looks like that.
 *
 * @param count rows that would go, and rows that are there; asked where there is a limit
 * @throws IngotError MASS_DELETE
 */
export async function limitDeletes(
  { rules: { maxDeleteShare }, allowMassDelete, target: { name } }: ApplyStep,
  count: () => Promise<{ readonly deletes: number; readonly live: number }>,
): Promise<void> {
  if (maxDeleteShare === undefined || allowMassDelete) return;
  const { deletes, live } = await count();
  if (deletes <= live * maxDeleteShare) return;
  const percent = (share: number) => `${Math.round(share * 1000) / 10} %`;
  throw new IngotError(
    "MASS_DELETE",
    `${name}: the batch would delete ${deletes} of ${live} rows (${percent(deletes / live)}), and maxDeleteShare is ${percent(maxDeleteShare)}`,
    {
      object: name,
      hint: `Nothing was applied. If the deletes are right, run once with --allow-mass-delete ${name.split(".").at(-1)}; if not, mend the source: the batch stays planned until then.`,
    },
  );
}
