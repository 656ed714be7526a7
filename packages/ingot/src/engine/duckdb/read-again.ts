import type { BoundQuery } from "../engine.js";

/**
 * Whether a query gives the same rows each time and is cheap enough to run twice: a projection of rows of tables. To keep
 * all its rows would cost more, and of a first load the memory for the whole table.
 */
export function canBeReadAgain({ query, inputs }: BoundQuery): boolean {
  if (!query.deterministic || !query.preservesRows) return false;
  return [...inputs.values()].every((input) => {
    if (input.kind === "view") return canBeReadAgain(input.view);
    return input.kind === "snapshot" || input.kind === "appended" || input.kind === "changes";
  });
}
