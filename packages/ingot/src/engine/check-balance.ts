import { IngotError } from "../model/error.js";
import type { RuleCounts, WritePart } from "./engine.js";

/**
 * Law: records in = rows out + dropped + set aside by rules, counted by two hands.
 *
 * @param rows that came out of the query
 * @param dropped records that the reads left out
 * @throws IngotError BALANCE
 */
export function checkBalance(
  name: string,
  part: WritePart,
  rows: number,
  dropped: number,
  checks: readonly RuleCounts[],
): void {
  const away = dropped + checks.reduce((sum, check) => sum + check.dropped + check.quarantined, 0);
  if (part.expectedRows === undefined || part.expectedRows === rows + away) return;
  const and = away === 0 ? "" : ` and ${away} were dropped or quarantined`;
  throw new IngotError(
    "BALANCE",
    `${name}: the files hold ${part.expectedRows} records, and ${rows} rows came out of them${and}`,
    {
      object: name,
      hint: "Nothing was committed. This is a fault of Ingot: please report it with the file.",
    },
  );
}
