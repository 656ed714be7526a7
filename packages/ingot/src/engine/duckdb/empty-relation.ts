import type { Field } from "../../model/data-type.js";
import { duckdbType, quoteName } from "../../sql/lower/lower-text.js";

/** A relation without rows, with the columns of a schema. */
export function emptyRelation(schema: readonly Field[]): string {
  const columns = schema.map((f) => `NULL::${duckdbType(f.type)} AS ${quoteName(f.name)}`).join(", ");
  return `SELECT ${columns} WHERE false`;
}
