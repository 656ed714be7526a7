import type { ChangeRules } from "../../model/changes.js";
import { IngotError } from "../../model/error.js";

/** What makes an event have no place, so that its batch is refused. */
export type InvalidFate =
  | "no sequence"
  | "no key"
  | "no list of columns to update"
  | "a column to update that the source lacks";

/** The ways in which an event can have no place, as they are told: sequences first, as Spark. */
export function invalidFates({ listable }: Pick<ChangeRules, "listable">): readonly InvalidFate[] {
  if (listable === undefined) return ["no sequence", "no key"];
  return ["no sequence", "no key", "no list of columns to update", "a column to update that the source lacks"];
}

const CODES = {
  "no sequence": "NULL_SEQUENCE",
  "no key": "NULL_KEY",
  "no list of columns to update": "NULL_COLUMNS_TO_UPDATE",
  "a column to update that the source lacks": "UNKNOWN_COLUMN_TO_UPDATE",
} as const;

/**
 * The refusal of a batch with events that have no place.
 *
 * @param example one of them, as text
 */
export function invalidEvents(
  rules: Pick<ChangeRules, "listable">,
  object: string,
  fate: InvalidFate,
  { count, example }: { readonly count: number; readonly example: string },
): IngotError {
  return new IngotError(
    `AUTOCDC_MICROBATCH_VALIDATION.${CODES[fate]}`,
    `${object}: ${count} ${count === 1 ? "change has" : "changes have"} ${fate}, such as ${example}`,
    { object, hint: `Nothing was written. ${hintFor(fate, rules)}` },
  );
}

function hintFor(fate: InvalidFate, { listable = [] }: Pick<ChangeRules, "listable">): string {
  switch (fate) {
    case "no list of columns to update":
      return "Give the list of all columns where a change writes all of them: coalesce(list, array('a', 'b')).";
    case "a column to update that the source lacks":
      return `The source has ${listable.join(", ")}: name these, or take others out of the list with array_intersect.`;
    default:
      return "Give the column a value in the source's query, or leave such rows out with WHERE.";
  }
}
