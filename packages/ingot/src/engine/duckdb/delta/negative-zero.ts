import type { DataType, Field } from "../../../model/data-type.js";
import { isFloating } from "../../../sql/bind/type-rules.js";
import { duckdbType } from "../../../sql/lower/lower-text.js";

/*
 * In a dictionary that DuckDB 1.5.6 writes -0.0 is 0.0. So a file that has a -0.0 gets no dictionaries. Files are written
 * with them first, by values that fail where they are one: it is rare, and to look for it before would be a second reading.
 */

const FOUND = "ingot found a negative zero";

/** SQL of a value that fails where it is -0.0. */
export function refuseNegativeZero(sql: string, type: DataType): string {
  if (!isFloating(type)) return sql;
  return `CASE WHEN ${sql} = 0 AND signbit(${sql}) THEN error('${FOUND}')::${duckdbType(type)} ELSE ${sql} END`;
}

export function isNegativeZero(error: unknown): boolean {
  return error instanceof Error && error.message.includes(FOUND);
}

/** Whether a column may hold a -0.0 that `refuseNegativeZero` does not see: within an array, a map or a struct. */
export function mayHideNegativeZero({ type }: Pick<Field, "type">): boolean {
  return partsOf(type).some((part) => isFloating(part) || mayHideNegativeZero({ type: part }));
}

function partsOf(type: DataType): readonly DataType[] {
  switch (type.kind) {
    case "array":
      return [type.element];
    case "map":
      return [type.key, type.value];
    case "struct":
      return type.fields.map((field) => field.type);
    default:
      return [];
  }
}
