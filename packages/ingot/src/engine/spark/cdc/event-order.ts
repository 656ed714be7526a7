import { type ChangeRules, DELETED } from "../../../model/changes.js";
import type { DataType, Field } from "../../../model/data-type.js";
import { quoteIdentifier } from "../../../model/name.js";
import { hasMap } from "../../../sql/bind/type-rules.js";
import { rowDigest } from "../../../sql/row-digest.js";

/*
 * Law 5, the order of the events of a key: by sequence; then what `ties` says, the upsert or the delete behind; then the
 * digest of what the target takes of the row. The last one counts. Spark orders sequences itself.
 */

/** `ORDER BY` item of events that have one sequence: the ones that count first. */
export function kindFirst({ ties }: Pick<ChangeRules, "ties">): string {
  return `${DELETED} ${ties === "delete" ? "DESC" : "ASC"}`;
}

export function keyList({ keys }: Pick<ChangeRules, "keys">, alias?: string): string {
  return keys.map((key) => nameIn(alias, key)).join(", ");
}

/** SQL: two relations have the same key. */
export function sameKey({ keys }: Pick<ChangeRules, "keys">, left: string, right: string): string {
  return keys.map((key) => `${nameIn(left, key)} = ${nameIn(right, key)}`).join(" AND ");
}

/** SQL of a value, by which two of them can be told apart: a map has no order, and its digest stands for it. */
export function distinctValue(field: Field, alias?: string): string {
  return distinctText(field.type, nameIn(alias, field.name));
}

/** As `distinctValue`, of an expression. */
export function distinctText(type: DataType, value: string): string {
  return hasMap(type) ? rowDigest([{ name: "v", type, nullable: true }], `named_struct('v', ${value})`) : value;
}

export function nameIn(alias: string | undefined, name: string): string {
  return alias === undefined ? quoteIdentifier(name) : `${alias}.${quoteIdentifier(name)}`;
}
