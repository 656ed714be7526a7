import { type ChangeRules, DELETED } from "../../../model/changes.js";
import { compileExpression } from "../../../sql/compile-expression.js";
import { orderKey } from "../../../sql/lower/lower-order.js";
import { quoteName } from "../../../sql/lower/lower-text.js";
import { rowDigest } from "../../../sql/row-digest.js";

/*
 * Law 5, the order of the events of a key: by sequence; then what `ties` says, the upsert or the delete behind; then the
 * digest of what the target takes of the row. The last one counts.
 */

/** SQL of a sequence's place: texts that DuckDB orders as Spark orders sequences. */
export function placeOf(sequence: string, { sequenceType }: Pick<ChangeRules, "sequenceType">): string {
  return orderKey(sequence, sequenceType);
}

/** `ORDER BY` item of events that have one sequence: the ones that count first. */
export function kindFirst({ ties }: Pick<ChangeRules, "ties">): string {
  return `${DELETED} ${ties === "delete" ? "DESC" : "ASC"}`;
}

/** SQL of an upsert's digest, over the names of the columns that the target takes. */
export function eventDigest({ columns }: Pick<ChangeRules, "columns">): string {
  return compileExpression(rowDigest(columns), columns, "the digest of an event").duckdb;
}

export function keyList({ keys }: Pick<ChangeRules, "keys">, alias?: string): string {
  return keys.map((key) => (alias === undefined ? quoteName(key) : `${alias}.${quoteName(key)}`)).join(", ");
}

/** SQL: two relations have the same key. */
export function sameKey({ keys }: Pick<ChangeRules, "keys">, left: string, right: string): string {
  return keys.map((key) => `${left}.${quoteName(key)} = ${right}.${quoteName(key)}`).join(" AND ");
}
