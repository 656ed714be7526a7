import { type ChangeRules, keptColumns, RESERVED_PREFIX } from "../../model/changes.js";
import type { Field } from "../../model/data-type.js";

/** Sequence of the last delete. */
export const DELETED_AT = `${RESERVED_PREFIX}deleted_at`;

/** Sequence of the value of a column. */
export function valueAt(column: string): string {
  return `${RESERVED_PREFIX}at_${column}`;
}

/** Columns of the state that a folded row has beside the keys, SEQUENCE and DELETED. */
export function foldedFields(rules: ChangeRules): readonly Field[] {
  const { columns, keys, sequenceType } = rules;
  const kept = keptColumns(rules);
  if (kept.length === 0) return [];
  const sequences = [DELETED_AT, ...kept.map(valueAt)];
  return [
    ...columns.filter(({ name }) => !keys.includes(name)).map((field) => ({ ...field, nullable: true })),
    ...sequences.map((name): Field => ({ name, type: sequenceType, nullable: true })),
  ];
}
